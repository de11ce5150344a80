//! Removing a label.

use serde::Deserialize;
use serde_json::json;
use types::{BodyType, Code, Guard, Task, TaskLabelId, limits};

use crate::Error;
use crate::desk::{Desk, many};
use crate::plan::Plan;
use crate::verb::Verb;

/// Removes a label that no task bears; by force it is taken from those that do, in the same step.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RemoveLabel {
    label_id: String,
    #[serde(default)]
    force: bool,
}

impl Verb for RemoveLabel {
    const NAME: &'static str = "remove_label";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let label = desk.label(&self.label_id).await?;
        let id: TaskLabelId = label.id();
        // One more than fits beside the label itself, to see whether they all fit.
        let bearing = desk.bearing(&id, limits::COMMIT_WRITES_MAX).await?;
        let borne = !bearing.is_empty();
        if borne && !(self.force && bearing.len() < limits::COMMIT_WRITES_MAX) {
            let bear = if bearing.len() == 1 { "bears" } else { "bear" };
            let message = format!("{} {bear} {:?}", many(bearing.len(), "task"), label.body.name);
            let hint = match self.force {
                false => "take it from them first, or add --force, which does that too",
                true => "that is more than one step may change: take it from some of them first",
            };
            return Err(Error::refuse(Code::NotEmpty, message, hint));
        }
        let mut plan = Plan::about(label.id.clone());
        plan.remove(&label);
        if !borne {
            plan.provided(Guard::Unmarked {
                kind: BodyType::Task,
                mark: rules::mark::labelled(&id),
            });
        }
        for task in &bearing {
            desk.note(task, Some(&task.body.category_id));
            let labels = task.body.labels.iter().filter(|other| **other != id).cloned().collect();
            plan.change(task, Task { labels, ..task.body.clone() });
        }
        let name = &label.body.name;
        Ok(plan.answering(json!({ "id": label.id, "name": name, "tasks": bearing.len() })))
    }
}

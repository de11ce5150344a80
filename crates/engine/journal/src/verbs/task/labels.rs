//! Labels of a task.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;
use tool::{Capability, Contract};
use types::{BodyType, CategoryId, Code, Task, TaskLabelId};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::fit::shown;

/// Gives a task labels, and takes others away. A label that it bears already stays.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AssignTaskLabels {
    task_id: String,
    #[serde(default)]
    label_ids: Vec<String>,
    #[serde(default)]
    remove_label_ids: Vec<String>,
}

impl Verb for AssignTaskLabels {
    const NAME: &'static str = "assign_task_labels";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let was = desk.task(&self.task_id).await?;
        let category = was.body.category_id.clone();
        let given = named_labels(desk, &self.label_ids, &category).await?;
        let mut taken: BTreeSet<TaskLabelId> = BTreeSet::new();
        for text in &self.remove_label_ids {
            // One that the task bears can be taken away even if there is no such label any more.
            let borne = was.body.labels.iter().find(|label| label.as_str() == text.trim());
            taken.insert(match borne {
                Some(label) => label.clone(),
                None => desk.label(text).await?.id(),
            });
        }
        let labels = was.body.labels.union(&given).filter(|label| !taken.contains(*label));
        let task = Task { labels: labels.cloned().collect(), ..was.body.clone() };
        let mut plan = Plan::about(was.id.clone());
        let answer = shown(&was.id, &task);
        plan.change(&was, task);
        Ok(plan.answering(answer))
    }
}

/// The labels that texts name, each of which a task of this category may bear.
pub(crate) async fn named_labels(
    desk: &mut Desk,
    texts: &[String],
    category: &CategoryId,
) -> Result<BTreeSet<TaskLabelId>, Error> {
    let mut labels = BTreeSet::new();
    for text in texts {
        let label = desk.label(text).await?;
        if label.body.category_id.as_ref().is_some_and(|own| own != category) {
            let (name, id) = (&label.body.name, &label.id);
            let message = format!("the label {name:?} ({id}) is for another category");
            let hint = "use a label of the task's own category, or one for all";
            return Err(Error::refuse(Code::OtherCategory, message, hint));
        }
        labels.insert(label.id());
    }
    Ok(labels)
}

impl Offered for AssignTaskLabels {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Give a task labels, take others away; the rest stays.",
        capabilities: &[Capability::TaskWrite],
        input,
        side_effects: &[BodyType::Task],
        ..CHANGE
    };
}

fn input() -> Value {
    schema::object(
        &[
            ("taskId", schema::id("task", "Which task.")),
            ("labelIds", super::fit::label_ids("Labels to give it.")),
            ("removeLabelIds", super::fit::label_ids("Labels to take away.")),
        ],
        &["taskId"],
    )
}

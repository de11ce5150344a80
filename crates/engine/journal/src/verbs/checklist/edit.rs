//! Renaming a checklist.

use serde::Deserialize;
use serde_json::json;
use types::Checklist;

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;

/// Gives a checklist another name.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EditChecklist {
    checklist_id: String,
    title: String,
}

impl Verb for EditChecklist {
    const NAME: &'static str = "edit_checklist";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let (was, task) = desk.checklist(&self.checklist_id).await?;
        let title = self.title.trim().to_owned();
        let answer = json!({ "id": was.id, "taskId": task.id, "title": title });
        let mut plan = Plan::about(task.id);
        plan.change(&was, Checklist { title, ..was.body.clone() });
        Ok(plan.answering(answer))
    }
}

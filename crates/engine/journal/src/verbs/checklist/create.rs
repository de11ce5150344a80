//! Creating a checklist.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract};
use types::{BodyType, TaskId, limits};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::draft::{ItemDraft, items};
use super::place::{list_of, room_for_list};

/// Creates a checklist for a task.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CreateChecklist {
    task_id: String,
    title: String,
    #[serde(default)]
    items: Vec<ItemDraft>,
}

impl Verb for CreateChecklist {
    const NAME: &'static str = "create_checklist";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let task = desk.task(&self.task_id).await?;
        room_for_list(&desk.checklists(&task).await?)?;
        let task_id: TaskId = task.id();
        let mut plan = Plan::about(task.id.clone());
        let (id, items) = list_of(desk, &mut plan, &task_id, &self.title, self.items)?;
        let title = self.title.trim();
        let answer = json!({ "id": id, "taskId": task_id, "title": title, "items": items });
        Ok(plan.answering(answer))
    }
}

impl Offered for CreateChecklist {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Create one more checklist for a task, with items or without.",
        capabilities: &[Capability::ChecklistWrite],
        input,
        side_effects: &[BodyType::Checklist, BodyType::ChecklistItem],
        ..CHANGE
    };
}

fn input() -> Value {
    schema::object(
        &[
            ("taskId", schema::id("task", "Which task.")),
            ("title", schema::line("What to call the checklist.", limits::TITLE_BYTES_MAX)),
            ("items", items()),
        ],
        &["taskId", "title"],
    )
}

//! Adding items to a task's checklist.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract};
use types::{BodyType, Checklist, ChecklistId, Task, TaskId};

use crate::Error;
use crate::desk::{Desk, Loaded};
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::draft::{ItemDraft, items};
use super::place::{End, USUAL_TITLE, append, list_of, none_named, of_task};

/// Adds items at the end of a checklist: the one that is named, else the task's first, else a new one.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AddMultipleChecklistItems {
    task_id: String,
    items: Vec<ItemDraft>,
    #[serde(default)]
    checklist_id: Option<String>,
}

impl Verb for AddMultipleChecklistItems {
    const NAME: &'static str = "add_multiple_checklist_items";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        if self.items.is_empty() {
            return Err(none_named());
        }
        let task = desk.task(&self.task_id).await?;
        let task_id: TaskId = task.id();
        let list = chosen(desk, &task, self.checklist_id.as_deref()).await?;
        let mut plan = Plan::about(task.id.clone());
        let (list, items) = match list {
            Some(list) => {
                let there = desk.items(std::slice::from_ref(&list)).await?;
                let id: ChecklistId = list.id();
                let end = End { list: &id, task: &task_id, there: &there };
                let items = append(desk, &mut plan, &end, self.items)?;
                (id, items)
            }
            None => list_of(desk, &mut plan, &task_id, USUAL_TITLE, self.items)?,
        };
        let answer = json!({ "taskId": task_id, "checklistId": list, "items": items });
        Ok(plan.answering(answer))
    }
}

/// The checklist that is named, or the task's first.
async fn chosen(
    desk: &mut Desk,
    task: &Loaded<Task>,
    named: Option<&str>,
) -> Result<Option<Loaded<Checklist>>, Error> {
    match named {
        Some(text) => {
            let (list, _) = desk.checklist(text).await?;
            of_task(&list.id, &list.body.task_id, task)?;
            Ok(Some(list))
        }
        None => {
            let first = desk.checklists(task).await?.into_iter().next();
            if let Some(list) = &first {
                desk.note(list, Some(&task.body.category_id));
            }
            Ok(first)
        }
    }
}

impl Offered for AddMultipleChecklistItems {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Add items to a task's checklist, in order, behind those it has.",
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
            ("items", items()),
            (
                "checklistId",
                schema::id("checklist", "Which of its checklists; the first if absent."),
            ),
        ],
        &["taskId", "items"],
    )
}

//! Moving items from one checklist to another.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract, Risk};
use types::{BodyType, ChecklistId, ChecklistItem, Code, Task, TaskId};

use crate::Error;
use crate::desk::{Desk, Loaded};
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::draft::item_ids;
use super::place::{End, keys_at, none_named, on_list, shown};

/// Moves items to the end of another checklist, in the order in which they are named. The operator need
/// not say which one they are on.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct MoveChecklistItems {
    item_ids: Vec<String>,
    #[serde(default)]
    from_checklist_id: Option<String>,
    to_checklist_id: String,
    preserve_checked_state: bool,
}

impl Verb for MoveChecklistItems {
    const NAME: &'static str = "move_checklist_items";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let items = desk.items_named(&self.item_ids).await?;
        let (first, _) = items.first().ok_or_else(none_named)?;
        let own = first.body.checklist_id.to_string();
        let from = self.from_checklist_id.as_deref().unwrap_or(&own);
        let (from, from_task) = desk.checklist(from).await?;
        let (to, to_task) = desk.checklist(&self.to_checklist_id).await?;
        if from.id == to.id {
            let message = "the items would stay on the same checklist";
            let hint = "`dormouse task item reorder` moves an item within its list";
            let refused = Error::refuse(Code::WrongUsage, message, hint);
            return Err(refused.for_agents("name the checklist that they are to be on"));
        }
        same_category(&from_task, &to_task)?;
        let there = desk.items(std::slice::from_ref(&to)).await?;
        let (list, task): (ChecklistId, TaskId) = (to.id(), to_task.id());
        let mut plan = Plan::about(to_task.id.clone());
        // A list that is removed meanwhile would take what is moved there with it.
        let keys =
            keys_at(&mut plan, &End { list: &list, task: &task, there: &there }, items.len())?;
        let mut moved = Vec::new();
        for ((was, _), rank) in items.iter().zip(keys) {
            on_list(was, &from.id)?;
            let item = ChecklistItem {
                checklist_id: list.clone(),
                task_id: task.clone(),
                checked: was.body.checked && self.preserve_checked_state,
                rank,
                title: was.body.title.clone(),
            };
            moved.push(shown(&was.id, &item));
            plan.change(was, item);
        }
        let answer = json!({
            "fromChecklistId": from.id, "toChecklistId": list, "taskId": task, "items": moved,
        });
        Ok(plan.answering(answer))
    }
}

/// Refuses to carry anything from one part of life into another, where others may see it.
pub(super) fn same_category(from: &Loaded<Task>, to: &Loaded<Task>) -> Result<(), Error> {
    if from.body.category_id == to.body.category_id {
        return Ok(());
    }
    let message = format!("{} and {} lie in different categories", from.id, to.id);
    let hint = "move the task to the other category first, or add the items there anew";
    Err(Error::refuse(Code::OtherCategory, message, hint))
}

impl Offered for MoveChecklistItems {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Move items from one checklist to the end of another in the same category.",
        capabilities: &[Capability::ChecklistWrite],
        input,
        side_effects: &[BodyType::ChecklistItem],
        risk: Risk::High,
        preview: true,
        ..CHANGE
    };
}

fn input() -> Value {
    schema::object(
        &[
            ("itemIds", item_ids("Which items; all of them are on the first checklist.")),
            ("fromChecklistId", schema::id("checklist", "The checklist that they are on.")),
            ("toChecklistId", schema::id("checklist", "The checklist to move them to.")),
            ("preserveCheckedState", schema::flag("Those that are done stay done.")),
        ],
        &["itemIds", "fromChecklistId", "toChecklistId", "preserveCheckedState"],
    )
}

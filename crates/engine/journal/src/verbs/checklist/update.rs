//! Changing items.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract};
use types::{BodyType, ChecklistItem, Code, limits};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::place::{none_named, of_task, shown};

/// Checks, unchecks and rewords items; what is not given stays.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct UpdateChecklistItems {
    #[serde(default)]
    task_id: Option<String>,
    items: Vec<ItemChange>,
}

/// What becomes of one item.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ItemChange {
    id: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    checked: Option<bool>,
}

impl Verb for UpdateChecklistItems {
    const NAME: &'static str = "update_checklist_items";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let task = match &self.task_id {
            Some(text) => Some(desk.task(text).await?),
            None => None,
        };
        let ids: Vec<String> = self.items.iter().map(|item| item.id.clone()).collect();
        let items = desk.items_named(&ids).await?;
        if items.len() < ids.len() {
            let message = "the same checklist item is named twice";
            return Err(Error::refuse(Code::WrongUsage, message, "say once what becomes of it"));
        }
        let Some((_, first)) = items.first() else {
            return Err(none_named());
        };
        let mut plan = Plan::about(first.id.clone());
        let mut answer = Vec::new();
        for ((was, _), change) in items.iter().zip(self.items) {
            if let Some(task) = &task {
                of_task(&was.id, &was.body.task_id, task)?;
            }
            let item = changed(&was.body, change);
            answer.push(shown(&was.id, &item));
            plan.change(was, item);
        }
        Ok(plan.answering(json!({ "items": answer })))
    }
}

fn changed(was: &ChecklistItem, change: ItemChange) -> ChecklistItem {
    ChecklistItem {
        title: change.title.map_or_else(|| was.title.clone(), |title| title.trim().to_owned()),
        checked: change.checked.unwrap_or(was.checked),
        ..was.clone()
    }
}

impl Offered for UpdateChecklistItems {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Check, uncheck or reword checklist items; what is not given stays.",
        capabilities: &[Capability::ChecklistWrite],
        input,
        side_effects: &[BodyType::ChecklistItem],
        ..CHANGE
    };
}

fn input() -> Value {
    let item = schema::object(
        &[
            ("id", schema::id("item", "Which item.")),
            ("title", schema::line("What is to be done, in one line.", limits::TITLE_BYTES_MAX)),
            ("checked", schema::flag("It is done.")),
        ],
        &["id"],
    );
    schema::object(
        &[
            ("taskId", schema::id("task", "The task that they all belong to.")),
            ("items", schema::list(item, limits::CHECKLIST_ITEMS_MAX)),
        ],
        &["items"],
    )
}

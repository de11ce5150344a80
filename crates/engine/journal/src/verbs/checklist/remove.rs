//! Removing checklists and items.

use serde::Deserialize;
use serde_json::json;

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;

use super::place::none_named;

/// Removes a checklist with its items.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RemoveChecklist {
    checklist_id: String,
}

impl Verb for RemoveChecklist {
    const NAME: &'static str = "remove_checklist";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let (list, task) = desk.checklist(&self.checklist_id).await?;
        let items = desk.items(std::slice::from_ref(&list)).await?;
        let mut plan = Plan::about(task.id);
        plan.remove(&list);
        items.iter().for_each(|item| plan.remove(item));
        Ok(plan.answering(json!({ "id": list.id, "items": items.len() })))
    }
}

/// Removes items.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RemoveChecklistItems {
    item_ids: Vec<String>,
}

impl Verb for RemoveChecklistItems {
    const NAME: &'static str = "remove_checklist_items";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let items = desk.items_named(&self.item_ids).await?;
        let Some((_, task)) = items.first() else {
            return Err(none_named());
        };
        let mut plan = Plan::about(task.id.clone());
        items.iter().for_each(|(item, _)| plan.remove(item));
        let ids: Vec<&str> = items.iter().map(|(item, _)| item.id.as_str()).collect();
        Ok(plan.answering(json!({ "ids": ids })))
    }
}

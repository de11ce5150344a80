//! Removing a task.

use serde::Deserialize;
use serde_json::json;
use types::Relation;

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::rating_of;

/// Removes a task with its checklists, its relations and its rating. Its notes and the time spent on it
/// stay.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RemoveTask {
    task_id: String,
}

impl Verb for RemoveTask {
    const NAME: &'static str = "remove_task";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let task = desk.task(&self.task_id).await?;
        let lists = desk.checklists(&task).await?;
        let items = desk.items(&lists).await?;
        let mut plan = Plan::about(task.id.clone());
        plan.remove(&task);
        lists.iter().for_each(|list| plan.remove(list));
        items.iter().for_each(|item| plan.remove(item));
        if let Some(rating) = rating_of(desk, &task.id).await? {
            plan.remove(&rating);
        }
        for relation in Relation::BETWEEN_TASKS {
            for link in desk.links(&task.id, &relation).await? {
                plan.unlink(&link.from, relation.clone(), &link.to);
            }
        }
        Ok(plan.answering(json!({ "id": task.id, "items": items.len() })))
    }
}

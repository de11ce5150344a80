//! Removing an entry.

use serde::Deserialize;
use serde_json::json;
use types::Relation;

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::rating_of;

/// Removes an entry with its rating. The time that was told in it stays.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RemoveEntry {
    entry_id: String,
}

impl Verb for RemoveEntry {
    const NAME: &'static str = "remove_entry";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let entry = desk.entry(&self.entry_id).await?;
        let mut plan = Plan::about(entry.id.clone());
        plan.remove(&entry);
        if let Some(rating) = rating_of(desk, &entry.id).await? {
            plan.remove(&rating);
        }
        for link in desk.links(&entry.id, &Relation::ToldIn).await? {
            plan.unlink(&link.from, Relation::ToldIn, &link.to);
        }
        Ok(plan.answering(json!({ "id": entry.id })))
    }
}

//! Removing time that was recorded.

use serde::Deserialize;
use serde_json::json;
use types::Relation;

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::rating;

/// Removes a stretch of time with its rating. The entry in which it was told stays.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RemoveTimeEntry {
    time_entry_id: String,
}

impl Verb for RemoveTimeEntry {
    const NAME: &'static str = "remove_time_entry";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let time = desk.time(&self.time_entry_id).await?;
        let mut plan = Plan::about(time.id.clone());
        plan.remove(&time);
        if let Some(rating) = rating::rating_of(desk, &time.id).await? {
            plan.remove(&rating);
        }
        for link in desk.links(&time.id, &Relation::ToldIn).await? {
            plan.unlink(&link.from, Relation::ToldIn, &link.to);
        }
        let answer = json!({ "id": time.id, "minutes": time.body.minutes() });
        Ok(plan.answering(answer))
    }
}

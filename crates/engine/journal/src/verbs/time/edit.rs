//! Correcting time that was recorded.

use serde::Deserialize;
use serde_json::json;
use types::TimeEntry;

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;

use super::fit::{has_come, in_order, overlaps, shown};

/// Changes when a stretch of time began or ended, or on which task it was spent. A time without a day
/// is one of the day that it began on, by the clock here, as it is shown.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EditTimeEntry {
    time_entry_id: String,
    #[serde(default)]
    started_at: Option<String>,
    #[serde(default)]
    ended_at: Option<String>,
    #[serde(default)]
    task_id: Option<String>,
}

impl Verb for EditTimeEntry {
    const NAME: &'static str = "edit_time_entry";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let was = desk.time(&self.time_entry_id).await?;
        let mut plan = Plan::about(was.id.clone());
        let mut time = was.body.clone();
        if let Some(text) = &self.task_id {
            let task = desk.task(text).await?;
            plan.lands_in(&task.body.category_id);
            time.task_id = task.id();
        }
        if let Some(text) = &self.started_at {
            let started_at = desk.moment_on(text, desk.day_of(time.started_at))?;
            time = TimeEntry { started_at, day: desk.day_of(started_at), ..time };
        }
        if let Some(text) = &self.ended_at {
            time.ended_at = Some(desk.moment_on(text, desk.day_of(time.started_at))?);
        }
        has_come(desk, time.started_at)?;
        if let Some(end) = time.ended_at {
            in_order(desk, time.started_at, end)?;
        }
        let mut answer = shown(desk, &was.id, &time);
        answer["overlaps"] = json!(overlaps(desk, &was.id, &time).await?);
        plan.change(&was, time);
        Ok(plan.answering(answer))
    }
}

//! Opening a closed day again.

use serde::Deserialize;
use types::DayPlan;

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;

use super::seen::seen;

/// Opens a closed day again, so that its plan can be changed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ReopenDay {
    plan_date: String,
}

impl Verb for ReopenDay {
    const NAME: &'static str = "reopen_day";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let day = desk.day(&self.plan_date)?;
        let place = desk.plan(day).await?;
        let was = place.body.clone().unwrap_or_else(|| DayPlan::empty(day));
        let to = DayPlan { closed_at: None, ..was.clone() };
        let mut plan = Plan::about(place.id.clone());
        if to != was {
            plan.put(&place, to.clone());
        }
        let answer = seen(desk, &to).await?;
        Ok(plan.answering(answer))
    }
}

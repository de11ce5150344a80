//! Looking at a day's plan, which makes one if there is none.

use serde::Deserialize;
use tool::{Capability, Contract};
use types::{BodyType, DayPlan};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::block::plan_date;
use super::seen::seen;

/// Answers with a day's plan. A day has one plan, the same on every host.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct GetOrCreateDayPlan {
    plan_date: String,
}

impl Verb for GetOrCreateDayPlan {
    const NAME: &'static str = "get_or_create_day_plan";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let day = desk.day(&self.plan_date)?;
        let place = desk.plan(day).await?;
        let found = place.body.clone().unwrap_or_else(|| DayPlan::empty(day));
        let answer = seen(desk, &found).await?;
        let mut plan = Plan::about(place.id.clone());
        plan.put(&place, found);
        Ok(plan.answering(answer))
    }
}

impl Offered for GetOrCreateDayPlan {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Look at the plan of a day: its blocks and pinned tasks in your categories. A \
                      day without a plan gets one.",
        capabilities: &[Capability::DayPlanRead, Capability::DayPlanWrite],
        input: || schema::object(&[("planDate", plan_date())], &["planDate"]),
        side_effects: &[BodyType::DayPlan],
        data_minimization: "in_scope_records_only",
        ..CHANGE
    };
}

//! Stopping the timer.

use serde::Deserialize;
use serde_json::Value;
use tool::{Capability, Contract};
use types::{BodyType, Code, TimeEntry};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::fit::{has_come, in_order, shown, time_entry_id};

/// Stops a timer, now or at a time that has passed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct StopTaskTimer {
    time_entry_id: String,
    #[serde(default)]
    ended_at: Option<String>,
    /// What was done, if that is said only now.
    #[serde(default)]
    description: Option<String>,
}

impl Verb for StopTaskTimer {
    const NAME: &'static str = "stop_task_timer";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let was = desk.time(&self.time_entry_id).await?;
        if let Some(end) = was.body.ended_at {
            let message = format!("it was stopped at {} already", desk.local(end));
            let hint = "`dormouse time edit` changes when it ended";
            return Err(Error::refuse(Code::NoSuchStep, message, hint));
        }
        let end = self.ended_at.as_deref().map_or_else(|| Ok(desk.now()), |at| desk.moment(at))?;
        in_order(desk, was.body.started_at, end)?;
        has_come(desk, end)?;
        let said = self.description.map(|text| text.trim().to_owned());
        let time = TimeEntry {
            ended_at: Some(end),
            description: said.unwrap_or_else(|| was.body.description.clone()),
            ..was.body.clone()
        };
        let mut plan = Plan::about(was.id.clone());
        let answer = shown(desk, &was.id, &time);
        plan.change(&was, time);
        Ok(plan.answering(answer))
    }
}

impl Offered for StopTaskTimer {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Stop a running timer, now or at a time that has passed.",
        capabilities: &[Capability::TimeWrite],
        input,
        side_effects: &[BodyType::TimeEntry],
        ..CHANGE
    };
}

fn input() -> Value {
    let end = schema::instant("When it ended; now if absent.");
    schema::object(&[("timeEntryId", time_entry_id()), ("endedAt", end)], &["timeEntryId"])
}

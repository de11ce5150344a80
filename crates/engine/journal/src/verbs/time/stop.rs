//! Stopping the timer.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract};
use types::{BodyType, Code, TimeEntry};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::fit::{has_come, in_order, shown, time_entry_id};

/// Said of a timer that begins later than now.
const AHEAD: &str = "by the clock as it is now, it has not begun yet: it was ended where it begins and counts nothing";

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
            let refused = Error::refuse(Code::NoSuchStep, message, hint);
            return Err(refused.for_agents("there is nothing left to do"));
        }
        let end = match self.ended_at.as_deref() {
            Some(at) => {
                let end = desk.moment(at)?;
                in_order(desk, was.body.started_at, end)?;
                has_come(desk, end)?;
                end
            }
            // A clock that was ahead when it was started, or is behind now, must not keep it running: no other
            // could be started then. What it comes to is nothing, which nobody has to take back.
            None => desk.now().max(was.body.started_at.plus_millis(1)),
        };
        let ahead = was.body.started_at > desk.now();
        let said = self.description.map(|text| text.trim().to_owned());
        let time = TimeEntry {
            ended_at: Some(end),
            description: said.unwrap_or_else(|| was.body.description.clone()),
            ..was.body.clone()
        };
        let mut plan = Plan::about(was.id.clone());
        let mut answer = shown(desk, &was.id, &time);
        if ahead {
            answer["note"] = json!(AHEAD);
        }
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

//! Saying what time was spent on.

use serde::Deserialize;
use serde_json::Value;
use tool::{Capability, Contract};
use types::{BodyType, TimeEntry};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::fit::{description, shown, time_entry_id};

/// Says what was done in a stretch of time, instead of what it said before.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AnnotateTimeEntry {
    time_entry_id: String,
    description: String,
}

impl Verb for AnnotateTimeEntry {
    const NAME: &'static str = "annotate_time_entry";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let was = desk.time(&self.time_entry_id).await?;
        let description = self.description.trim().to_owned();
        let time = TimeEntry { description, ..was.body.clone() };
        let mut plan = Plan::about(was.id.clone());
        let answer = shown(desk, &was.id, &time);
        plan.change(&was, time);
        Ok(plan.answering(answer))
    }
}

impl Offered for AnnotateTimeEntry {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Say what was done in a time entry; replaces its description.",
        capabilities: &[Capability::TimeWrite],
        input,
        side_effects: &[BodyType::TimeEntry],
        ..CHANGE
    };
}

fn input() -> Value {
    let fields = [("timeEntryId", time_entry_id()), ("description", description())];
    schema::object(&fields, &["timeEntryId", "description"])
}

//! Recording time after it was spent.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract, Risk};
use types::{At, BodyType, Code, Relation, TimeEntry, TimeEntryId};

use crate::desk::{Desk, Loaded};
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;
use crate::{Error, words};

use super::fit::{description, has_come, in_order, overlaps, shown};

/// Records time that was spent on a task. What it runs into is allowed, since people do two things at
/// once, but the answer names it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CreateRetrospectiveTimeEntry {
    task_id: String,
    #[serde(default)]
    started_at: Option<String>,
    #[serde(default)]
    ended_at: Option<String>,
    /// How long, for people, who rarely know both ends; such as `45m`.
    #[serde(default)]
    duration: Option<String>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    source_entry_id: Option<String>,
}

impl Verb for CreateRetrospectiveTimeEntry {
    const NAME: &'static str = "create_retrospective_time_entry";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let task = desk.task(&self.task_id).await?;
        let source = match &self.source_entry_id {
            Some(text) => Some(desk.entry(text).await?),
            None => None,
        };
        let (from, to) = self.ends(desk)?;
        in_order(desk, from, to)?;
        has_come(desk, from)?;
        let time = TimeEntry {
            task_id: task.id(),
            started_at: from,
            ended_at: Some(to),
            day: desk.day_of(from),
            description: self.description.trim().to_owned(),
            source_entry_id: source.as_ref().map(Loaded::id),
        };
        let id = TimeEntryId::new(desk.world.ulid());
        let mut plan = Plan::about(&id);
        plan.lands_in(&task.body.category_id);
        let mut answer = shown(desk, &(&id).into(), &time);
        answer["overlaps"] = json!(overlaps(desk, &(&id).into(), &time).await?);
        plan.make(&id, time);
        if let Some(source) = source {
            plan.link(&(&id).into(), Relation::ToldIn, &source.id);
        }
        Ok(plan.answering(answer))
    }
}

impl CreateRetrospectiveTimeEntry {
    /// From when to when: both ends, or one and how long, or up to now.
    fn ends(&self, desk: &Desk) -> Result<(At, At), Error> {
        let length = self.duration.as_deref().map(words::some_minutes).transpose()?;
        let length = length.map(|minutes| i64::from(minutes) * 60_000);
        match (&self.started_at, &self.ended_at, length) {
            (Some(from), Some(to), None) => {
                let from = desk.moment(from)?;
                Ok((from, desk.moment_on(to, desk.day_of(from))?))
            }
            (Some(from), None, None) => Ok((desk.moment(from)?, desk.now())),
            (Some(from), None, Some(length)) => {
                let from = desk.moment(from)?;
                Ok((from, from.plus_millis(length)))
            }
            (None, to, Some(length)) => {
                let to = to.as_deref().map_or_else(|| Ok(desk.now()), |to| desk.moment(to))?;
                Ok((to.plus_millis(-length), to))
            }
            (_, _, None) => Err(unclear("it says neither when it began nor how long it took")),
            (Some(_), Some(_), Some(_)) => Err(unclear("it says both ends and how long besides")),
        }
    }
}

fn unclear(message: &str) -> Error {
    let hint = "say from when to when, or one of the two and how long";
    Error::refuse(Code::WrongUsage, message, hint)
}

impl Offered for CreateRetrospectiveTimeEntry {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Record time that was spent on a task. Time that overlaps is recorded all the \
                      same; the answer names what it overlaps.",
        capabilities: &[Capability::TimeWrite],
        input,
        side_effects: &[BodyType::TimeEntry],
        risk: Risk::Medium,
        ..CHANGE
    };
}

fn input() -> Value {
    schema::object(
        &[
            ("taskId", schema::id("task", "On which task.")),
            ("startedAt", schema::instant("From when; not in the future.")),
            ("endedAt", schema::instant("Until when.")),
            ("description", description()),
            ("sourceEntryId", schema::id("entry", "The entry in which it was told.")),
        ],
        &["taskId", "startedAt", "endedAt", "description"],
    )
}

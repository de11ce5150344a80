//! Starting a timer.

use serde::Deserialize;
use serde_json::Value;
use tool::{Capability, Contract};
use types::{BodyType, TimeEntry, TimeEntryId};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::fit::{description, shown};

/// Starts a timer on a task. Only one runs: time is spent once.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct StartTaskTimer {
    task_id: String,
    #[serde(default)]
    description: String,
}

impl Verb for StartTaskTimer {
    const NAME: &'static str = "start_task_timer";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let task = desk.task(&self.task_id).await?;
        // Looking first gives a better refusal; the mark that only one may bear decides.
        none_runs(desk).await?;
        // Started, stopped and started again are three things to do: the last time tells them apart.
        desk.note_last_time(&task).await?;
        let now = desk.now();
        let time = TimeEntry {
            task_id: task.id(),
            started_at: now,
            ended_at: None,
            day: desk.day_of(now),
            description: self.description.trim().to_owned(),
            source_entry_id: None,
        };
        let id = TimeEntryId::new(desk.world.ulid());
        let mut plan = Plan::about(&id);
        plan.lands_in(&task.body.category_id);
        let answer = shown(desk, &(&id).into(), &time);
        plan.make(&id, time);
        Ok(plan.answering(answer))
    }
}

/// Refuses if a timer runs. On what, only those learn who may know of it.
async fn none_runs(desk: &Desk) -> Result<(), Error> {
    let Some(running) = desk.running().await? else { return Ok(()) };
    let tasks = desk.kept_tasks([&running.body.task_id]).await?;
    let known = tasks.values().next().filter(|kept| desk.reaches(&kept.task.category_id));
    let message = match known {
        Some(kept) => format!(
            "a timer runs already since {}, on {:?} ({}): {}",
            desk.clock(running.body.started_at),
            kept.task.title,
            running.body.task_id,
            running.id
        ),
        None => "a timer runs already".to_owned(),
    };
    Err(Error::timer_runs(message))
}

impl Offered for StartTaskTimer {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Start the timer on a task; only one timer runs at a time.",
        capabilities: &[Capability::TimeWrite],
        input,
        side_effects: &[BodyType::TimeEntry],
        ..CHANGE
    };
}

fn input() -> Value {
    let task = schema::id("task", "On which task.");
    schema::object(&[("taskId", task), ("description", description())], &["taskId"])
}

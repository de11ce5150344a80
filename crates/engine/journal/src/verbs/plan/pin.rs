//! Pinning tasks to a day.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract};
use types::{BodyType, TaskId, limits};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::block::plan_date;
use super::open::OpenPlan;
use super::seen::seen;

/// Pins tasks to a day, after those that are there, and takes others off.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PinDayPlanTasks {
    plan_date: String,
    #[serde(default)]
    task_ids: Vec<String>,
    #[serde(default)]
    unpin_task_ids: Vec<String>,
}

impl Verb for PinDayPlanTasks {
    const NAME: &'static str = "pin_day_plan_tasks";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let day = desk.day(&self.plan_date)?;
        let mut open = OpenPlan::of(desk, day).await?;
        for text in &self.unpin_task_ids {
            let gone = pinned(desk, &open.plan.pinned, text).await?;
            open.plan.pinned.retain(|id| *id != gone);
        }
        for text in &self.task_ids {
            let task: TaskId = desk.task(text).await?.id();
            if !open.plan.pinned.contains(&task) {
                open.plan.pinned.push(task);
            }
        }
        let plan = open.written();
        let answer = seen(desk, &open.plan).await?;
        Ok(plan.answering(answer))
    }
}

/// The task that a text names. One that was removed can still be taken off the plan.
async fn pinned(desk: &mut Desk, pinned: &[TaskId], text: &str) -> Result<TaskId, Error> {
    let short = text.len() >= 4 && desk.is_operator();
    let named = |id: &&TaskId| id.as_str() == text || (short && id.as_str().ends_with(text));
    let kept = desk.kept_tasks(pinned.iter().filter(named)).await?;
    match kept.into_iter().find(|(_, kept)| kept.removed) {
        Some((id, kept)) => {
            desk.touch(&id, kept.revision, Some(&kept.task.category_id));
            Ok(id)
        }
        None => Ok(desk.task(text).await?.id()),
    }
}

impl Offered for PinDayPlanTasks {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Pin tasks to a day, to be done at whatever hour, and take others off.",
        capabilities: &[Capability::DayPlanWrite],
        input,
        side_effects: &[BodyType::DayPlan],
        data_minimization: "in_scope_records_only",
        ..CHANGE
    };
}

fn input() -> Value {
    let tasks = |description: &str| {
        let (items, max) = (schema::id("task", description), limits::PLAN_PINS_MAX);
        json!({ "type": "array", "items": items, "maxItems": max })
    };
    schema::object(
        &[
            ("planDate", plan_date()),
            ("taskIds", tasks("A task to pin.")),
            ("unpinTaskIds", tasks("A task to take off.")),
        ],
        &["planDate", "taskIds"],
    )
}

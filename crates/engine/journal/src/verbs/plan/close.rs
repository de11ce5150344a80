//! Closing a day.

use serde::Deserialize;
use serde_json::json;
use types::{Code, Day, DayPlan, TaskId};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;

use super::open::{OpenPlan, closed};
use super::seen::seen;

/// Closes a day: its plan stays as it is. What was pinned and is still open can be pinned to a later
/// day in the same go; it also stays on the closed one, which tells what was meant to be done.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CloseDay {
    plan_date: String,
    #[serde(default)]
    note: Option<String>,
    /// A later day, or `next` for the day after.
    #[serde(default)]
    carry_pins_to: Option<String>,
}

impl Verb for CloseDay {
    const NAME: &'static str = "close_day";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let day = desk.day(&self.plan_date)?;
        let place = desk.plan(day).await?;
        let was = place.body.clone().unwrap_or_else(|| DayPlan::empty(day));
        let mut plan = Plan::about(place.id.clone());
        let mut carried = Vec::new();
        let mut to = was.clone();
        match (was.closed_at, &self.note, &self.carry_pins_to) {
            // It is as it should be already.
            (Some(_), None, None) => {}
            (Some(_), _, _) => return Err(closed(day)),
            (None, note, carry) => {
                to.closed_at = Some(desk.now());
                to.note = note.as_ref().map_or(was.note, |note| note.trim().to_owned());
                if let Some(text) = carry {
                    let later = later(desk, day, text)?;
                    carried = carry_over(desk, &mut plan, &to, later).await?;
                }
                plan.put(&place, to.clone());
            }
        }
        let mut answer = seen(desk, &to).await?;
        answer["carried"] = json!(carried);
        Ok(plan.answering(answer))
    }
}

/// The day that a text names, which must come after another.
fn later(desk: &Desk, day: Day, text: &str) -> Result<Day, Error> {
    let found = match text.trim() {
        "next" => rules::day::shifted(day, 1),
        text => Some(desk.day(text)?),
    };
    found.filter(|found| *found > day).ok_or_else(|| {
        let message = format!("{text:?} is not after {day}");
        Error::refuse(Code::BadTime, message, "carry what is open to a later day")
    })
}

/// Pins the open ones among the tasks of a plan to a later day.
async fn carry_over(
    desk: &mut Desk,
    plan: &mut Plan,
    from: &DayPlan,
    later: Day,
) -> Result<Vec<TaskId>, Error> {
    let tasks = desk.kept_tasks(&from.pinned).await?;
    let is_open = |id: &&TaskId| {
        tasks.get(id).is_some_and(|kept| !kept.removed && !kept.task.status.is_closed())
    };
    let open: Vec<TaskId> = from.pinned.iter().filter(is_open).cloned().collect();
    if open.is_empty() {
        return Ok(open);
    }
    let OpenPlan { place, plan: mut to } = OpenPlan::of(desk, later).await?;
    let coming = open.iter().filter(|id| !to.pinned.contains(id)).cloned().collect::<Vec<_>>();
    to.pinned.extend(coming);
    plan.put(&place, to);
    Ok(open)
}

//! A plan that may be changed.

use types::{Code, Day, DayPlan};

use crate::Error;
use crate::desk::{Desk, Place};
use crate::plan::Plan;

/// The plan of a day, being changed.
pub(crate) struct OpenPlan {
    /// As it was found.
    pub(crate) place: Place<DayPlan>,
    /// As it will be.
    pub(crate) plan: DayPlan,
}

impl OpenPlan {
    /// The plan of a day that is not closed; an empty one, if there is none yet.
    pub(crate) async fn of(desk: &mut Desk, day: Day) -> Result<OpenPlan, Error> {
        let place = desk.plan(day).await?;
        let plan = place.body.clone().unwrap_or_else(|| DayPlan::empty(day));
        match plan.closed_at {
            None => Ok(OpenPlan { place, plan }),
            Some(_) => Err(closed(day)),
        }
    }

    /// What it takes to write it, its blocks in the order of the day. A day on which there is still
    /// nothing gets no plan by that.
    pub(crate) fn written(&mut self) -> Plan {
        self.plan.blocks.sort_by(|a, b| (a.starts_at, &a.id).cmp(&(b.starts_at, &b.id)));
        let mut plan = Plan::about(self.place.id.clone());
        if self.place.body.is_some() || self.plan != DayPlan::empty(self.plan.day) {
            plan.put(&self.place, self.plan.clone());
        }
        plan
    }
}

/// The day is closed.
pub(crate) fn closed(day: Day) -> Error {
    let message = format!("the day {day} is closed");
    Error::refuse(Code::DayClosed, message, format!("`dormouse plan reopen {day}` opens it again"))
        .for_agents("only the person opens it again")
}

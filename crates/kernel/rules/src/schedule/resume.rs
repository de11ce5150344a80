//! Going on after a pause.

use types::{
    Arming, At, Occurrence, Schedule, ScheduleId, ScheduleTrigger, SlotName, TriggerSource,
};

use super::arm::{armed, passed};
use super::error::ScheduleError;
use super::overlap::{Desk, Span};
use super::plan::{Due, Plan};

/// What becomes of a schedule that goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resumed {
    /// Where its clock stands now.
    pub clock: Arming,
    /// Whether nothing more comes: its last slot passed during the pause.
    pub over: bool,
    /// The record of the slot that a one-shot was to have and can have no more.
    pub missed: Option<Occurrence>,
}

/// Lets a schedule go on from now, on a host of this zone. What passed during the pause is not made up for; a
/// one-shot has the next slot instead, if there is one.
///
/// # Errors
/// If its pattern or zone makes no sense.
pub fn resumed(
    id: &ScheduleId,
    schedule: &Schedule,
    last_slot: Option<SlotName>,
    local_zone: &str,
    now: At,
) -> Result<Resumed, ScheduleError> {
    let plan = Plan::compile(schedule, local_zone)?;
    let promised = plan.next(last_slot.as_ref());
    let clock = armed(id, schedule, passed(&plan, last_slot, now), local_zone)?;
    let source = match schedule.trigger {
        ScheduleTrigger::Cron => TriggerSource::CronTick,
        ScheduleTrigger::Interval => TriggerSource::IntervalTick,
        // It has no slots that could pass.
        ScheduleTrigger::Event { .. } => return Ok(Resumed { clock, over: false, missed: None }),
    };
    if plan.next(clock.last_slot.as_ref()).is_some() {
        return Ok(Resumed { clock, over: false, missed: None });
    }
    let miss = |due: Due| {
        let mut desk = Desk::new(schedule, id, now, false);
        desk.miss(Span::one(due.slot, due.at), source);
        desk.into_only().occurrence
    };
    let missed = promised.filter(|_| schedule.auto_disable_after_run).map(miss);
    Ok(Resumed { clock: Arming { next_at: None, local_zone: None, ..clock }, over: true, missed })
}

#[cfg(test)]
#[path = "resume_tests.rs"]
mod tests;

//! Occurrences that no clock brings about: somebody asks for one, or a change does.

use types::{
    At, Digest, Schedule, ScheduleId, ScheduleStatus, ScheduleTrigger, SlotName, TriggerSource,
};

use super::arm::has_begun;
use super::error::ScheduleError;
use super::overlap::{Desk, Fired, Span};
use super::status::is_over;
use crate::run_key::Cause;

/// One occurrence now, because somebody asks under this request. It leaves the slots alone, and
/// the overlap policy holds for it too.
///
/// # Errors
/// If the schedule is neither active nor paused.
pub fn manual(
    schedule: &Schedule,
    id: &ScheduleId,
    request: &str,
    now: At,
    in_flight: bool,
) -> Result<Fired, ScheduleError> {
    refuse_over(schedule)?;
    // One request may ask for several schedules of the same agent.
    let request_here = format!("{id}:{request}");
    let slot = manual_slot(request);
    let cause = Cause::Manual { request: &request_here };
    let mut desk = Desk::new(schedule, id, now, in_flight);
    desk.run(Span::one(slot, now), TriggerSource::Manual, &cause);
    Ok(desk.into_only())
}

/// The name of what somebody asks for under a request: the same request again is known by it.
#[must_use]
pub fn manual_slot(request: &str) -> SlotName {
    SlotName::named(format!("manual:{request}"))
}

/// Refuses a schedule that is over: nobody's word makes it run.
///
/// # Errors
/// If it is neither active nor paused.
pub fn refuse_over(schedule: &Schedule) -> Result<(), ScheduleError> {
    let status = schedule.status;
    if is_over(status) { Err(ScheduleError::NotTriggerable { status }) } else { Ok(()) }
}

/// One occurrence now, because of a change that the schedule listens for. Whether it carries one
/// of its tokens is for the caller to know.
///
/// # Errors
/// If the schedule is not active, does not listen for events, has not begun or is over, or is a
/// one-shot that has fired.
pub fn event(
    schedule: &Schedule,
    id: &ScheduleId,
    change: Digest,
    now: At,
    in_flight: bool,
) -> Result<Fired, ScheduleError> {
    let status = schedule.status;
    if status != ScheduleStatus::Active {
        return Err(ScheduleError::NotTriggerable { status });
    }
    if !matches!(schedule.trigger, ScheduleTrigger::Event { .. }) {
        return Err(ScheduleError::NotByEvent);
    }
    if !has_begun(schedule, now, now) || schedule.ends_at.is_some_and(|ends_at| now > ends_at) {
        return Err(ScheduleError::OutsideItsTime { at: now });
    }
    if schedule.auto_disable_after_run && in_flight {
        return Err(ScheduleError::AlreadyFired);
    }
    let slot = SlotName::named(format!("event:{change}"));
    let span = Span::one(slot.clone(), now);
    let cause = Cause::Timer { timer: id.as_str(), slot: slot.as_str() };
    let mut desk = Desk::new(schedule, id, now, in_flight);
    desk.run(span, TriggerSource::Event, &cause);
    Ok(desk.into_only())
}

#[cfg(test)]
#[path = "on_demand_tests.rs"]
mod tests;

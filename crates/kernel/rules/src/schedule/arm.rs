//! Where a schedule's clock is set.

use types::{Arming, At, Schedule, ScheduleId, ScheduleStatus, SlotName};

use crate::planted::{self, Fault};

use super::error::ScheduleError;
use super::plan::Plan;
use super::zone::LOCAL;

/// Slots that were dealt with and lie further ahead than this were dealt with by a clock that was wrong. What
/// lies less far ahead stays dealt with: a clock that is set back a little, or a host that travels, makes no
/// slot come twice.
pub const AHEAD_MAX_MS: i64 = 24 * 60 * 60 * 1_000;

/// The beginning of 2026. A clock that shows an earlier time is itself the one that is wrong, as that of a machine
/// may be which has just come up: nothing is brought back by it.
pub const NO_EARLIER: At = At::from_millis(1_767_225_600_000);

/// The clock of a schedule after a slot, on a host of this zone.
///
/// # Errors
/// If its pattern or zone makes no sense.
pub fn armed(
    id: &ScheduleId,
    schedule: &Schedule,
    last_slot: Option<SlotName>,
    local_zone: &str,
) -> Result<Arming, ScheduleError> {
    let next = Plan::compile(schedule, local_zone)?.next(last_slot.as_ref());
    let active = schedule.status == ScheduleStatus::Active;
    // One that goes by changes has no slots, and yet an end: a look then lets it expire.
    let ends = schedule.ends_at.map(|at| at.plus_millis(1));
    let next_at = next.map(|due| due.at).or(ends).filter(|_| active);
    let by_local = schedule.zone == LOCAL && next_at.is_some();
    Ok(Arming {
        schedule: id.clone(),
        agent: schedule.agent_id.clone(),
        last_slot,
        next_at,
        local_zone: by_local.then(|| local_zone.to_owned()),
    })
}

/// The last slot that counts as dealt with when a schedule goes on after a pause.
pub(super) fn passed(plan: &Plan, last_slot: Option<SlotName>, now: At) -> Option<SlotName> {
    // A clock that was far ahead has dealt with slots that are still to come: they come all the same.
    let dealt_with = last_slot.filter(|slot| !is_far_ahead(plan, slot, now));
    // What passed during the pause was not missed: it was not to be had.
    dealt_with.max(newest(plan, now))
}

/// A schedule that a wrong clock took far ahead, as it goes on from now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BroughtBack {
    /// What it says now; absent if that stays as it is.
    pub schedule: Option<Schedule>,
    /// Where its clock stands now.
    pub clock: Arming,
}

/// What becomes of a schedule whose clock was set by one that was far ahead: it comes round sooner, if by the
/// right time it does. Absent if its clock may stand as it stands.
///
/// # Errors
/// If its pattern or zone makes no sense.
pub fn brought_back(
    stands: &Arming,
    schedule: &Schedule,
    local_zone: &str,
    now: At,
) -> Result<Option<BroughtBack>, ScheduleError> {
    if now < NO_EARLIER || planted::is(Fault::ClockNotBroughtBack) {
        return Ok(None);
    }
    let anew = begun_anew(schedule, now);
    let schedule = anew.as_ref().unwrap_or(schedule);
    let plan = Plan::compile(schedule, local_zone)?;
    let last_slot = match &stands.last_slot {
        // Up to now everything was dealt with on the way to the slot that lies ahead.
        Some(slot) if is_far_ahead(&plan, slot, now) => passed(&plan, None, now),
        // It was put off only: what has come since is still to be dealt with.
        near => near.clone(),
    };
    let clock = armed(&stands.schedule, schedule, last_slot, local_zone)?;
    let sooner = clock.next_at.is_some_and(|at| stands.next_at.is_none_or(|was| at < was));
    Ok(sooner.then_some(BroughtBack { schedule: anew, clock }))
}

/// A schedule that was made by a clock which was far ahead, beginning now; absent if its start may stand. Nobody
/// asks for a start: each is the time that the clock showed when the schedule was made.
#[must_use]
pub fn begun_anew(schedule: &Schedule, now: At) -> Option<Schedule> {
    let wrong = now >= NO_EARLIER && starts_far_ahead(schedule, now);
    wrong.then(|| Schedule { starts_at: now, ..schedule.clone() })
}

/// Whether what happens at a time comes after a schedule was made, as far as the clock can tell.
#[must_use]
pub fn has_begun(schedule: &Schedule, at: At, now: At) -> bool {
    // It is there now, so a start that lies far ahead says nothing.
    at >= schedule.starts_at || starts_far_ahead(schedule, now)
}

fn starts_far_ahead(schedule: &Schedule, now: At) -> bool {
    schedule.starts_at > now.plus_millis(AHEAD_MAX_MS)
}

fn is_far_ahead(plan: &Plan, slot: &SlotName, now: At) -> bool {
    Some(slot) > newest(plan, now.plus_millis(AHEAD_MAX_MS)).as_ref()
}

fn newest(plan: &Plan, at: At) -> Option<SlotName> {
    plan.newest(at).map(|due| due.slot)
}

#[cfg(test)]
#[path = "arm_tests.rs"]
mod tests;

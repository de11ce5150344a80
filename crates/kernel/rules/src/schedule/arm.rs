//! Where a schedule's clock is set.

use types::{Arming, At, Schedule, ScheduleId, ScheduleStatus, SlotName};

use super::error::ScheduleError;
use super::plan::Plan;
use super::zone::LOCAL;

/// Slots that were dealt with and lie further ahead than this were dealt with by a clock that was wrong. What
/// lies less far ahead stays dealt with: a clock that is set back a little, or a host that travels, makes no
/// slot come twice.
pub const AHEAD_MAX_MS: i64 = 24 * 60 * 60 * 1_000;

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

/// The clock of a schedule whose last slot no right clock can have dealt with yet, set to what comes next
/// from now on; absent if its clock may stand as it stands.
///
/// # Errors
/// If its pattern or zone makes no sense.
pub fn brought_back(
    id: &ScheduleId,
    schedule: &Schedule,
    last_slot: Option<SlotName>,
    local_zone: &str,
    now: At,
) -> Result<Option<Arming>, ScheduleError> {
    // Long before it was made: the clock is behind now, and was not ahead then.
    if schedule.starts_at > now.plus_millis(AHEAD_MAX_MS) {
        return Ok(None);
    }
    let plan = Plan::compile(schedule, local_zone)?;
    if !last_slot.as_ref().is_some_and(|slot| is_far_ahead(&plan, slot, now)) {
        return Ok(None);
    }
    // Up to now everything was dealt with on the way to the slot that lies ahead.
    armed(id, schedule, passed(&plan, last_slot, now), local_zone).map(Some)
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

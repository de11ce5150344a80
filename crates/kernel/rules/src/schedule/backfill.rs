//! The slots of a past range, for somebody who wants them run after all.

use types::{At, Occurrence, OccurrenceState, Schedule, ScheduleId, SlotName, TriggerSource};

use super::error::ScheduleError;
use super::overlap::{Desk, Fired, Span};
use super::plan::{Due, Plan};
use crate::run_key::Cause;

/// Slots that one request may ask for.
pub const BACKFILL_SLOTS_MAX: u64 = 100;

/// A stretch of the past that is to be made up for, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Stretch<'a> {
    /// Which schedule.
    pub id: &'a ScheduleId,
    /// What it says.
    pub schedule: &'a Schedule,
    /// The same, compiled for the zone of today.
    pub plan: &'a Plan,
    /// Where the stretch begins, included.
    pub from: At,
    /// Where it ends, included; what is still to come is not made up for.
    pub to: At,
    /// The instant of the request.
    pub now: At,
    /// The newest of what became of the schedule's slots.
    pub known: &'a [Occurrence],
    /// There are older ones, which are not among them.
    pub more: bool,
}

/// The slots of a stretch of which nothing came, oldest first. Somebody wants every one of them, so no
/// overlap policy holds for them, and the clock's own slots stay as they are.
///
/// # Errors
/// If there are more than [`BACKFILL_SLOTS_MAX`], or some of which nobody knows what came of them.
pub fn backfill(stretch: &Stretch<'_>) -> Result<Vec<Fired>, ScheduleError> {
    let to = stretch.to.min(stretch.now);
    let slots = slots(stretch.plan, stretch.from, to)?;
    if stretch.more {
        refuse_unknown(&slots, stretch.known, to)?;
    }
    let open = slots.iter().filter(|due| !has_run(&due.slot, stretch.known));
    Ok(open.map(|due| made_up_for(stretch, due)).collect())
}

/// Refuses a stretch that runs backwards.
///
/// # Errors
/// If it ends before it begins.
pub fn refuse_backwards(from: At, to: At) -> Result<(), ScheduleError> {
    if to < from { Err(ScheduleError::Backwards { from, to }) } else { Ok(()) }
}

/// The slots from one instant to another, both included, oldest first.
fn slots(plan: &Plan, from: At, to: At) -> Result<Vec<Due>, ScheduleError> {
    let first = plan.next_after_instant(from.plus_millis(-1)).filter(|slot| slot.at <= to);
    let (Some(first), Some(last)) = (first, plan.newest(to)) else {
        return Ok(vec![]);
    };
    let (found_at_least, max) = (plan.count(&first.slot, &last.slot), BACKFILL_SLOTS_MAX);
    if found_at_least > max {
        return Err(ScheduleError::TooManySlots { found_at_least, max });
    }
    let all = std::iter::successors(Some(first), |slot| plan.next(Some(&slot.slot)));
    Ok(all.take_while(|slot| slot.at <= to).collect())
}

/// Refuses slots from before all that is known: something may have come of them, and none may run twice.
fn refuse_unknown(slots: &[Due], known: &[Occurrence], to: At) -> Result<(), ScheduleError> {
    let came_round = known.iter().filter(|one| one.source != TriggerSource::Manual);
    let oldest = came_round.map(|one| one.due_at).min().unwrap_or(to);
    match slots.first() {
        Some(first) if first.at < oldest => Err(ScheduleError::TooFarBack { oldest }),
        _ => Ok(()),
    }
}

/// Whether something came of a slot, at its time or by hand.
fn has_run(slot: &SlotName, known: &[Occurrence]) -> bool {
    let by_hand = name_by_hand(slot);
    known.iter().any(|one| {
        let within = one.first_slot <= *slot && *slot <= one.last_slot;
        one.state != OccurrenceState::Missed && (within || one.last_slot == by_hand)
    })
}

/// The name under which a slot is made up for by hand.
fn name_by_hand(slot: &SlotName) -> SlotName {
    SlotName::named(format!("backfill:{slot}"))
}

fn made_up_for(stretch: &Stretch<'_>, due: &Due) -> Fired {
    let slot = name_by_hand(&due.slot);
    let span = Span::one(slot.clone(), due.at);
    let cause = Cause::CatchUp { timer: stretch.id.as_str(), last_slot: slot.as_str() };
    let mut desk = Desk::new(stretch.schedule, stretch.id, stretch.now, false);
    desk.run(span, TriggerSource::Manual, &cause);
    desk.into_only()
}

#[cfg(test)]
#[path = "backfill_tests.rs"]
mod tests;

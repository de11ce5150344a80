//! The slots of a past range, for somebody who wants them run after all.

use types::At;

use super::error::ScheduleError;
use super::plan::{Due, Plan};

/// Slots that one request may ask for.
pub const BACKFILL_SLOTS_MAX: u64 = 100;

/// The slots from one instant to another, both included, oldest first.
///
/// # Errors
/// If there are more than `limit` or more than [`BACKFILL_SLOTS_MAX`].
pub fn backfill(plan: &Plan, from: At, to: At, limit: u64) -> Result<Vec<Due>, ScheduleError> {
    let max = limit.min(BACKFILL_SLOTS_MAX);
    let first = plan.next_after_instant(from.plus_millis(-1)).filter(|slot| slot.at <= to);
    let (Some(first), Some(last)) = (first, plan.newest(to)) else {
        return Ok(vec![]);
    };
    let found_at_least = plan.count(&first.slot, &last.slot);
    if found_at_least > max {
        return Err(ScheduleError::TooManySlots { found_at_least, max });
    }
    let all = std::iter::successors(Some(first), |slot| plan.next(Some(&slot.slot)));
    Ok(all.take_while(|slot| slot.at <= to).collect())
}

#[cfg(test)]
#[path = "backfill_tests.rs"]
mod tests;

//! Whether a schedule makes sense, asked before it is kept.

use types::{Schedule, ScheduleTrigger};

use super::due::CATCH_UP_RUNS_MAX;
use super::error::ScheduleError;
use super::plan::Plan;
use super::zone::LOCAL;

/// Checks what a record cannot check of itself: that its pattern can be read and comes at all, that
/// its zone exists, and that it does not end before its first slot.
///
/// # Errors
/// The first thing that makes no sense.
pub fn validate(schedule: &Schedule) -> Result<(), ScheduleError> {
    let asked = schedule.catch_up.runs_max;
    if asked > CATCH_UP_RUNS_MAX {
        return Err(ScheduleError::TooManyRuns { asked, max: CATCH_UP_RUNS_MAX });
    }
    let endless = Schedule { ends_at: None, ..schedule.clone() };
    let by_time = !matches!(schedule.trigger, ScheduleTrigger::Event { .. });
    if by_time && Plan::compile(&endless, "UTC")?.next(None).is_none() {
        return Err(ScheduleError::NeverComes { pattern: pattern(schedule) });
    }
    let first = Plan::compile(schedule, "UTC")?.next(None);
    // What `local` will be is not known here, and it decides by up to a day when a slot comes.
    let certain = by_time && schedule.zone != LOCAL;
    match schedule.ends_at {
        Some(ends_at) if ends_at <= schedule.starts_at || certain && first.is_none() => {
            Err(ScheduleError::EndsTooSoon { ends_at })
        }
        _ => Ok(()),
    }
}

fn pattern(schedule: &Schedule) -> String {
    match (&schedule.trigger, &schedule.recurrence.cron) {
        (ScheduleTrigger::Cron, Some(line)) => line.clone(),
        _ => {
            let seconds = schedule.recurrence.interval_seconds.unwrap_or_default();
            format!("every {seconds} seconds")
        }
    }
}

#[cfg(test)]
#[path = "validate_tests.rs"]
mod tests;

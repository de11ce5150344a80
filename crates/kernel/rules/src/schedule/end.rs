//! The end of a schedule: who waited for it, its clock, its record.

use types::{ArmMove, Record, RecordDraft, RecordId, Schedule, WaitState, Write};

use super::status::{NoSuchStep, ScheduleEvent, is_over, step};
use crate::wait;

/// How a schedule ends, and what ends with it.
#[derive(Debug, Clone, PartialEq)]
pub struct End {
    /// By what.
    pub event: ScheduleEvent,
    /// How its clock stops; absent if it has none.
    pub clock: Option<ArmMove>,
    /// The open waits that it leaves without their source.
    pub waits: Vec<Record>,
    /// What those who wait are told.
    pub why: &'static str,
}

/// What ends a schedule, in whatever way.
///
/// # Errors
/// If a schedule that stands there has no such end.
pub fn ends(
    id: impl Into<RecordId>,
    schedule: Schedule,
    end: End,
) -> Result<Vec<Write>, NoSuchStep> {
    let End { event, clock, waits, why } = end;
    let from = schedule.status;
    let status = step(from, event)?;
    if !is_over(status) {
        return Err(NoSuchStep { from, event });
    }
    let mut writes = wait::all_end(waits, &WaitState::Broken { why: why.to_owned() });
    writes.extend(clock.map(Write::Arm));
    writes.push(Write::Record(RecordDraft::live(id, Schedule { status, ..schedule })));
    Ok(writes)
}

#[cfg(test)]
#[path = "end_tests.rs"]
mod tests;

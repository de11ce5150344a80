//! The names of this room's commits: the simulator crashes before and after every one of them.

/// Queues the wakes of changes and moves the matcher's cursor.
pub(crate) const MATCH: &str = "wake.match";
/// Brings a schedule round: its occurrences, their runs, its clock.
pub(crate) const FIRE: &str = "wake.fire";
/// Ends a wait, and wakes who waited.
pub(crate) const WAIT: &str = "wake.wait";
/// Begins a run.
pub(crate) const BEGIN: &str = "wake.begin";
/// Gates a queued run.
pub(crate) const GATE: &str = "wake.gate";
/// Ends a run that never began: skipped, or nothing to do.
pub(crate) const SKIP: &str = "wake.skip";
/// Ends a run that began.
pub(crate) const END: &str = "wake.end";
/// Raises the journal's fence before a run is tried again, or mends one.
pub(crate) const FENCE: &str = "wake.fence";
/// Puts a run back into the queue.
pub(crate) const RETRY: &str = "wake.retry";
/// Lets runs that wait for a time be judged anew.
pub(crate) const REOPEN: &str = "wake.reopen";
/// Lets go of old changes.
pub(crate) const TRIM: &str = "wake.trim";
/// Creates or changes a schedule.
pub(crate) const SCHEDULE: &str = "wake.schedule";

/// Every one.
pub const STEPS: &[&str] =
    &[MATCH, FIRE, WAIT, BEGIN, GATE, SKIP, END, FENCE, RETRY, REOPEN, TRIM, SCHEDULE];

//! The names of this room's commits: the simulator crashes before and after every one of them.

/// Writes down that something is about to be done.
pub(crate) const INTEND: &str = "tool.intend";
/// Writes down that calls were stopped.
pub(crate) const DENY: &str = "tool.deny";
/// Changes the journal.
pub(crate) const EFFECT: &str = "tool.effect";
/// Writes down what came of it, where that is too much for the commit of whoever called.
pub(crate) const RECORD: &str = "tool.record";
/// Asks the journal for what may be on its way.
pub(crate) const ASK: &str = "tool.ask";
/// Writes down what was found to have been done.
pub(crate) const SETTLE: &str = "tool.settle";

/// Every one.
pub const STEPS: &[&str] = &[INTEND, DENY, EFFECT, RECORD, ASK, SETTLE];

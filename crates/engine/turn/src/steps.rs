//! The names of this room's commits: the simulator crashes before and after every one of them.

/// Writes down what a model answered where its calls leave nothing of their own to write first.
pub(crate) const PLAN: &str = "turn.plan";
/// Settles what a call that failed had set aside, and writes what earlier ones have left.
pub(crate) const SETTLE: &str = "turn.settle";

/// Every one.
pub const STEPS: &[&str] = &[PLAN, SETTLE];

/// The workflow that every turn follows today, and its version: a turn that began under one ends under
/// it.
pub(crate) const WORKFLOW: &str = "turn";
/// See [`WORKFLOW`].
pub(crate) const VERSION: u32 = 1;

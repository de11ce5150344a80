//! The names of this room's commits: the simulator crashes before and after every one of them.

/// Writes down what a model answered, together with what the calls of earlier answers have left.
pub(crate) const PLAN: &str = "turn.plan";
/// Settles what a call that failed had set aside, and writes what earlier ones have left.
pub(crate) const SETTLE: &str = "turn.settle";

/// Every one.
pub const STEPS: &[&str] = &[PLAN, SETTLE];

//! The names of this room's commits: the simulator crashes before and after every one of them.

/// Creates an agent.
pub(crate) const CREATE: &str = "fleet.create";
/// Raises or opens a fence of the journal.
pub(crate) const FENCE: &str = "fleet.fence";
/// Moves an agent to another stage of life, with its fence and its runs.
pub(crate) const LIFE: &str = "fleet.life";
/// Throws or lifts the kill switch.
pub(crate) const KILL: &str = "fleet.kill";
/// Changes what an agent listens for.
pub(crate) const SUBSCRIBE: &str = "fleet.subscribe";

/// Every one.
pub const STEPS: &[&str] = &[CREATE, FENCE, LIFE, KILL, SUBSCRIBE];

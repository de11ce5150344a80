//! The names of this room's commits: the simulator crashes before and after every one of them.

/// Starts a session.
pub(crate) const START: &str = "sessions.start";
/// Starts a session that goes on from another.
pub(crate) const CONTINUE: &str = "sessions.continue";
/// Ends a session, or breaks it off.
pub(crate) const OVER: &str = "sessions.over";
/// Keeps what the operator says about the common ground.
pub(crate) const GROUND: &str = "sessions.ground";

/// Every one.
pub const STEPS: &[&str] = &[START, CONTINUE, OVER, GROUND];

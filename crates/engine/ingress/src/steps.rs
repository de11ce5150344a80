//! The names of this room's commits: the simulator crashes before and after every one of them.

/// Admits an envelope and queues its run.
pub(crate) const ADMIT: &str = "ingress.admit";
/// Queues a wake that somebody asked for.
pub(crate) const WAKE: &str = "ingress.wake";
/// Keeps a hint and queues its tick.
pub(crate) const HINT: &str = "ingress.hint";
/// Provides or revokes a trigger.
pub(crate) const TRIGGER: &str = "ingress.trigger";

/// Every one.
pub const STEPS: &[&str] = &[ADMIT, WAKE, HINT, TRIGGER];

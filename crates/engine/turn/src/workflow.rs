//! The workflows that turns follow, and in which version.

use types::WakeReason;

/// The version of both workflows: a turn that began under one ends under it.
pub(crate) const VERSION: u32 = 1;

/// The workflow that a turn follows: who was spoken to answers in a session, who woke by itself looks
/// after what changed. Both are the one driver; a session has words to classify, a thread to go on from
/// and common ground to add to.
pub(crate) const fn workflow(reason: WakeReason) -> &'static str {
    match reason {
        WakeReason::UserInitiated => SESSION,
        _ => ALONE,
    }
}

const SESSION: &str = "session";
const ALONE: &str = "turn";

/// Whether this program has a workflow in a version.
pub(crate) fn is_known(workflow: &str, version: u32) -> bool {
    [SESSION, ALONE].contains(&workflow) && version == VERSION
}

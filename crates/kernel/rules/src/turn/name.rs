//! Names that follow from a run: a turn that is taken up again writes the same records.

use types::{MessageId, RecordId, RunKey, TurnId, limits};

use crate::hash;

/// The turn of a run.
#[must_use]
pub fn id(run: &RunKey) -> TurnId {
    TurnId::from_family(&run.0, &hash::fields(["turn", &run.to_string()]))
}

/// What the model said in a round of a run, from 0.
#[must_use]
pub fn round_id(run: &RunKey, round: u32) -> MessageId {
    message_id(run, "round", &round.to_string())
}

/// What somebody said to wake the agent. If that was thrown into a turn under way, the message is one of
/// that turn's.
#[must_use]
pub fn said_id(run: &RunKey) -> MessageId {
    message_id(run, "said", "")
}

/// The message that says how an attempt at a run failed.
#[must_use]
pub fn failed_id(run: &RunKey, attempt: u32) -> MessageId {
    message_id(run, "failed", &attempt.to_string())
}

/// The same for the first attempts at a run, the newest first; as many as one read gives.
#[must_use]
pub fn failed_ids(run: &RunKey, attempts: u32) -> Vec<RecordId> {
    let newest = (0..attempts).rev().take(limits::ROWS_PER_READ_MAX);
    newest.map(|attempt| failed_id(run, attempt).into()).collect()
}

/// Any other message of a run.
#[must_use]
pub fn message_id(run: &RunKey, what: &str, which: &str) -> MessageId {
    let own = hash::fields(["message", &run.to_string(), what, which]);
    MessageId::from_family(&run.0, &own)
}

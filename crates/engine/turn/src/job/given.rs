//! What a turn found when it began. It goes by that to its end.

use types::{At, ContentRef, MessageId, Record, TaskId};

/// What a turn was given besides its prompt.
pub(crate) struct Given {
    /// When it first began.
    pub(crate) began_at: At,
    /// When this attempt did.
    pub(crate) taken_up_at: At,
    /// The task that its agent tends.
    pub(crate) task: Option<TaskId>,
    /// That lies in a category that the agent may not look into.
    pub(crate) out_of_sight: bool,
    /// The agent's state.
    pub(crate) state: Option<Record>,
    /// Tokens that prompt and answer may have together in its session.
    pub(crate) capacity: Option<u64>,
    /// The words it was woken by.
    pub(crate) input: Option<ContentRef>,
    /// What those belong to, as whoever spoke called it; or the run.
    pub(crate) correlation: Option<String>,
    /// The message before its first.
    pub(crate) previous: Option<MessageId>,
}

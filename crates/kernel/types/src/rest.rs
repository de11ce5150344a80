//! Rest: what this host remembers of an agent's sleep, and of how often it woke.

use serde::{Deserialize, Serialize};

use crate::{AgentId, At, WakeReason};

/// Why an agent went back to sleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestReason {
    /// It looked and there was nothing to do.
    NothingToDo,
    /// It did what there was to do.
    Done,
    /// It waits for something; its waits say for what.
    Waiting,
    /// It failed; the run log says how.
    Failed,
}

impl RestReason {
    /// The reason as it is shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            RestReason::NothingToDo => "nothing_to_do",
            RestReason::Done => "done",
            RestReason::Waiting => "waiting",
            RestReason::Failed => "failed",
        }
    }
}

/// An agent's sleep on this host: since when, why, and what woke it last. Its one writer is
/// whoever runs the agent, and there is one of those at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rest {
    /// Whose.
    pub agent_id: AgentId,
    /// What woke it last.
    pub last_wake_reason: WakeReason,
    /// Since when it sleeps.
    pub slept_at: At,
    /// When it last looked, if that was noted: what came to pass since by the clock alone it has not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked_at: Option<At>,
    /// Why.
    pub why: RestReason,
    /// What is expected to wake it next, if anything is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expects: Option<String>,
    /// When its own wakes began, the last hour's, oldest first: what its pace is judged by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<At>,
}

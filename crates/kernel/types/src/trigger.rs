//! External triggers: the right to wake one agent from outside, and the hints that come that way.

use serde::{Deserialize, Serialize};

use crate::{AgentId, At, ContentRef, TriggerId};

/// Whether a trigger still wakes anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerStatus {
    /// It does.
    Active,
    /// It was taken back; it stays for the audit.
    Revoked,
}

impl TriggerStatus {
    /// The status as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TriggerStatus::Active => "active",
            TriggerStatus::Revoked => "revoked",
        }
    }
}

/// The right to wake one agent from outside. There is one per agent; it wakes and carries no
/// message, belongs to no work and no wait, and ends only when it is revoked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalTrigger {
    /// Whom it wakes.
    pub agent_id: AgentId,
    /// Whether it does.
    pub status: TriggerStatus,
}

/// A signal from outside that an agent should look: what is kept of it until the agent has looked.
/// Later ones of the same trigger take its place, so a burst is one look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// To whom.
    pub agent: AgentId,
    /// Through which trigger.
    pub trigger: TriggerId,
    /// When the latest came.
    pub at: At,
    /// How many came since the agent last looked.
    pub count: u64,
    /// Who sent it, as it says.
    pub source: Option<String>,
    /// The kind of its payload, as it says.
    pub content_type: Option<String>,
    /// Its payload, in `contents`; a hint without one says only "look".
    pub payload: Option<ContentRef>,
    /// What belongs together across a workflow.
    pub correlation_id: Option<String>,
    /// What caused it.
    pub causation_id: Option<String>,
}

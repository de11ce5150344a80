//! Dialog acts: what somebody means by speaking.

use serde::{Deserialize, Serialize};

use crate::{Digest, ModelRef, TurnSpent};

/// What an utterance is for. The list is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DialogAct {
    /// Tells something.
    Inform,
    /// Asks for something.
    Request,
    /// Says that something is so.
    Confirm,
    /// Asks what was meant.
    Clarify,
    /// Agrees.
    Accept,
    /// Refuses.
    Reject,
}

impl DialogAct {
    /// Every act.
    pub const ALL: [DialogAct; 6] = [
        DialogAct::Inform,
        DialogAct::Request,
        DialogAct::Confirm,
        DialogAct::Clarify,
        DialogAct::Accept,
        DialogAct::Reject,
    ];

    /// The act as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            DialogAct::Inform => "inform",
            DialogAct::Request => "request",
            DialogAct::Confirm => "confirm",
            DialogAct::Clarify => "clarify",
            DialogAct::Accept => "accept",
            DialogAct::Reject => "reject",
        }
    }
}

/// What a fast model was asked about the words that woke an agent, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Classified {
    /// Which model.
    pub model: ModelRef,
    /// What is meant by the words, in its opinion; absent if it did not say so, and rules decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<DialogAct>,
    /// The hash of what it was asked.
    pub asked: Digest,
    /// What it took, however often it was asked.
    pub took: TurnSpent,
}

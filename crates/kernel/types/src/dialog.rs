//! Dialog acts: what somebody means by speaking.

use serde::{Deserialize, Serialize};

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

//! Going through a past turn again.

use serde::{Deserialize, Serialize};

/// What came of doing a step of a past turn again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It came out as it was recorded.
    Verified,
    /// It is whole as it was recorded, and cannot be done again: its version is no longer in this program, or what it
    /// was made of has moved on since.
    Recorded,
    /// The words were erased.
    Erased,
    /// It came out otherwise.
    Differs,
}

impl Verdict {
    /// The word as it is shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Verified => "verified",
            Verdict::Recorded => "recorded",
            Verdict::Erased => "erased",
            Verdict::Differs => "differs",
        }
    }
}

/// A step of a past turn that was done again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayedStep {
    /// Which.
    pub step: String,
    /// What came of it.
    pub verdict: Verdict,
    /// What was held against what, or why it could not be.
    pub detail: String,
}

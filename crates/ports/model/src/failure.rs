//! How the reach for a model fails.

use types::{AttemptTimeline, ModelFailureKind};

/// The reach for a model failed, after as many attempts as its policy allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// How the last attempt failed.
    pub kind: ModelFailureKind,
    /// For people: who was asked, and what happened. Never a secret.
    pub message: String,
    /// The status of the answer.
    pub status: Option<u16>,
    /// When to come back, as the provider says, in milliseconds from now.
    pub retry_after_ms: Option<u64>,
    /// Every attempt.
    pub timeline: AttemptTimeline,
}

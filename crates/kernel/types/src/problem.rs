//! A failure as users see it.

use crate::Code;

/// What went wrong, for programs by its code and for people by its sentences.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// Stable; `docs/errors/` has a page for it.
    pub code: Code,
    /// What happened.
    pub message: String,
    /// The way out.
    pub hint: String,
}

impl Problem {
    /// Says what happened and the way out.
    pub fn new(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem { code, message: message.into(), hint: hint.into() }
    }
}

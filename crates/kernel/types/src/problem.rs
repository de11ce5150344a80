//! A failure as users see it.

use crate::{Code, limits};

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
        Problem { code, message: bounded(message.into()), hint: bounded(hint.into()) }
    }
}

/// An error does not grow with what caused it, however long the name was that nobody knows.
fn bounded(mut text: String) -> String {
    if text.len() > limits::PROBLEM_BYTES_MAX {
        text.truncate(text.floor_char_boundary(limits::PROBLEM_BYTES_MAX));
        text.push('…');
    }
    text
}

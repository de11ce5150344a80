//! A template that is not understood.

use types::{Code, Problem};

/// What is wrong with a template's file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{place}: {reason}", place = .line.map(|n| format!(", line {n}")).unwrap_or_default())]
pub struct BadTemplate {
    /// Which file.
    pub file: String,
    /// In which line, from 1, as far as it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl BadTemplate {
    /// Something at a place of the text, by its number of bytes.
    pub(super) fn at(
        file: &str,
        text: &str,
        byte: usize,
        reason: impl Into<String>,
    ) -> BadTemplate {
        let before = text.as_bytes().iter().take(byte);
        let line = before.filter(|byte| **byte == b'\n').count() + 1;
        BadTemplate { file: file.to_owned(), line: Some(line), reason: reason.into() }
    }
}

impl From<BadTemplate> for Problem {
    fn from(bad: BadTemplate) -> Problem {
        // No command that reads the templates: it would be refused as this one was.
        let hint = "correct the file, or move it out of its folder; docs/guides/agents.md says what a \
                    template holds";
        Problem::new(Code::BadConfig, bad.to_string(), hint)
    }
}

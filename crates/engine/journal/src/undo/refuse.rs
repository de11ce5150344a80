//! Why something cannot be undone.

use types::{Code, Operation, RecordId};

use crate::Error;

/// The fewest digits of an operation's or a run's id that name it.
pub(super) const DIGITS_MIN: usize = 6;

pub(super) fn unknown(text: &str) -> Error {
    let message = format!(
        "no operation, and no run that changed anything in the journal, is called {text:?}"
    );
    let hint = match text.len() < DIGITS_MIN {
        true => format!("write {DIGITS_MIN} or more of its first characters"),
        false => "`dormouse history` shows what was done".to_owned(),
    };
    Error::refuse(Code::UnknownOperation, message, hint)
}

pub(super) fn ambiguous(kind: &str, text: &str) -> Error {
    let message = format!("more than one {kind} begins with {text:?}");
    Error::refuse(Code::AmbiguousReference, message, "write more of its id")
}

pub(super) fn because(message: impl Into<String>, hint: impl Into<String>) -> Error {
    Error::refuse(Code::CannotUndo, message, hint)
}

/// A record has been changed since: by what.
pub(super) fn moved_on(id: &RecordId, by: Option<&Operation>) -> Error {
    match by {
        Some(by) => because(
            format!("{id} was changed since by {} on {}", by.verb, by.at),
            format!("undo that first: `dormouse undo {}`", &by.id.to_string()[..12]),
        ),
        None => because(
            format!("{id} was changed since"),
            format!("`dormouse history {id}` shows by what"),
        ),
    }
}

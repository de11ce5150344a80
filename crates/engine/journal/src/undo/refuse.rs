//! Why something cannot be undone.

use types::{Code, Operation};

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

/// Something has been changed since: by what.
pub(super) fn moved_on(what: &str, by: Option<&Operation>) -> Error {
    match by {
        Some(by) => because(
            format!("{what} was changed since by {} on {}", by.verb, by.at),
            format!("undo that first: `dormouse undo {}`", short(by)),
        ),
        None => because(format!("{what} was changed since"), "`dormouse history` shows by what"),
    }
}

/// It was undone before, and that stands.
pub(super) fn undone_already(by: &Operation) -> Error {
    let (undo, at) = (short(by), by.at);
    let hint = format!("there is nothing left to do; `dormouse undo {undo}` brings it back");
    because(format!("it is undone already, by {undo} on {at}"), hint)
}

fn short(operation: &Operation) -> String {
    operation.id.to_string()[..12].to_owned()
}

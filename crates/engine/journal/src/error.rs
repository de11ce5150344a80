//! What can go wrong in the journal.

use store::StoreError;
use types::{Code, Conflict, Invalid, Problem};

/// Why the journal did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// What was asked makes no sense here; it says why, and the way out.
    #[error(transparent)]
    Refused(#[from] Problem),
    /// Something newer stands in the way.
    #[error("the journal has moved on: {0}")]
    Conflict(#[from] Conflict),
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Error {
    /// Refuses with a code, what happened, and the way out.
    pub fn refuse(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Error {
        Error::Refused(Problem::new(code, message, hint))
    }
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Error {
        Error::Store(invalid.into())
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let message = error.to_string();
        match error {
            Error::Refused(problem) => problem,
            Error::Conflict(Conflict::Marked { mark, by }) => taken(&mark, &by),
            Error::Conflict(conflict) => {
                Problem::new(conflict.code(), message, "look at it again, then decide again")
            }
            Error::Store(error) => error.into(),
        }
    }
}

/// Somebody else has what only one can have: a name, or the timer that runs.
fn taken(mark: &str, by: &types::RecordId) -> Problem {
    match mark.strip_prefix("name=") {
        Some(name) => Problem::new(
            Code::NameTaken,
            format!("the name {name:?} is taken already, by {by}"),
            "choose another name; large and small letters count as the same",
        ),
        None => Problem::new(
            Code::TimerRunning,
            format!("a timer runs already: {by}"),
            "stop it first with `dormouse time stop`",
        ),
    }
}

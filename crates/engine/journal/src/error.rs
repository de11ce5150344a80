//! What can go wrong in the journal.

use store::StoreError;
use types::{Code, Conflict, IdError, Problem};

/// Why the journal did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No category has that name.
    #[error("there is no category {name:?}")]
    UnknownCategory {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// No task has that id.
    #[error("there is no task {id:?}")]
    UnknownTask {
        /// The id.
        id: String,
    },
    /// The text is not an id of a task.
    #[error("{id:?} is not the id of a task: {source}")]
    BadTaskId {
        /// The text.
        id: String,
        /// What is wrong with it.
        source: IdError,
    },
    /// Something newer stands in the way.
    #[error("the journal has moved on: {0}")]
    Conflict(#[from] Conflict),
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let message = error.to_string();
        match error {
            Error::UnknownCategory { known, .. } => {
                let hint = format!("the categories are: {}", known.join(", "));
                Problem::new(Code::UnknownCategory, message, hint)
            }
            Error::UnknownTask { .. } | Error::BadTaskId { .. } => {
                let hint = "`dormouse task list` shows the tasks and their ids";
                Problem::new(Code::UnknownTask, message, hint)
            }
            Error::Conflict(conflict) => {
                Problem::new(conflict.code(), message, "look at it again, then decide again")
            }
            Error::Store(error) => error.into(),
        }
    }
}

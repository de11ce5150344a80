//! What can go wrong while waking.

use store::StoreError;
use types::{Conflict, Problem};

/// Why a wake was not queued or not run. It stays where it was and is found again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Somebody else has done it meanwhile.
    #[error("somebody else was faster: {0}")]
    Conflict(#[from] Conflict),
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let message = error.to_string();
        match error {
            Error::Conflict(conflict) => Problem::new(conflict.code(), message, "try again"),
            Error::Store(error) => error.into(),
        }
    }
}

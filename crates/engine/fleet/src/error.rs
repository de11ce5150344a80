//! What can go wrong with agents.

use store::StoreError;
use types::{Code, Conflict, Problem};

use crate::Template;

/// Why the fleet did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No template has that name.
    #[error("there is no template {name:?}")]
    UnknownTemplate {
        /// The name.
        name: String,
    },
    /// No agent has that id.
    #[error("there is no agent {id:?}")]
    UnknownAgent {
        /// The id.
        id: String,
    },
    /// Something newer stands in the way.
    #[error("the agent has changed meanwhile: {0}")]
    Conflict(#[from] Conflict),
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let message = error.to_string();
        match error {
            Error::UnknownTemplate { .. } => {
                let names = Template::ALL.map(Template::as_str).join(", ");
                Problem::new(Code::UnknownTemplate, message, format!("the templates are: {names}"))
            }
            Error::UnknownAgent { .. } => {
                let hint = "`dormouse agent list` shows the agents and their ids";
                Problem::new(Code::UnknownAgent, message, hint)
            }
            Error::Conflict(conflict) => {
                Problem::new(conflict.code(), message, "look at it again, then decide again")
            }
            Error::Store(error) => error.into(),
        }
    }
}

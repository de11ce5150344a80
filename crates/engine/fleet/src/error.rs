//! What can go wrong with agents.

use rules::lifecycle::NoSuchStep;
use rules::predicate::PredicateError;
use store::StoreError;
use types::{Code, Conflict, Lifecycle, Problem};

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
    /// A step that life does not have.
    #[error(transparent)]
    NoSuchStep(#[from] NoSuchStep),
    /// A predicate over something that no record has.
    #[error(transparent)]
    Predicate(#[from] PredicateError),
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
            Error::NoSuchStep(NoSuchStep { from: Lifecycle::Destroyed { .. }, .. }) => {
                Problem::new(Code::AgentDestroyed, message, "create another agent")
            }
            Error::NoSuchStep(_) => {
                let hint = "`dormouse agent show AGENT` says where it stands";
                Problem::new(Code::NoSuchStep, message, hint)
            }
            Error::Predicate(PredicateError::UnknownProperty { known, .. }) => {
                let hint = format!("the properties are: {}", known.join(", "));
                Problem::new(Code::UnknownField, message, hint)
            }
            Error::Predicate(PredicateError::UnknownKind { .. }) => {
                Problem::new(Code::UnknownField, message, "a kind is written like TASK")
            }
            Error::Conflict(conflict) => {
                Problem::new(conflict.code(), message, "look at it again, then decide again")
            }
            Error::Store(error) => error.into(),
        }
    }
}

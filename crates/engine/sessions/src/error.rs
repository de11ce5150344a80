//! What can go wrong with sessions.

use store::StoreError;
use types::{AgentId, Code, Conflict, Invalid, Problem, SessionStatus};

/// Why something about a session was not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No agent has that id.
    #[error("there is no agent {id:?}")]
    UnknownAgent {
        /// The id.
        id: String,
    },
    /// The agent is over.
    #[error("{agent} is destroyed and takes nothing any more")]
    Destroyed {
        /// Which.
        agent: AgentId,
    },
    /// There is no such session or conversation.
    #[error("there is no {what} {name:?}")]
    Unknown {
        /// `session` or `conversation`.
        what: &'static str,
        /// What was asked for.
        name: String,
    },
    /// The turn is no part of the conversation's common ground.
    #[error("{turn:?} is no turn of the common ground of this conversation")]
    UnknownTurn {
        /// What was asked for.
        turn: String,
    },
    /// There is one of that name.
    #[error("there is a session {name:?} already")]
    Taken {
        /// The name.
        name: String,
    },
    /// It is over.
    #[error("the session {name:?} is {how} already", how = .status.as_str())]
    Over {
        /// Its name.
        name: String,
        /// How it is over.
        status: SessionStatus,
    },
    /// It was to have more tokens than its agent's model holds, or fewer than any turn needs.
    #[error("the token_capacity {asked} is {why}", why = why(*asked, *least))]
    Capacity {
        /// What was asked for.
        asked: u64,
        /// What the longest answer and the shortest prompt take.
        least: u64,
        /// What the model holds.
        most: u64,
    },
    /// It was asked for in a way that makes no sense.
    #[error("the {0}")]
    Invalid(#[from] Invalid),
    /// Somebody else was faster.
    #[error("the session has changed meanwhile: {0}")]
    Conflict(#[from] Conflict),
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let message = error.to_string();
        match error {
            Error::UnknownAgent { .. } => {
                let hint = "`dormouse agent list` shows the agents and their ids";
                Problem::new(Code::UnknownAgent, message, hint)
            }
            Error::Destroyed { .. } => {
                Problem::new(Code::AgentDestroyed, message, "create another agent")
            }
            Error::Unknown { .. } => {
                let hint = "`dormouse session list AGENT` shows the sessions with an agent";
                Problem::new(Code::UnknownSession, message, hint)
            }
            Error::UnknownTurn { .. } => {
                let hint = "`dormouse session history AGENT SESSION` shows the turns and their ids";
                Problem::new(Code::UnknownRecord, message, hint)
            }
            Error::Taken { .. } => {
                Problem::new(Code::NameTaken, message, "go on with it, or choose another name")
            }
            Error::Over { name, .. } => {
                let hint = format!("go on from it: `dormouse session continue AGENT {name}`");
                Problem::new(Code::SessionOver, message, hint)
            }
            Error::Capacity { least, most, .. } => {
                let hint = format!(
                    "give it {least} to {most} tokens, or leave that out for all that the model holds"
                );
                Problem::new(Code::InvalidRecord, message, hint)
            }
            Error::Invalid(_) => {
                let hint = "correct it and try again; nothing was stored";
                Problem::new(Code::InvalidRecord, message, hint)
            }
            Error::Conflict(conflict) => {
                Problem::new(conflict.code(), message, "look at it again, then decide again")
            }
            Error::Store(error) => error.into(),
        }
    }
}

const fn why(asked: u64, least: u64) -> &'static str {
    if asked < least {
        "too small: no turn would fit"
    } else {
        "too large: the model does not hold as much"
    }
}

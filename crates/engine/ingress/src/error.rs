//! Why something was not let in. Nothing of it is stored then.

use rules::admission::NotAdmissible;
use rules::dormancy;
use store::StoreError;
use types::{AgentId, Code, Conflict, DormantCause, Invalid, Problem, SessionStatus, limits};

/// Why something was not let in.
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
    /// The agent has to be resumed first.
    #[error("{agent} is {how} and takes nothing until it is resumed", how = how(*.cause))]
    Stopped {
        /// Which.
        agent: AgentId,
        /// Why it is dormant.
        cause: DormantCause,
    },
    /// The session it was said in is over.
    #[error("the session {session:?} is {how} and takes nothing any more", how = .status.as_str())]
    SessionOver {
        /// Which, by its name.
        session: String,
        /// How it is over.
        status: SessionStatus,
    },
    /// Everything is stopped.
    #[error("the kill switch is on")]
    KillSwitch,
    /// That sender or kind does not come through that door.
    #[error(transparent)]
    NotAdmissible(#[from] NotAdmissible),
    /// It is too large for a message.
    #[error("the message has {bytes} bytes, at most {max} are taken")]
    TooLarge {
        /// How large it is.
        bytes: usize,
        /// How large it may be.
        max: usize,
    },
    /// Its name is missing or too long, or it says nothing.
    #[error("the {0}")]
    Invalid(#[from] Invalid),
    /// The trigger does not exist or was revoked.
    #[error("there is no active trigger {id:?}")]
    UnknownTrigger {
        /// The id.
        id: String,
    },
    /// Something newer stands in the way.
    #[error("{0}")]
    Conflict(#[from] Conflict),
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

const fn how(cause: DormantCause) -> &'static str {
    match cause {
        DormantCause::Paused => "paused",
        DormantCause::Stopped => "stopped",
        DormantCause::Failures => "stopped after too many failures",
        DormantCause::TaskMissing => "stopped because what it tends is gone",
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let message = error.to_string();
        let kib = limits::ENVELOPE_BYTES_MAX / 1_024;
        match error {
            Error::UnknownAgent { .. } => {
                let hint = "`dormouse agent list` shows the agents and their ids";
                Problem::new(Code::UnknownAgent, message, hint)
            }
            Error::Destroyed { .. } => {
                Problem::new(Code::AgentDestroyed, message, "create another agent")
            }
            Error::Stopped { agent, cause } => {
                let hint = match cause {
                    DormantCause::TaskMissing => dormancy::way_back(cause, &agent),
                    _ => format!("resume it first: `dormouse agent resume {agent}`"),
                };
                Problem::new(Code::AgentStopped, message, hint)
            }
            Error::SessionOver { session, .. } => {
                let hint = format!(
                    "say it in another session, or go on from that one: \
                     `dormouse session continue AGENT {session}`"
                );
                Problem::new(Code::SessionOver, message, hint)
            }
            Error::KillSwitch => {
                let hint = "lift it with `dormouse kill off`, then say it again";
                Problem::new(Code::KillSwitchOn, message, hint)
            }
            Error::NotAdmissible(_) => {
                let hint = "use the door that is meant for it; nothing was stored";
                Problem::new(Code::NotAdmissible, message, hint)
            }
            Error::TooLarge { .. } => {
                let hint =
                    format!("put it into a file and say where it is; {kib} KiB is the limit");
                Problem::new(Code::EnvelopeTooLarge, message, hint)
            }
            Error::Invalid(_) => {
                let hint = "correct it and try again; nothing was stored";
                Problem::new(Code::InvalidRecord, message, hint)
            }
            Error::UnknownTrigger { .. } => {
                let hint = "`dormouse agent show AGENT` says which trigger wakes it";
                Problem::new(Code::UnknownTrigger, message, hint)
            }
            Error::Conflict(conflict @ Conflict::MailboxFull { .. }) => {
                let hint =
                    "wait until it has read some of them, or let it run: `dormouse wake --drain`";
                Problem::new(conflict.code(), message, hint)
            }
            Error::Conflict(conflict) => {
                Problem::new(conflict.code(), message, "look at it again, then decide again")
            }
            Error::Store(error) => error.into(),
        }
    }
}

//! Why a turn did not come to its end.

use dispatch::Again;
use policy::Denied;
use store::StoreError;
use types::{Code, Conflict, FailureType, Problem, Strategy};

use crate::standing::Barred;

/// Why a turn did not come to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Broken {
    /// Its claim is over: somebody stopped the agent, or took the run up elsewhere.
    #[error("it was stopped")]
    Stopped,
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nobody knows whether a call of a tool was carried out.
    #[error("{message}")]
    InDoubt {
        /// What left that open.
        code: Code,
        /// In words.
        message: String,
    },
    /// Something moved under it that it does not understand.
    #[error("{0}")]
    Moved(Conflict),
    /// The model could not be reached, or its answer not be understood.
    #[error("{}", .0.message)]
    Model(Box<model::Failure>),
    /// The gate before the model objects.
    #[error("{}", .0.denial.message)]
    Denied(Denied),
    /// Prompt and answer do not fit the model.
    #[error("the prompt has about {tokens} tokens, and with its answer at most {capacity} fit")]
    TooLong {
        /// Of the prompt.
        tokens: u64,
        /// Of both.
        capacity: u64,
    },
    /// The same for its session, which somebody gave less room.
    #[error(
        "the prompt has about {tokens} tokens, and with its answer its session takes {capacity}"
    )]
    SessionFull {
        /// Of the prompt.
        tokens: u64,
        /// Of both.
        capacity: u64,
    },
    /// It goes round in circles.
    #[error("it asked for the same thing again and again, and the answer was always the same")]
    NoProgress,
    /// It took more steps than it may.
    #[error("it took {rounds} steps, which is as many as it may, and was not done")]
    TooManyRounds {
        /// How many it may take.
        rounds: u32,
    },
    /// More calls in one answer than a group holds.
    #[error("the model asked for {found} tools at once")]
    TooManyCalls {
        /// How many.
        found: usize,
    },
    /// The template that says what the agent is for is gone.
    #[error("its template {template:?} is not there any more")]
    TemplateMissing {
        /// Which.
        template: String,
    },
    /// It began under a version of its workflow that this program does not have.
    #[error("it began as version {version} of {workflow:?}, which this program does not know")]
    OtherVersion {
        /// Which workflow.
        workflow: String,
        /// In which version.
        version: u32,
    },
    /// The session that it was to speak in was broken off.
    #[error("its session was broken off")]
    SessionOver,
    /// What the agent tends is gone.
    #[error("the task it tends is gone")]
    TaskMissing,
    /// What the agent tends was moved where it may not look, and the prompt that was recorded tells of it.
    #[error("the task it tends was moved to a category that it may not look into")]
    TaskMoved,
}

impl From<Conflict> for Broken {
    fn from(conflict: Conflict) -> Broken {
        match conflict {
            Conflict::Fenced { .. } | Conflict::Run { .. } => Broken::Stopped,
            other => Broken::Moved(other),
        }
    }
}

impl From<tools::Error> for Broken {
    fn from(error: tools::Error) -> Broken {
        match error {
            tools::Error::Store(error) => Broken::Store(error),
            tools::Error::Conflict(conflict) => conflict.into(),
            error @ tools::Error::InDoubt => {
                Broken::InDoubt { code: Code::StoreIo, message: error.to_string() }
            }
            tools::Error::LargeGroup { found } => Broken::TooManyCalls { found },
            tools::Error::MixedGroup => unreachable!("the calls of a round are of one run"),
        }
    }
}

impl Broken {
    /// The code that people see.
    pub(crate) fn code(&self) -> Code {
        match self {
            Broken::Stopped => Code::Fenced,
            Broken::Store(error) => error.code(),
            Broken::InDoubt { code, .. } => *code,
            Broken::Moved(conflict) => conflict.code(),
            Broken::Model(failure) => rules::turn::code(failure.kind),
            Broken::Denied(denied) => denied.denial.code,
            Broken::TooLong { .. } | Broken::SessionFull { .. } => Code::ContextLengthExceeded,
            Broken::NoProgress => Code::NoProgress,
            Broken::TooManyRounds { .. } => Code::TurnLimitReached,
            Broken::TooManyCalls { .. } => Code::InvalidResponse,
            Broken::TemplateMissing { .. } => Code::UnknownTemplate,
            Broken::OtherVersion { .. } => Code::StoreNewer,
            Broken::TaskMissing => Code::UnknownTask,
            Broken::TaskMoved => Code::OutOfScope,
            Broken::SessionOver => Code::SessionOver,
        }
    }

    /// The same for whoever asked.
    pub(crate) fn into_problem(self) -> Problem {
        match self {
            Broken::Store(error) => error.into(),
            other => Problem::new(other.code(), other.to_string(), "try again"),
        }
    }

    /// What kind of failure it is; none, if it was denied or met a bound, which is no failure.
    pub(crate) fn failure_type(&self) -> Option<FailureType> {
        match self {
            // What the store will not have, it will not have later either.
            Broken::Store(StoreError::Invalid(_)) => Some(FailureType::ConfigurationError),
            Broken::Stopped | Broken::Store(_) | Broken::InDoubt { .. } | Broken::Moved(_) => {
                Some(FailureType::DependencyFailure)
            }
            Broken::Model(failure) => Some(rules::turn::classify_failure(failure.kind)),
            Broken::TooLong { .. }
            | Broken::TemplateMissing { .. }
            | Broken::OtherVersion { .. }
            | Broken::TaskMissing => Some(FailureType::ConfigurationError),
            Broken::Denied(_)
            | Broken::TaskMoved
            | Broken::SessionFull { .. }
            | Broken::SessionOver
            | Broken::NoProgress
            | Broken::TooManyRounds { .. }
            | Broken::TooManyCalls { .. } => None,
        }
    }

    /// What stood in the turn's way, if that is nothing that would pass by waiting.
    pub(crate) fn barred(&self) -> Option<Barred> {
        match self {
            Broken::Denied(_) | Broken::TaskMoved | Broken::SessionOver => Some(Barred::Refused),
            other => other.failure_type().is_none().then_some(Barred::Bounded),
        }
    }

    /// Whether its agent looks again by itself if the turn is not taken up again. As long as a model may not
    /// be asked, no turn of the agent's is any better off.
    pub(crate) fn again(&self) -> Again {
        match (self, self.code()) {
            (
                Broken::Denied(_),
                Code::ModelNotAllowed
                | Code::ProviderNotAllowed
                | Code::PrivacyConfirmationRequired,
            ) => Again::Never,
            // A key that has expired or a wrong address is mended by somebody, who does not know which agents
            // it has kept from looking.
            (
                Broken::Model(_),
                Code::ProviderRefused
                | Code::SecretUnavailable
                | Code::NetworkDenied
                | Code::UnsupportedTransport,
            ) => Again::UntilItPasses,
            _ if self.may_pass() => Again::UntilItPasses,
            _ => Again::Once,
        }
    }

    /// What is done about it: whoever was denied, or met a bound, is told and not tried again.
    pub(crate) fn strategy(&self) -> Strategy {
        self.failure_type().map_or(Strategy::Escalate, rules::turn::strategy)
    }

    /// The step that broke.
    pub(crate) fn activity(&self) -> &'static str {
        match self {
            Broken::Stopped | Broken::Store(_) | Broken::Moved(_) => "record",
            Broken::Model(_) | Broken::TooManyRounds { .. } => "ask",
            Broken::Denied(_)
            | Broken::TaskMoved
            | Broken::TooLong { .. }
            | Broken::SessionFull { .. } => "permit",
            Broken::NoProgress | Broken::InDoubt { .. } | Broken::TooManyCalls { .. } => "act",
            Broken::TemplateMissing { .. }
            | Broken::OtherVersion { .. }
            | Broken::TaskMissing
            | Broken::SessionOver => "gather",
        }
    }

    /// Whether the same turn may come to its end if it is taken up again later.
    pub(crate) fn may_pass(&self) -> bool {
        rules::turn::tries_again(self.strategy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::Invalid;

    #[test]
    fn what_the_store_will_not_have_is_not_tried_again_and_what_it_could_not_do_is() {
        let invalid = Invalid::new("writes", "too many");
        assert!(!Broken::Store(StoreError::Invalid(invalid)).may_pass());
        let full = StoreError::DiskFull { file: "agent.db".into() };
        assert!(Broken::Store(full).may_pass());
    }
}

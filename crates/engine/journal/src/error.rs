//! What can go wrong in the journal.

use rules::mark::{NAME, RUNNING};
use store::StoreError;
use types::{Code, Conflict, Invalid, Problem};

/// Why the journal did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// What was asked makes no sense here; it says why, and the way out.
    #[error("{problem}")]
    Refused {
        /// As a person is told.
        problem: Problem,
        /// As an agent is told, if that is something else.
        for_agents: Option<Problem>,
    },
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
        Problem::new(code, message, hint).into()
    }

    /// The same for an agent that has another way out: it has no command line.
    #[must_use]
    pub fn for_agents(self, hint: impl Into<String>) -> Error {
        match self {
            Error::Refused { problem, .. } => {
                let for_agents = Problem::new(problem.code, problem.message.clone(), hint);
                Error::Refused { problem, for_agents: Some(for_agents) }
            }
            other => other,
        }
    }

    /// The same where something is named that is not there: for an agent that is as if it lay out of its sight. The
    /// gate says so in its own words.
    #[must_use]
    pub fn out_of_sight(self) -> Error {
        match self {
            Error::Refused { problem, .. } => {
                let (message, hint) = ("it is not to be seen", "name what you were shown");
                let for_agents = Problem::new(Code::OutOfScope, message, hint);
                Error::Refused { problem, for_agents: Some(for_agents) }
            }
            other => other,
        }
    }

    /// A timer runs already, of which there is one at a time.
    pub(crate) fn timer_runs(message: String) -> Error {
        let hint = "stop it first with `dormouse time stop`";
        Error::refuse(Code::TimerRunning, message, hint).for_agents("stop it first")
    }

    /// As an agent is told.
    #[must_use]
    pub fn told_to_an_agent(self) -> Problem {
        match self {
            Error::Conflict(Conflict::Marked { mark, by }) => taken(&mark, &by).told_to_an_agent(),
            Error::Refused { for_agents: Some(problem), .. } => problem,
            other => other.into(),
        }
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Error {
        Error::Refused { problem, for_agents: None }
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
            Error::Refused { problem, .. } => problem,
            Error::Conflict(Conflict::Marked { mark, by }) => taken(&mark, &by).into(),
            Error::Conflict(conflict) => {
                Problem::new(conflict.code(), message, "look at it again, then decide again")
            }
            Error::Store(error) => error.into(),
        }
    }
}

/// Whether something moved between the look and the writing, so that it is to be looked at again: a mark that no two
/// may bear is taken however often one looks, any other may be gone by then, or be what a plan is refused for.
pub(crate) fn is_moved(conflict: &Conflict) -> bool {
    match conflict {
        Conflict::Marked { mark, .. } => !(mark == RUNNING || mark.starts_with(NAME)),
        other => other.is_moved(),
    }
}

/// Somebody else has what only one can have: a name, or the timer that runs.
fn taken(mark: &str, by: &types::RecordId) -> Error {
    match mark.strip_prefix(NAME) {
        Some(name) => Error::refuse(
            Code::NameTaken,
            format!("the name {name:?} is taken already, by {by}"),
            "choose another name; large and small letters count as the same",
        ),
        None if mark == RUNNING => Error::timer_runs(format!("a timer runs already: {by}")),
        None => Error::refuse(
            Code::NotEmpty,
            format!("it is no longer empty: {by} came meanwhile"),
            "look again, then decide again",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_told_the_way_out_that_it_has() {
        let marked = |mark: &str| {
            let by = "time_1".parse().expect("an id");
            Error::Conflict(Conflict::Marked { mark: mark.to_owned(), by })
        };
        let runs = marked("running");
        assert_eq!(Problem::from(runs.clone()).hint, "stop it first with `dormouse time stop`");
        assert_eq!(runs.told_to_an_agent().hint, "stop it first");
        // Where nothing else is said it is the same for both.
        let named = marked("name=home");
        assert_eq!(Problem::from(named.clone()), named.told_to_an_agent());
    }
}

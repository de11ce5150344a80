//! What can go wrong besides what a call is answered.

use store::StoreError;
use types::{Code, Conflict, Problem, limits};

/// Why calls could not be seen through. What was carried out is in the journal, and asking again under
/// the same names gives its answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Calls of one group that are not of one run.
    #[error("the calls of a group belong to one run of one agent")]
    MixedGroup,
    /// More calls than one group holds.
    #[error("a group has at most {max} calls, this one has {found}", max = limits::TOOL_GROUP_MAX)]
    LargeGroup {
        /// How many.
        found: usize,
    },
    /// The disk failed: whether a call was carried out can be asked when the files are opened anew.
    #[error("whether something was done is not known before the files are opened anew")]
    InDoubt,
    /// The claim is over, or somebody else was faster again and again.
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
            Error::MixedGroup | Error::LargeGroup { .. } => {
                let hint = "make the calls one by one, or in smaller groups";
                Problem::new(Code::WrongUsage, message, hint)
            }
            Error::InDoubt => {
                Problem::new(Code::StoreIo, message, "see to the disk, then start it again")
            }
            Error::Conflict(conflict) => {
                Problem::new(conflict.code(), message, "nothing is lost; look again")
            }
            Error::Store(error) => error.into(),
        }
    }
}

/// Why a registry cannot be made of some tools: each is a fault of the program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// Two tools have one name.
    #[error("two tools are called {name}")]
    Twice {
        /// Which.
        name: &'static str,
    },
    /// A name that cannot be called.
    #[error("{name:?} is no name of a tool")]
    Name {
        /// Which.
        name: &'static str,
    },
    /// A schema that cannot be.
    #[error("the {which} schema of {name} cannot be used: {why}")]
    Schema {
        /// Of which tool.
        name: &'static str,
        /// Which of its schemas.
        which: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A contract that contradicts itself.
    #[error("the contract of {name} contradicts itself: {why}")]
    Contract {
        /// Of which tool.
        name: &'static str,
        /// How.
        why: &'static str,
    },
}

//! What is wrong with a configuration.

use std::path::PathBuf;

use types::{Code, Problem};

/// Why a configuration is not taken. It never repeats a value that might be a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("{} cannot be read: {why}", file.display())]
    Unreadable {
        /// Which file.
        file: PathBuf,
        /// Why not.
        why: String,
    },
    /// Something in it is not understood.
    #[error("{}, line {line}: {key}{what}", file.display())]
    Wrong {
        /// Which file.
        file: PathBuf,
        /// Where, from 1.
        line: usize,
        /// Which setting, with a space after it; empty if the text is no TOML.
        key: String,
        /// What is wrong with it.
        what: String,
    },
    /// Fewer models for agents that there cannot be.
    #[error(
        "config.toml: models.access.kind {kind:?} is no template and no kind of one; there are {known}"
    )]
    MeansNobody {
        /// What it says.
        kind: String,
        /// The templates that there are.
        known: String,
    },
    /// A variable of the environment is not understood.
    #[error("{name} {what}")]
    Environment {
        /// Which.
        name: String,
        /// What is wrong with it.
        what: String,
    },
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let hint = match &error {
            Error::Unreadable { .. } => "make it a text file that you may read, or move it away",
            Error::Wrong { .. } | Error::MeansNobody { .. } => {
                "correct that line, or move the file away to go on without it"
            }
            Error::Environment { .. } => "set it to something else, or not at all",
        };
        Problem::new(Code::BadConfig, error.to_string(), hint)
    }
}

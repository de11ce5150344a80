//! Why a command did not succeed, and so which exit code it gets.

use std::fmt::Display;

/// Ends a command. `main` prints it once.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The command line makes no sense: exit code 2, with the usage text.
    Usage(String),
    /// A check found something or a step failed: exit code 1.
    Broken(String),
}

impl Failure {
    /// `what` is the step that failed, `why` what the system said about it.
    pub(crate) fn step(what: impl Display, why: impl Display) -> Self {
        Self::Broken(format!("{what}: {why}"))
    }
}

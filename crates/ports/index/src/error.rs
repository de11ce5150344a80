//! What can go wrong with an index, and the way out of it.

use std::path::PathBuf;

use types::{Code, Problem, limits};

/// Why an index could not do what was asked. Nothing of it happened. Nothing is ever lost with an
/// index either: it is derived.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// Nothing to look for: no word at all, or only words to be left out.
    #[error("there is no word to look for")]
    EmptyQuery,
    /// Too much to look for.
    #[error("the search has {bytes} bytes, at most {max} are allowed", max = limits::QUERY_BYTES_MAX)]
    QueryTooLong {
        /// How long it is.
        bytes: usize,
    },
    /// No space left.
    #[error("no space left for {file}", file = .file.display())]
    DiskFull {
        /// The file that could not grow.
        file: PathBuf,
    },
    /// The operating system refused.
    #[error("{doing} {file} failed: {cause}", file = .file.display())]
    Io {
        /// Which file.
        file: PathBuf,
        /// What was being done, as "reading" or "writing".
        doing: &'static str,
        /// What the system said.
        cause: String,
    },
    /// The file is damaged and was given up.
    #[error("{file} was damaged: {what}", file = .file.display())]
    Corrupt {
        /// Which file.
        file: PathBuf,
        /// What was found.
        what: String,
    },
    /// The file cannot be made or reached at all.
    #[error("cannot use {path}: {cause}", path = .path.display())]
    Inaccessible {
        /// The path that failed.
        path: PathBuf,
        /// What the system said.
        cause: String,
    },
    /// Another program holds the file.
    #[error("{file} is in use by another program", file = .file.display())]
    Locked {
        /// Which file.
        file: PathBuf,
    },
}

impl IndexError {
    /// The code that users see and look up.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            IndexError::EmptyQuery | IndexError::QueryTooLong { .. } => Code::WrongUsage,
            IndexError::DiskFull { .. } => Code::DiskFull,
            IndexError::Io { .. } => Code::StoreIo,
            IndexError::Corrupt { .. } => Code::StoreCorrupt,
            IndexError::Inaccessible { .. } => Code::HomeInaccessible,
            IndexError::Locked { .. } => Code::HomeLocked,
        }
    }

    /// The way out, as one sentence for the person in front of the screen.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            IndexError::EmptyQuery => {
                "give at least one word; words after a minus are only left out of what the others find"
            }
            IndexError::QueryTooLong { .. } => "look for fewer words",
            IndexError::DiskFull { .. } => {
                "free some space and try again; only the search is behind, nothing was lost"
            }
            IndexError::Io { .. } => {
                "check the disk and the file's permissions, then try again; the file holds nothing of \
                 its own and may be deleted"
            }
            IndexError::Corrupt { .. } => {
                "search again in a moment; the file holds nothing of its own and is made anew from the \
                 journal"
            }
            IndexError::Inaccessible { .. } => {
                "check that you may write there; the file holds nothing of its own and may be deleted"
            }
            IndexError::Locked { .. } => "close the other program and try again",
        }
    }
}

impl From<IndexError> for Problem {
    fn from(error: IndexError) -> Problem {
        Problem::new(error.code(), error.to_string(), error.hint())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_search_is_wrong_usage_with_a_way_out() {
        let problem = Problem::from(IndexError::EmptyQuery);
        assert_eq!(problem.code, Code::WrongUsage);
        assert_eq!(problem.message, "there is no word to look for");
        assert!(problem.hint.starts_with("give at least one word"));
    }
}

//! What can go wrong with a store, and the way out of it.

use std::path::PathBuf;

use types::{Code, Invalid, Problem};

/// Why a store could not do what was asked. Nothing of the commit happened, except after
/// [`StoreError::Io`]: then it is in doubt until the store is opened anew, and is there whole or not
/// at all. An operation id makes it safe to try again.
///
/// It can be cloned, because when a group fails each of its commits is told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The commit breaks its own rules.
    #[error(transparent)]
    Invalid(#[from] Invalid),
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
    /// The file is damaged.
    #[error("{file} is damaged: {what}", file = .file.display())]
    Corrupt {
        /// Which file.
        file: PathBuf,
        /// What was found.
        what: String,
    },
    /// The file is a database of something else.
    #[error("{file} is not Dormouse's {expected} file: {what}", file = .file.display())]
    Foreign {
        /// Which file.
        file: PathBuf,
        /// What should be there.
        expected: &'static str,
        /// What was found.
        what: String,
    },
    /// The file was written by a newer version.
    #[error(
        "{file} was written by a newer Dormouse (layout {found}, this one knows up to {known})",
        file = .file.display()
    )]
    Newer {
        /// Which file.
        file: PathBuf,
        /// Its schema.
        found: u32,
        /// The newest schema that this version knows.
        known: u32,
    },
    /// The home cannot be used at all.
    #[error("cannot use {path}: {cause}", path = .path.display())]
    Inaccessible {
        /// The path that failed.
        path: PathBuf,
        /// What the system said.
        cause: String,
    },
    /// One of the two files is missing, and the other has something in it.
    #[error(
        "{missing} is missing or empty, but {present} is there",
        missing = .missing.display(),
        present = .present.display()
    )]
    Incomplete {
        /// The file that is not there.
        missing: PathBuf,
        /// The file that is.
        present: PathBuf,
    },
    /// Another process has the home open.
    #[error("{home} is in use by {by}", home = .home.display())]
    Locked {
        /// Which home.
        home: PathBuf,
        /// Who, as far as it said.
        by: String,
    },
    /// A backup or restore would overwrite something.
    #[error("{path} exists already", path = .path.display())]
    Exists {
        /// What is in the way.
        path: PathBuf,
    },
    /// More was written to a file than its copy could wait for.
    #[error("{file} was written to faster than it could be copied", file = .file.display())]
    Outrun {
        /// Which file.
        file: PathBuf,
    },
    /// It was given up, as somebody wanted.
    #[error("it was stopped before it was done")]
    Stopped,
    /// As many commits wait as may.
    #[error("{waiting} changes are waiting for the disk")]
    Busy {
        /// How many.
        waiting: usize,
    },
    /// The store is closed.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// The code that users see and look up.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            StoreError::Invalid(_) => Code::InvalidRecord,
            StoreError::DiskFull { .. } => Code::DiskFull,
            StoreError::Io { .. } => Code::StoreIo,
            StoreError::Corrupt { .. } => Code::StoreCorrupt,
            StoreError::Foreign { .. } => Code::StoreForeign,
            StoreError::Newer { .. } => Code::StoreNewer,
            StoreError::Inaccessible { .. } => Code::HomeInaccessible,
            StoreError::Incomplete { .. } => Code::HomeIncomplete,
            StoreError::Locked { .. } => Code::HomeLocked,
            StoreError::Exists { .. } => Code::BackupExists,
            StoreError::Busy { .. } | StoreError::Outrun { .. } => Code::StoreBusy,
            StoreError::Closed | StoreError::Stopped => Code::StoreClosed,
        }
    }

    /// The way out, as one sentence for the person in front of the screen.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            StoreError::Invalid(_) => "correct the value and try again; nothing was changed",
            StoreError::DiskFull { .. } => {
                "free some space and try again; nothing was lost and nothing is half done"
            }
            StoreError::Io { .. } => {
                "check the disk and the file's permissions, then look whether it was done before you \
                 try again"
            }
            StoreError::Corrupt { .. } => {
                "keep the folder but move it away, then restore the last backup with `dormouse \
                 restore`; `dormouse doctor` says more about the damage"
            }
            StoreError::Foreign { .. } => {
                "put the right file there, or choose another home with --home; it was not touched"
            }
            StoreError::Newer { .. } => {
                "update Dormouse, or choose another home with --home; the file was not touched"
            }
            StoreError::Inaccessible { .. } => {
                "check that it exists and that you may write there; --home or DORMOUSE_HOME choose \
                 another home"
            }
            StoreError::Incomplete { .. } => {
                "bring the missing file back, or move the folder away and restore the last backup with \
                 `dormouse restore`; nothing was touched"
            }
            StoreError::Locked { .. } => {
                "wait for the other process or stop it (a server whose socket was deleted hears no command), \
                 or choose another home with --home"
            }
            StoreError::Exists { .. } => {
                "a backup needs a folder that does not exist yet, a restore a home without files: \
                 choose another place, or move what is there away first"
            }
            StoreError::Outrun { .. } => {
                "choose a folder on a faster disk, or make the backup when less is written; the home is as \
                 it was"
            }
            StoreError::Busy { .. } => "try again in a moment",
            StoreError::Closed | StoreError::Stopped => "run the command again",
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        Problem::new(error.code(), error.to_string(), error.hint())
    }
}

//! From what SQLite says to what a person can act on.

use std::path::Path;

use rusqlite::ErrorCode;
use store::StoreError;
use types::Invalid;

/// What can go wrong inside, before the file's name is put to it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// SQLite said no.
    #[error(transparent)]
    Sql(#[from] rusqlite::Error),
    /// A row that this program cannot have written.
    #[error("{0}")]
    Row(String),
    /// The commit breaks a rule that only the stored rows could show.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

impl Fault {
    /// A row that cannot be read.
    pub(crate) fn row(what: impl std::fmt::Display) -> Fault {
        Fault::Row(what.to_string())
    }

    /// A file that another program holds.
    pub(crate) fn busy(what: &str) -> Fault {
        Fault::of(rusqlite::ffi::SQLITE_BUSY, what.to_owned())
    }

    /// A place where nothing can be kept.
    pub(crate) fn unusable(what: String) -> Fault {
        Fault::of(rusqlite::ffi::SQLITE_CANTOPEN, what)
    }

    fn of(code: i32, what: String) -> Fault {
        Fault::Sql(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), Some(what)))
    }

    /// Names the file.
    pub(crate) fn at(&self, file: &Path, doing: &'static str) -> StoreError {
        let file = file.to_owned();
        match self {
            Fault::Invalid(invalid) => StoreError::Invalid(invalid.clone()),
            Fault::Row(what) => StoreError::Corrupt { file, what: what.clone() },
            Fault::Sql(error) => match kind(error) {
                Kind::Full => StoreError::DiskFull { file },
                Kind::Damaged => StoreError::Corrupt { file, what: error.to_string() },
                Kind::Unreachable => {
                    StoreError::Inaccessible { path: file, cause: error.to_string() }
                }
                Kind::Busy => {
                    let home = file.parent().unwrap_or(&file).to_owned();
                    StoreError::Locked { home, by: "another program".to_owned() }
                }
                Kind::Other => StoreError::Io { file, doing, cause: error.to_string() },
            },
        }
    }

    /// Whether the disk may hold something else than SQLite believes: after a failed sync nobody
    /// knows what was written, and trying again can report success for pages that were lost.
    pub(crate) fn leaves_doubt(&self) -> bool {
        match self {
            Fault::Sql(error) => error.sqlite_error_code() == Some(ErrorCode::SystemIoFailure),
            Fault::Row(_) | Fault::Invalid(_) => false,
        }
    }
}

enum Kind {
    Full,
    Damaged,
    Unreachable,
    Busy,
    Other,
}

fn kind(error: &rusqlite::Error) -> Kind {
    // SQLITE_IOERR_SHMSIZE: the shared-memory file could not grow, which means a full disk.
    const SHM_SIZE: i32 = rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
    if error.sqlite_error().is_some_and(|inner| inner.extended_code == SHM_SIZE) {
        return Kind::Full;
    }
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
    if matches!(
        error,
        FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..)
    ) {
        return Kind::Damaged;
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => Kind::Full,
        // Rows that this program cannot have written are damage, whoever made it.
        Some(
            ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::ConstraintViolation
            | ErrorCode::TypeMismatch,
        ) => Kind::Damaged,
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            Kind::Unreachable
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Kind::Busy,
        _ => Kind::Other,
    }
}

//! From what SQLite says to what a person can act on.

use std::io::{self, ErrorKind};
use std::path::Path;

use index::IndexError;
use rusqlite::ErrorCode;

/// What can go wrong inside, before the file's name is put to it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// SQLite said no.
    #[error(transparent)]
    Sql(#[from] rusqlite::Error),
    /// A row that this program cannot have written.
    #[error("{0}")]
    Row(String),
    /// The operating system said no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The place is not fit for the file.
    #[error("{0}")]
    Unusable(String),
}

impl Fault {
    /// A row that cannot be read.
    pub(crate) fn row(what: impl std::fmt::Display) -> Fault {
        Fault::Row(what.to_string())
    }

    /// Names the file.
    pub(crate) fn at(&self, file: &Path, doing: &'static str) -> IndexError {
        let (file, cause) = (file.to_owned(), self.to_string());
        match self.kind() {
            Kind::Full => IndexError::DiskFull { file },
            Kind::Damaged => IndexError::Corrupt { file, what: cause },
            Kind::Unreachable => IndexError::Inaccessible { path: file, cause },
            Kind::Busy => IndexError::Locked { file },
            Kind::Unreadable | Kind::Other => IndexError::Io { file, doing, cause },
        }
    }

    /// The file does not hold what it should: another one has to take its place.
    pub(crate) fn is_damage(&self) -> bool {
        matches!(self.kind(), Kind::Damaged)
    }

    /// What was found under the file's name is none of ours, as far as SQLite can make sense of it.
    pub(crate) fn is_strange(&self) -> bool {
        matches!(self.kind(), Kind::Damaged | Kind::Unreadable)
    }

    fn kind(&self) -> Kind {
        match self {
            Fault::Sql(error) => sql_kind(error),
            Fault::Row(_) => Kind::Damaged,
            Fault::Unusable(_) => Kind::Unreachable,
            Fault::Io(error) => match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Kind::Full,
                _ => Kind::Unreachable,
            },
        }
    }
}

enum Kind {
    Full,
    Damaged,
    /// A statement does not fit the tables, or they ask for what this SQLite does not have.
    Unreadable,
    Unreachable,
    Busy,
    Other,
}

fn sql_kind(error: &rusqlite::Error) -> Kind {
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
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Kind::Damaged,
        Some(ErrorCode::Unknown) => Kind::Unreadable,
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            Kind::Unreachable
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Kind::Busy,
        _ => Kind::Other,
    }
}

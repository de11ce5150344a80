//! How SQLite is told that something could not be done.

use std::ffi::c_int;

use rusqlite::ffi;

/// One of SQLite's result codes, and not the good one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Code(c_int);

impl Code {
    /// An error of the disc that is none of the others.
    pub const BROKEN: Code = Code(ffi::SQLITE_IOERR);
    /// A read failed.
    pub const READ: Code = Code(ffi::SQLITE_IOERR_READ);
    /// A read came to the end of the file; what is missing reads as zeros.
    pub const SHORT_READ: Code = Code(ffi::SQLITE_IOERR_SHORT_READ);
    /// A write failed.
    pub const WRITE: Code = Code(ffi::SQLITE_IOERR_WRITE);
    /// A file could not be made shorter or longer.
    pub const TRUNCATE: Code = Code(ffi::SQLITE_IOERR_TRUNCATE);
    /// What was written could not be made durable.
    pub const SYNC: Code = Code(ffi::SQLITE_IOERR_FSYNC);
    /// A file's size is not known.
    pub const SIZE: Code = Code(ffi::SQLITE_IOERR_FSTAT);
    /// A file could not be deleted.
    pub const DELETE: Code = Code(ffi::SQLITE_IOERR_DELETE);
    /// Whether a file is there is not known.
    pub const ACCESS: Code = Code(ffi::SQLITE_IOERR_ACCESS);
    /// The disc is full.
    pub const FULL: Code = Code(ffi::SQLITE_FULL);
    /// What is there cannot be what was written.
    pub const CORRUPT: Code = Code(ffi::SQLITE_CORRUPT);
    /// Somebody else has what is wanted.
    pub(crate) const BUSY: Code = Code(ffi::SQLITE_BUSY);
    /// There is no room for the index of a log.
    pub(crate) const INDEX: Code = Code(ffi::SQLITE_IOERR_SHMMAP);
    /// There is no such lock on the index of a log.
    pub(crate) const LOCK: Code = Code(ffi::SQLITE_IOERR_SHMLOCK);
    /// A file cannot be opened.
    pub const OPEN: Code = Code(ffi::SQLITE_CANTOPEN);

    /// What a C function answered.
    pub(crate) fn check(answer: c_int) -> Result<(), Code> {
        if answer == ffi::SQLITE_OK { Ok(()) } else { Err(Code(answer)) }
    }

    /// What a C function is to answer.
    pub(crate) fn answer(result: Result<(), Code>) -> c_int {
        result.map_or_else(|code| code.0, |()| ffi::SQLITE_OK)
    }
}

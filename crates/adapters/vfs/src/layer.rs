//! What a layer is.

use std::ffi::c_int;
use std::path::Path;
use std::sync::Arc;

use rusqlite::ffi::{
    SQLITE_OPEN_CREATE, SQLITE_OPEN_DELETEONCLOSE, SQLITE_OPEN_MAIN_DB, SQLITE_OPEN_MAIN_JOURNAL,
    SQLITE_OPEN_SUPER_JOURNAL, SQLITE_OPEN_WAL,
};

use crate::beneath::{Beneath, Folder};
use crate::code::Code;
pub use crate::ffi::Door;
use crate::index::View;

/// A layer: sees every file that is opened, deleted or looked for.
pub trait Layer: Send + Sync + 'static {
    /// Opens a file: `door` opens it beneath. If this fails, what `door` opened is closed again.
    ///
    /// # Errors
    /// If the file is not to be opened.
    fn open(&self, wanted: &Wanted<'_>, door: Door<'_>) -> Result<Box<dyn File>, Code>;

    /// Deletes a file, and makes it durable that it is gone if `and_folder`.
    ///
    /// # Errors
    /// If it is not to be deleted.
    fn delete(&self, path: &Path, and_folder: bool, beneath: &Folder) -> Result<(), Code> {
        beneath.delete(path, and_folder)
    }

    /// Whether a file is there, or can be used as SQLite wants to.
    ///
    /// # Errors
    /// If that is not known.
    fn access(&self, path: &Path, beneath: &Folder) -> Result<bool, Code> {
        beneath.access(path)
    }
}

/// An open file of a layer. One connection uses it, and that from one thread at a time.
pub trait File: Send {
    /// Fills `into` with what lies at `at`.
    ///
    /// # Errors
    /// If that is not possible; [`Code::SHORT_READ`] if the file is shorter, with zeros for the rest.
    fn read(&self, beneath: &Beneath<'_>, into: &mut [u8], at: u64) -> Result<(), Code> {
        beneath.read(into, at)
    }

    /// Writes `bytes` at `at`.
    ///
    /// # Errors
    /// If they are not written.
    fn write(&self, beneath: &Beneath<'_>, bytes: &[u8], at: u64) -> Result<(), Code> {
        beneath.write(bytes, at)
    }

    /// Makes the file `size` bytes long.
    ///
    /// # Errors
    /// If it is not.
    fn truncate(&self, beneath: &Beneath<'_>, size: u64) -> Result<(), Code> {
        beneath.truncate(size)
    }

    /// Makes durable what was written.
    ///
    /// # Errors
    /// If it may not be.
    fn sync(&self, beneath: &Beneath<'_>) -> Result<(), Code> {
        beneath.sync()
    }

    /// How long the file is.
    ///
    /// # Errors
    /// If that is not known.
    fn size(&self, beneath: &Beneath<'_>) -> Result<u64, Code> {
        beneath.size()
    }

    /// What this connection has in common with the others to the same file, if the layer keeps that: the index of
    /// its log and the locks on it. Otherwise the file beneath does.
    fn view(&self) -> Option<&Arc<View>> {
        None
    }

    /// Whether the file beneath may be asked for one of SQLite's controls.
    fn allows(&self, control: c_int) -> bool {
        let _ = control;
        true
    }

    /// What SQLite may rely on, of what the file beneath promises.
    fn promises(&self, beneath: c_int) -> c_int {
        beneath
    }
}

/// What SQLite wants to open.
pub struct Wanted<'a> {
    /// Where; nowhere if nobody else is to find it.
    pub path: Option<&'a Path>,
    pub(crate) flags: c_int,
}

impl Wanted<'_> {
    /// Whether it ends with its handle.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        self.path.is_none() || self.flags & SQLITE_OPEN_DELETEONCLOSE != 0
    }

    /// Whether it is the database itself.
    #[must_use]
    pub fn is_database(&self) -> bool {
        self.flags & SQLITE_OPEN_MAIN_DB != 0
    }

    /// Whether it is a write-ahead log.
    #[must_use]
    pub fn is_log(&self) -> bool {
        self.flags & SQLITE_OPEN_WAL != 0
    }

    /// Whether it is a journal or a log that is made if it is not there. The first sync of such a file makes
    /// its name durable too.
    #[must_use]
    pub fn syncs_folder(&self) -> bool {
        let log = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL;
        self.flags & SQLITE_OPEN_CREATE != 0 && self.flags & log != 0
    }
}

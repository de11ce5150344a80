//! What lies under a layer, as Rust sees it.

use std::ffi::c_int;
use std::marker::PhantomData;
use std::path::Path;

use crate::code::Code;
use crate::ffi::{RawFile, RawFolder};

/// What is read or written at once. SQLite asks for no more than a page, and its own VFS forgets all but the
/// last seventeen bits of a length.
const PIECE: usize = 64 * 1_024;

/// An open file of the VFS beneath, for the length of one call.
pub struct Beneath<'a> {
    raw: RawFile,
    call: PhantomData<&'a ()>,
}

impl Beneath<'_> {
    pub(crate) fn new(raw: RawFile) -> Self {
        Beneath { raw, call: PhantomData }
    }

    pub(crate) fn as_hard_as(&self, flags: c_int) -> Self {
        Beneath::new(self.raw.as_hard_as(flags))
    }

    /// Fills `into` with what lies at `at`.
    ///
    /// # Errors
    /// What SQLite's own VFS would answer; [`Code::SHORT_READ`] with zeros for what is not there.
    pub fn read(&self, into: &mut [u8], at: u64) -> Result<(), Code> {
        let pieces = into.chunks_mut(PIECE).zip((at..).step_by(PIECE));
        // Behind the end of the file every piece is short, and has its zeros.
        let mut all = Ok(());
        for (piece, at) in pieces {
            match self.raw.read(piece, at) {
                Err(Code::SHORT_READ) => all = Err(Code::SHORT_READ),
                other => other?,
            }
        }
        all
    }

    /// Writes `bytes` at `at`.
    ///
    /// # Errors
    /// What SQLite's own VFS would answer.
    pub fn write(&self, bytes: &[u8], at: u64) -> Result<(), Code> {
        let mut pieces = bytes.chunks(PIECE).zip((at..).step_by(PIECE));
        pieces.try_for_each(|(piece, at)| self.raw.write(piece, at))
    }

    /// Makes the file `size` bytes long.
    ///
    /// # Errors
    /// What SQLite's own VFS would answer.
    pub fn truncate(&self, size: u64) -> Result<(), Code> {
        self.raw.truncate(size)
    }

    /// Makes durable what was written, as hard as SQLite asks for.
    ///
    /// # Errors
    /// What SQLite's own VFS would answer.
    pub fn sync(&self) -> Result<(), Code> {
        self.raw.sync()
    }

    /// How long the file is.
    ///
    /// # Errors
    /// What SQLite's own VFS would answer.
    pub fn size(&self) -> Result<u64, Code> {
        self.raw.size()
    }

    /// The file as a whole. It is read through its open handle: a second one, when closed, would drop every
    /// POSIX lock that this process holds on it.
    ///
    /// # Errors
    /// What SQLite's own VFS would answer.
    pub fn contents(&self) -> Result<Vec<u8>, Code> {
        let size = usize::try_from(self.size()?).map_err(|_| Code::READ)?;
        let mut bytes = vec![0; size];
        if size > 0 {
            self.read(&mut bytes, 0)?;
        }
        Ok(bytes)
    }
}

/// The names that the VFS beneath knows, for the length of one call.
pub struct Folder {
    raw: RawFolder,
}

impl Folder {
    pub(crate) fn new(raw: RawFolder) -> Folder {
        Folder { raw }
    }

    /// Deletes a file, and makes it durable that it is gone if `and_folder`.
    ///
    /// # Errors
    /// What SQLite's own VFS would answer.
    pub fn delete(&self, path: &Path, and_folder: bool) -> Result<(), Code> {
        self.raw.delete(path, and_folder)
    }

    /// Whether a file is there, or can be used as SQLite wants to.
    ///
    /// # Errors
    /// What SQLite's own VFS would answer.
    pub fn access(&self, path: &Path) -> Result<bool, Code> {
        self.raw.access(path)
    }
}

//! A path as SQLite hands it down.

use std::ffi::{CStr, OsStr, c_char};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// What SQLite keeps on both sides of a file's name: zeros that say that nothing is said beside it.
const MARGIN: [u8; 4] = [0; 4];

/// A name that was not SQLite's own.
pub(super) struct Name(Box<[u8]>);

impl Name {
    pub(super) fn of(path: &Path) -> Name {
        Name([&MARGIN, path.as_os_str().as_bytes(), &MARGIN].concat().into_boxed_slice())
    }

    /// The name as a C string, for as long as this lives, wherever it is moved.
    pub(super) fn as_ptr(&self) -> *const c_char {
        self.0[MARGIN.len()..].as_ptr().cast()
    }
}

/// # Safety
///
/// `name` is a C string that lives for `'a`.
pub(super) unsafe fn as_path<'a>(name: *const c_char) -> &'a Path {
    // SAFETY: the caller's promise is passed on.
    let name = unsafe { CStr::from_ptr(name) };
    Path::new(OsStr::from_bytes(name.to_bytes()))
}

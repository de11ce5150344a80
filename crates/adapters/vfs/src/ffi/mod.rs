//! SQLite's C interface: the VFS and the files it opens.
//!
//! Every call that reaches a layer runs inside [`guard::guard`], because a Rust panic must not unwind into C.
//! A call that only passes on to the VFS beneath has nothing in it that panics.
#![expect(unsafe_code, reason = "SQLite's C interface is raw pointers and callbacks")]

mod file;
mod guard;
mod name;
mod vfs;

pub(crate) use file::RawFile;
pub(crate) use vfs::RawFolder;
pub use vfs::{Door, register};

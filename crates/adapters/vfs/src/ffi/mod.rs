//! SQLite's C interface: the VFS and the files it opens, the memory of pages, and prepared statements.
//!
//! Every call that reaches a layer runs inside [`guard::guard`], because a Rust panic must not unwind into C.
//! A call that only passes on to the VFS beneath has nothing in it that panics.
#![expect(unsafe_code, reason = "SQLite's C interface is raw pointers and callbacks")]

mod connection;
mod file;
mod guard;
mod name;
mod pages;
mod regions;
mod vfs;

pub use connection::{Connection, Prepared};
pub(crate) use file::RawFile;
pub use pages::keep_pages;
pub(crate) use regions::Regions;
pub(crate) use vfs::RawFolder;
pub use vfs::{Door, register};

//! SQLite's C interface: the VFS and the files it opens.
//!
//! Every call that touches the model runs inside [`guard::guard`], because a Rust panic must not unwind
//! into C. A call that only passes on to the wrapped VFS has nothing in it that panics.
#![expect(unsafe_code, reason = "SQLite's C interface is raw pointers and callbacks")]

mod file;
mod guard;
mod vfs;

pub(super) use vfs::register;

//! What SQLite stands on: layers between it and the operating system's files, and the memory of its pages.
//!
//! SQLite does all it does to files through a VFS, a table of C functions. A [`Layer`] is one as a Rust
//! trait: [`register`] puts it around another VFS, and from then on files that are opened under its name pass
//! through it. What a layer does not care about goes on to the VFS beneath. A layer that keeps a log may also keep
//! what the connections to its file share ([`Index`], [`View`]): the log's index, the locks on it, and which pages
//! were written when.
//!
//! The pages that a connection has in memory are kept by us too ([`keep_pages`]): SQLite's own way looks at all
//! of them at the end of a transaction that moved one. So are its statements, once they are prepared
//! ([`Connection`]).
//!
//! This is the only crate that speaks SQLite's C interface.

mod beneath;
mod code;
mod ffi;
mod index;
mod layer;
mod pages;

pub use beneath::{Beneath, Folder};
pub use code::Code;
pub use ffi::{Connection, Prepared, keep_pages, register};
pub use index::{Index, View, Writes};
pub use layer::{Door, File, Layer, Wanted};

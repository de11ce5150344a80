//! Layers between SQLite and the operating system's files.
//!
//! SQLite does all it does to files through a VFS, a table of C functions. A [`Layer`] is one as a Rust
//! trait: [`register`] puts it around another VFS, and from then on files that are opened under its name pass
//! through it. What a layer does not care about goes on to the VFS beneath: locks and shared memory always do,
//! so several connections in WAL mode work as without it.
//!
//! This is the only crate that speaks SQLite's C interface.

mod beneath;
mod code;
mod ffi;
mod layer;

pub use beneath::{Beneath, Folder};
pub use code::Code;
pub use ffi::register;
pub use layer::{Door, File, Layer, Wanted};

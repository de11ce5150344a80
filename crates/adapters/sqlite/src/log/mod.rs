//! The write-ahead log, written short.
//!
//! SQLite logs every page that a transaction touched as a whole, and a turn touches many pages to change some
//! bytes of each. A layer under SQLite keeps the log as SQLite knows it in memory, and writes to the disc what
//! differs: of each write where it goes and which bytes are other than those of the last version of the same
//! page. What a commit means does not change: it is written before it is answered, and synced when SQLite says
//! so. Whoever opens a file after a crash reads the short log, has the long one, and SQLite goes on from there.
//!
//! The file is called `-log` instead of `-wal`: SQLite by itself would take a short log for no log at all, and
//! delete it.

mod chunk;
mod damage;
mod delta;
mod layer;
mod lengths;
mod pages;
mod short;
mod whole;

pub(crate) use layer::{
    SUFFIX, WHOLE_SUFFIX, damaged, holds_something, is_whole, left_behind, under, unknown_form,
};

/// The form in which this version writes.
pub(crate) const FORM: u8 = chunk::MAGIC[chunk::MAGIC.len() - 1];

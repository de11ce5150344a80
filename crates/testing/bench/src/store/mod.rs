//! The store beside raw SQLite writing the same rows.

mod bytes;
mod fsync;
mod load;
mod memory;
mod ours;
mod raw;
mod report;
mod run;

pub(crate) use memory::{make_history, resident_over};
pub(crate) use run::run;

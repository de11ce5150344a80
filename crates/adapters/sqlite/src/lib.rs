//! The store in two SQLite files: `journal.db` and `agent.db`.
//!
//! One writer per file drains whatever is waiting into one transaction with one fsync; readers use
//! read-only connections of their own and never wait for it. [`Home`] is the way in.

mod check;
mod config;
mod connection;
mod copy;
mod create;
mod desk;
mod fault;
mod file;
mod folding;
mod hand;
mod header;
mod home;
mod inspect;
mod keys;
mod log;
mod pack;
mod prepared;
mod queue;
mod readers;
mod reads;
mod rows;
mod schema;
mod signals;
mod snapshot;
mod store;
mod unfinished;
mod wake_rows;
mod writer;

pub use check::CheckReport;
pub use config::{Config, Drive, Synchronous};
pub use home::{Home, HomeLock, Way};
pub use keys::teach;
pub use pack::StoredText;
pub use store::SqliteStore;

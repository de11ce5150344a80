//! The index in one SQLite file, `index.sqlite`: full text with FTS5.
//!
//! The file is derived. What is damaged, foreign, of another version or of another home is replaced
//! by an empty one without asking, and whoever feeds it begins again. [`SqliteIndex`] is the way in.

mod config;
mod connection;
mod excerpt;
mod expression;
mod fault;
mod file;
mod index;
mod put;
mod readers;
mod schema;
mod search;

pub use config::Config;
pub use index::{FILE_NAME, SqliteIndex};

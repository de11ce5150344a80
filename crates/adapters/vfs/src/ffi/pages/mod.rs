//! Memory for pages, as SQLite asks for it.

mod cache;
mod lines;

pub use cache::keep_pages;
pub(crate) use cache::{Sight, made_for};

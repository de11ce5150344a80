//! Finding what people keep by its words.
//!
//! The index is derived: it follows the journal's change log from a position of its own, and is brought up
//! to date before each search. One that is missing, stale or from elsewhere is filled anew.

mod aside;
mod catch_up;
mod document;
mod finder;

pub use finder::{Find, Finder, FoundView, HitView};

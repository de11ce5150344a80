//! Going out and coming in: a journal as a text, and texts as what they add to a journal.
//!
//! An archive is everything that lives in a journal as one value; formats are functions from it and
//! to it. What comes in is read and checked whole, compared with what is there, and only then
//! written, in as many commits as it takes.

mod archive;
mod check;
mod export;
mod format;
#[cfg(test)]
mod given;
mod import;
mod inbox;
mod intake;
mod json;
mod markdown;
mod meet;
mod merged;
mod refer;
mod refuse;
mod rename;
mod standing;
mod taskwarrior;
mod title;
mod todotxt;

pub use export::Export;
pub use format::Format;
pub use import::{Import, Imported};
pub(crate) use inbox::Inbox;
pub use meet::Meeting;

#[cfg(test)]
#[path = "round_tests.rs"]
mod tests;

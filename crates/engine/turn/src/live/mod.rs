//! What is heard of turns while they are under way: for eyes, lost without harm.
//!
//! A turn speaks with a [`Voice`]; what it says is held for a while, bounded, so that whoever comes late
//! or comes back is told what they have not heard. What is not held any more is in the record.

mod chunk;
mod follow;
mod held;
mod voice;

pub use chunk::{Chunk, ChunkId, Happened};
pub use follow::{Following, Live};
pub(crate) use voice::Voice;

#[cfg(test)]
#[path = "live_tests.rs"]
mod tests;

//! Prompts as a model sees them.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod age;
mod compacting;
mod given;
mod hostile;
mod parts;
mod projecting;
mod snapshots;

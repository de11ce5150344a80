//! The scribe, asked as a turn asks it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod broken;
mod contract;
mod given;
mod hostile;
mod looks;
mod orders;
mod spoken;
mod talk;

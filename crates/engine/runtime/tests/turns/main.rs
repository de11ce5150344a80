//! Whole turns with a scripted model, from what wakes an agent to what it leaves.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod breaks;
mod house;
mod idle;
mod once;
mod story;

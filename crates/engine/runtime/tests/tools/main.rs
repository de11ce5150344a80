//! Every tool of the journal through the one gate: what it does, that it does it once, that it does not
//! reach further than it may, and that it can be put back.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod every;
mod house;
mod moving;
mod origins;
mod own_task;
mod scenes;

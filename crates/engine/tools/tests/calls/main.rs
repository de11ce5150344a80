//! Calls of tools from end to end, over the real store.
#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod answers;
mod crashes;
mod door;
mod gate;
mod groups;
mod house;
mod own;
mod pairs;
mod quotas;
mod riders;
mod side_by_side;
mod stops;
mod stuck;
mod workshop;

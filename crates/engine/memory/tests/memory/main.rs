//! Reports and notes, from the call of a tool to what is read of them, over the real store.
#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod fresh;
mod house;
mod notes;
mod reports;
mod retries;

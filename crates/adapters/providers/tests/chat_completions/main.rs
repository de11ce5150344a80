//! Providers against a Chat Completions server: what is sent, what is read, what is retried, and what
//! never leaves the machine.

#![expect(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

mod answers;
mod closed;
mod kept;
mod retries;
mod table;

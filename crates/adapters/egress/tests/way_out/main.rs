//! The way out: where it goes, where it does not, and what it makes of answers.

#![expect(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

mod answers;
mod denied;
mod peer;
mod trusted;

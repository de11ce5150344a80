//! The program as a user meets it: words in, text and exit codes out.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod first_thread;
mod lost_and_broken;
mod shell;
mod usage;
mod waking;

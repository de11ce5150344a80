//! The program as a user meets it: words in, text and exit codes out.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod calling;
mod days;
mod exchange;
mod first_thread;
mod lists;
mod lost_and_broken;
mod notes;
mod server;
mod serving;
mod shell;
mod usage;
mod waking;

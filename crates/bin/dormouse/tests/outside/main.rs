//! The program as a user meets it: words in, text and exit codes out.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod backed_up;
mod calling;
mod consent;
mod days;
mod exchange;
mod first_thread;
mod guarded;
mod interjecting;
mod killed;
mod lists;
mod lost_and_broken;
mod notes;
mod replaying;
mod server;
mod serving;
mod sessions;
mod shell;
mod streaming;
mod tending;
mod turning;
mod usage;
mod waking;
mod watched;

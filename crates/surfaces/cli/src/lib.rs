//! The command line: words in, requests out, answers shown.
//!
//! stdout is data and stderr is talk. With `--json` exactly one JSON value goes to stdout.

mod args;
mod ask;
mod ask_schedule;
mod journal;
mod paint;
mod render;
mod run;
mod screen;
mod table;

pub use run::main;

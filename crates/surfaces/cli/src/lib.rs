//! The command line: words in, requests out, answers shown.
//!
//! stdout is data and stderr is talk. With `--json` exactly one JSON value goes to stdout;
//! where something is followed, each piece of it is a line before that.

mod args;
mod ask;
mod ask_schedule;
mod consent;
mod journal;
mod live;
mod paint;
mod prompt;
mod providers;
mod render;
mod report;
mod run;
mod screen;
mod session;
mod table;
mod template;
mod up;

pub use run::main;

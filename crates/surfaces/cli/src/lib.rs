//! The command line: words in, requests out, answers shown.
//!
//! stdout is data and stderr is talk. With `--json` exactly one JSON value goes to stdout. Only what is
//! followed has more, a line each: the pieces of a run before its answer, and whatever `up` sees.

mod args;
mod ask;
mod ask_schedule;
mod consent;
mod events;
mod journal;
mod live;
mod number;
mod paint;
mod prompt;
mod providers;
mod render;
mod replay;
mod report;
mod resume;
mod run;
mod screen;
mod session;
mod spent;
mod table;
mod template;
mod up;
mod watcher;

pub use run::main;
pub use watcher::Watcher;

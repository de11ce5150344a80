//! The writer: one per file, a plain function from commits to outcomes.

mod apply;
mod audit;
mod change;
mod content;
mod drain;
mod event;
mod guards;
mod link;
mod operation;
mod record;
mod run;
mod state;
mod touched;

pub(crate) use state::{Tail, Writer};

//! The writer: one per file, a plain function from commits to outcomes.

mod apply;
mod audit;
mod budget;
mod change;
mod content;
mod drain;
mod event;
mod fences;
mod guards;
mod hint;
mod link;
mod mark;
mod operation;
mod record;
mod run;
mod schedule;
mod state;
mod tool;
mod touched;
mod trim;
mod wait;
mod words;

pub(crate) use drain::Reply;
pub(crate) use state::{Tail, Writer};

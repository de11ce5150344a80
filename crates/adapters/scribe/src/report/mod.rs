//! The report: what a task says of itself, put in order, line by line with its sources.

mod changes;
mod conclude;
mod page;
mod private;
mod sheet;

pub(crate) use changes::tell;
pub(crate) use conclude::conclude;
pub(crate) use page::{draft, stands};

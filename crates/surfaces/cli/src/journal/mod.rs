//! The words about the journal: one file for each thing, with its words, its requests and how it is
//! shown.

pub(crate) mod capture;
pub(crate) mod category;
mod change;
pub(crate) mod exchange;
pub(crate) mod history;
pub(crate) mod label;
mod media;
mod more;
pub(crate) mod note;
pub(crate) mod plan;
mod plan_lines;
pub(crate) mod rate;
pub(crate) mod say;
pub(crate) mod search;
mod stdin;
pub(crate) mod task;
pub(crate) mod time;
pub(crate) mod today;

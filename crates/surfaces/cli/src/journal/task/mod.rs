//! Tasks: one file for each group of words, with what it asks for and how that is shown.

mod add;
mod ask;
mod carry;
mod checklist;
mod edit;
mod item;
mod label;
mod link;
mod list;
mod show;
mod status;
mod words;

pub(crate) use ask::{TaskCommand, ask};

//! Undoing, and the history that it rests on.

mod check;
mod history;
mod labels;
mod put_back;
mod refuse;
mod resting;
mod room;
mod since;
mod steps;
mod told;

pub use history::{Doing, HistoryView};

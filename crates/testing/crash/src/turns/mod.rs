//! The whole program killed under load, with agents at work: what was asked for and acknowledged is done,
//! and done once.
//!
//! People ask task agents for items on their checklists, over the local socket, while `dormouse serve`
//! is killed again and again. Some ask for the same again under another name. The model never answers
//! twice alike, so a turn that planned anew instead of going on where it was shows on the list. In the end every turn
//! is gone through again.

mod home;
mod judge;
mod model;
mod people;
mod replay;
mod run;
mod serving;

pub use judge::{Asked, Lists, judge};
pub use run::{Kills, Summary, run};

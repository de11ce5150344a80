//! What can be done to the journal, one file each. Most are also tools; a few are the operator's alone.

mod category;
mod checklist;
mod entry;
mod given;
mod label;
mod list;
mod offer;
mod plan;
mod rating;
mod schema;
mod task;
mod time;

pub(crate) use category::is_untouched_seed;
pub(crate) use list::ALL;
pub(crate) use rating::{Mean, rated, rating_of, tally};
pub(crate) use task::no_circle;
pub(crate) use time::minutes;

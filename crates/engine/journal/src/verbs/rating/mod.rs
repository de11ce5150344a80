//! Ratings: how something was.
//!
//! Who may see what is rated may see its rating. A day belongs to all categories, so its rating is the
//! operator's alone: no agent reads it, sets it, or has it counted in a summary.

mod find;
mod rate;
mod remove;
mod summary;
mod tally;
mod target;

pub(crate) use find::GetRatingForTarget;
pub(crate) use rate::CreateOrUpdateRating;
pub(crate) use remove::RemoveRating;
pub(crate) use summary::{GetRatingsSummary, tally};
pub(crate) use tally::{Mean, Tally};
pub(crate) use target::{rated, rating_of};

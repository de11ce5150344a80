//! Requests about the journal.

mod day_replies;
mod entries;
mod exchange;
mod look;
mod replies;
mod time_replies;

pub(crate) use replies::done;

//! What a turn may spend, what it is about to, and what it has spent.
//!
//! | when | what is known | where it stands |
//! |---|---|---|
//! | a run begins; an answer is recorded | what the next question and the calls before it may cost at most | set aside for the run, in that commit (`aside`) |
//! | a question is under way | the same, and what its earlier attempts took | in memory, by run (`under_way`, `counted`) |
//! | its answer is there | what it took | there too, and in the purse of its turn (`purse`) |
//! | the next commit of the turn | the same | in the account of the day, instead of what was set aside (`aside`) |
//! | the run is put back or given up | what of it is not on record | counted with that (`unrecorded`) |
//! | the process dies | nothing | what was set aside counts as spent |
//!
//! So a purse is what a turn knows of itself, and `under_way` what others know of it who end it. What is left of a
//! day, with all of this, says `day`; that little is left, `warn`.

mod aside;
mod counted;
mod day;
mod purse;
mod under_way;
mod unrecorded;
pub(crate) mod warn;

pub use day::Spending;

pub(crate) use aside::{set_aside, settle};
pub(crate) use purse::{Purse, amounts};
pub(crate) use under_way::{Attempt, Outcome, Question, UnderWay, Wanted};
pub(crate) use unrecorded::{audited, audited_about_words, audited_of, spent};

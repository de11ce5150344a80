//! The gates, as decisions: a request and a snapshot in, a verdict out, with the rule that spoke. At the
//! root the one for calls of tools, in [`inference`] the one before a model.
//!
//! Nothing here acts, reads or remembers. What a decision rests on is all in its two arguments, so it can
//! be tested, explained and made again. Whoever acts needs an [`Admitted`], and only [`judge`] makes one.

mod admitted;
pub mod inference;
mod judge;
mod request;
mod rights;
mod rule;
mod snapshot;
mod verdict;

pub use admitted::Admitted;
pub use judge::{Check, Decision, ORDER, is_of_the_moment, judge};
pub use request::{Request, Terms};
pub use rights::Rights;
pub use snapshot::{Earlier, Plan, Snapshot, Written};
pub use verdict::{Complaint, Denial, Denied, Verdict};

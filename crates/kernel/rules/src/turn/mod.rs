//! Turns: names that follow from a run, what a wake is to the turn before, whether a turn gets anywhere,
//! what asking takes, how it fails, and how it leaves its agent.

mod closure;
mod continuation;
mod dialog;
pub mod followup;
mod name;
mod progress;
mod reach;
mod recovery;

pub use closure::{Facts, close};
pub use continuation::{only_reports, resolve, trigger};
pub use dialog::{classify, named};
pub use name::{failed_id, failed_ids, id, message_id, round_id, said_id};
pub use progress::{Progress, Step};
pub use reach::{backfill, calls, charged, spent};
pub use recovery::{category, classify as classify_failure, code, strategy, tries_again};
pub use types::DialogAct;

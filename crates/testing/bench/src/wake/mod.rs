//! Waking beside raw SQLite, and what sleeping agents cost.

mod asleep;
mod changes;
mod fleet;
mod hinting;
mod load;
mod matching;
mod raw_matching;
mod raw_wakes;
mod report;
mod run;
mod size;
mod wakes;

pub(crate) use asleep::{idle_share, resident_asleep, start_us};
pub(crate) use run::run;

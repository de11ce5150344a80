//! What agents write down for themselves and for others: their reports and their notes.
//!
//! A report is the standing document of an agent. It changes by one tool only, names for each claim what
//! it rests on, and is read with how far it can still be relied on; no model is asked for that. Notes are
//! the agent's own: a list that only grows, and that no report repeats. Both tools plan, as every tool
//! does, and write among the agents' records.

mod read;
mod service;
mod tool;

pub use read::{Note, ReportView, Resting};
pub use service::Memory;
pub use tool::UPDATE_REPORT;

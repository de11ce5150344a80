//! Waking: from changes to queued runs, and from queued runs to their ends.

mod error;
mod list_runs;
mod match_changes;
mod run_queued;
mod service;

pub use error::Error;
pub use service::Waker;

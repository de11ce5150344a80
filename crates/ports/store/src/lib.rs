//! The store: one door for every write, and typed reads.
//!
//! Nothing above knows which backend stands behind it. A backend that does not pass
//! [`conformance`] does not exist.

mod bearing;
#[cfg(feature = "conformance")]
pub mod conformance;
mod ending;
mod error;
mod port;
mod reads;
mod sight;
mod wait;

pub use bearing::bearing;
pub use ending::Ending;
pub use error::StoreError;
pub use port::{Answer, Store};
pub use reads::{
    Briefing, FencesAround, Listing, Marked, Outlook, ReadChanges, ReadDue, ReadHistory,
    ReadRecords, ReadRuns,
};
pub use sight::{Background, Reach, ReadSight, Recall, Surroundings, TaskReport};
pub use wait::{wait, wait_unless};

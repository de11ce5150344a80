//! The tools: one to keep notes, one to write the report, and what the report is held to.

mod claims;
mod contract;
mod observe;
mod private;
mod schema;
mod sources;
mod update;
mod writes;

pub(crate) use observe::RecordObservations;
pub use update::UPDATE_REPORT;
pub(crate) use update::UpdateReport;

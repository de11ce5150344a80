//! Reading reports and notes; nobody is asked for it but the store.

mod about;
mod notes;
mod report;

pub use about::Resting;
pub use notes::Note;
pub use report::ReportView;

//! Reading reports and notes; nobody is asked for it but the store.

mod about;
mod notes;
mod report;
mod task;

pub use notes::Note;
pub use report::ReportView;
pub use task::TaskReport;

//! The journal on the wire: what can be looked at, and how it is shown.

mod day;
mod done;
mod entry;
mod exchange;
mod found;
mod look;
mod rating;
mod task;
mod time;

pub use day::{BlockReply, DayNoteReply, DayReply, PinReply};
pub use done::{DoneReply, HistoryReply, TouchedReply};
pub use entry::{EntryReply, LabelReply};
pub use exchange::{ExportReply, ImportParams, ImportReply, UploadReply};
pub use found::{FoundReply, HitReply};
pub use look::{EntryListParams, JournalLook, TaskListParams};
pub use rating::{MeanReply, RatingReply, RatingsReply};
pub use task::{CategoryReply, ChecklistReply, ItemReply, RelationReply, TaskReply};
pub use time::{SpentReply, TimeReply, TimeSheetReply};

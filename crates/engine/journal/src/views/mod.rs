//! Reading the journal for people.

mod category;
mod day;
mod entry;
mod entry_list;
mod heading;
mod label;
mod names;
mod plan;
mod rating;
mod task;
mod task_list;
mod time;
mod time_sheet;

pub use category::CategoryView;
pub use day::{DayView, NoteView};
pub use entry::EntryView;
pub use entry_list::EntryFilter;
pub(crate) use heading::heading;
pub use label::LabelView;
pub use plan::{BlockView, PinView};
pub use rating::{MeanView, RatingView, RatingsView};
pub use task::{ChecklistView, ItemView, TaskView};
pub use task_list::TaskFilter;
pub use time::TimeView;
pub use time_sheet::{SpentView, TimeSheetView};

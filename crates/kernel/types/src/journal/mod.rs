//! The journal: what people author. Nothing of an agent's is ever stored here.

mod category;
mod checklist;
mod entry;
mod plan;
mod rating;
mod task;
mod time;

pub use category::{Category, TaskLabel};
pub use checklist::{Checklist, ChecklistItem};
pub use entry::{Entry, EntryKind, Media};
pub use plan::{DayPlan, PlanBlock};
pub use rating::Rating;
pub use task::{Task, TaskPriority, TaskStatus};
pub use time::TimeEntry;

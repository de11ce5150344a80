//! The journal: what people author, and everything that can be done to it.
//!
//! A verb reads at a desk and answers with a plan; nothing is written until the plan is carried out,
//! for the operator by [`Journal::perform`], for an agent by the executor. Views read for people.
//! Nothing here knows of agents.

mod desk;
mod error;
mod exchange;
mod plan;
mod search;
mod service;
mod steps;
mod undo;
mod verb;
mod verbs;
mod views;
mod words;

pub use desk::TaskSort;
pub use error::Error;
pub use exchange::{Export, Format, Import, Imported, Meeting};
pub use search::{Find, Finder, FoundView, HitView};
pub use service::{Answer, Ask, Journal};
pub use steps::STEPS;
pub use undo::{Doing, HistoryView};
pub use views::{
    BlockView, CategoryView, ChecklistView, DayView, EntryFilter, EntryView, ItemView, LabelView,
    MeanView, NoteView, PinView, RatingView, RatingsView, SpentView, TaskFilter, TaskView,
    TimeSheetView, TimeView,
};

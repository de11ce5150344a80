//! The runtime: the engine's rooms over one store and one world.

mod assemble;
mod watcher;

pub use assemble::{Runtime, Stay};
pub use fleet::{AgentStatus, AgentView, CreateAgent, Edge, Template};
pub use index::Index;
pub use ingress::{Admitted, Delivery};
pub use journal::{
    Answer, Ask, BlockView, CategoryView, ChecklistView, DayView, EntryFilter, EntryView, Export,
    Find, Finder, Format, FoundView, HistoryView, Import, Imported, ItemView, Journal, LabelView,
    MeanView, Meeting, NoteView, PinView, RatingView, RatingsView, SpentView, TaskFilter, TaskSort,
    TaskView, TimeSheetView, TimeView,
};
pub use rules::obligation::Obligation;
pub use wake::{CreateSchedule, ScheduleView};

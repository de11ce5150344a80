//! The runtime: the engine's rooms over one store and one world.

mod account;
mod again;
mod assemble;
mod debug_prompt;
mod find_run;
mod interrupt;
mod profile;
mod replay;
mod sample;
mod setup;
mod told;
mod undo;

pub use account::Account;
pub use again::RunAgain;
pub use assemble::Runtime;
pub use consent::{Known, ReceiptView, Statement};
pub use debug_prompt::PromptView;
pub use fleet::{
    AgentStatus, AgentView, BadTemplate, CreateAgent, Edge, Subject, Template, TemplateKind,
    Templates,
};
pub use index::Index;
pub use ingress::{Admitted, Delivery, Woken};
pub use journal::{
    Answer, Ask, BlockView, CategoryView, ChecklistView, DayView, EntryFilter, EntryView, Export,
    Find, Finder, Format, FoundView, HistoryView, Import, Imported, ItemView, Journal, LabelView,
    MeanView, Meeting, NoteView, PinView, RatingView, RatingsView, SpentView, TaskFilter, TaskSort,
    TaskView, TimeSheetView, TimeView,
};
pub use memory::{Memory, Note, ReportView, Resting};
pub use model::ProviderStanding;
pub use replay::Replayed;
pub use rules::obligation::Obligation;
pub use rules::session::{Grounded, Whole};
pub use rules::trim::Keep;
pub use sample::Sample;
pub use sessions::{ConversationView, SaidView, SessionView, StartSession};
pub use setup::{Setup, Stay};
pub use told::{LifeTold, LookTold, Seen, TurnTold};
pub use turn::{Chunk, ChunkId, Deployment, Following, Happened, Live, Models, Spending};
pub use wake::{Awaits, CreateSchedule, ScheduleView, Told, Turned};

//! What goes over the wire between a command line, a page or a program and a Dormouse.
//!
//! Field names here are what users see with `--json`: they are added to, never changed.

mod answer;
mod budget;
mod consent;
mod journal;
mod live;
mod problem;
mod provider;
mod reply;
mod report;
mod request;
mod session;

pub use answer::{Answer, LifeReply, LookReply, ServingReply, TurnReply, WatchReply};
pub use budget::{AllowanceReply, BudgetReply};
pub use consent::{ConsentReply, TermsReply};
pub use journal::{
    BlockReply, CategoryReply, ChecklistReply, DayNoteReply, DayReply, DoneReply, EntryListParams,
    EntryReply, ExportReply, FoundReply, HistoryReply, HitReply, ImportParams, ImportReply,
    ItemReply, JournalLook, LabelReply, MeanReply, PinReply, RatingReply, RatingsReply,
    RelationReply, SpentReply, TaskListParams, TaskReply, TimeReply, TimeSheetReply, TouchedReply,
    UploadReply,
};
pub use live::{ChunkReply, LiveEvent, TurnEndReply};
pub use problem::ProblemReply;
pub use provider::{ProviderReply, RetryReply};
pub use reply::{
    AgentReply, BackfillReply, BackupReply, BriefReply, CheckReply, ClosureReply, DrainReply,
    EventReply, FailureReply, KillReply, ObligationReply, OccurrenceReply, PromptItem, PromptReply,
    QueuedReply, ReplayReply, RunReply, ScheduleReply, TemplateReply, WakeEdge,
};
pub use report::{ClaimReply, FreshnessReply, ReportReply, RestingReply};
pub use request::{PromptParams, Request, ScheduleParams};
pub use session::{
    ConversationReply, GroundReply, InMindReply, SaidReply, SessionCall, SessionReply,
};
pub use types::{At, Day, GroundingAct, Overlap, ReplayedStep, Verdict};

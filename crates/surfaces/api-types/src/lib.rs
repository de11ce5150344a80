//! What goes over the wire between a command line, a page or a program and a Dormouse.
//!
//! Field names here are what users see with `--json`: they are added to, never changed.

mod problem;
mod reply;
mod request;

pub use problem::ProblemReply;
pub use reply::{
    AgentReply, BackfillReply, CategoryReply, CheckReply, DrainReply, FailureReply, KillReply,
    ObligationReply, OccurrenceReply, QueuedReply, RunReply, ScheduleReply, TaskReply, WakeEdge,
};
pub use request::{Request, ScheduleParams};
pub use types::{At, Overlap};

//! Events: what an agent's followers are shown, in the agent's own order.

use serde_json::Value;

use crate::{AgentId, At};

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// An agent came to be.
    AgentCreated,
    /// A wake was queued.
    WakeQueued,
    /// A run began.
    RunStarted,
    /// A run will be tried again.
    RunRetried,
    /// A run ended.
    RunEnded,
    /// A message was admitted.
    MessageAdmitted,
    /// A wait ended, in whatever way.
    WaitEnded,
    /// The agent's stage of life changed.
    LifecycleChanged,
    /// A model answered: how it was reached, and what that took. Nothing of what it said.
    ModelAnswered,
    /// A model could not be reached, or its answer not be understood: how it was tried.
    ModelFailed,
    /// What a model said is on record: how it begins, and what it asks for.
    AnswerRecorded,
    /// A turn is over: what it says, and what it cost.
    TurnSettled,
    /// A turn is over that changed something and could not write down how it ended.
    PartialTurnFailure,
    /// The agent wrote a report.
    ReportUpdated,
    /// The agent has spent most of what it may in a day.
    BudgetNear,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [EventKind; 15] = [
        EventKind::AgentCreated,
        EventKind::WakeQueued,
        EventKind::RunStarted,
        EventKind::RunRetried,
        EventKind::RunEnded,
        EventKind::MessageAdmitted,
        EventKind::WaitEnded,
        EventKind::LifecycleChanged,
        EventKind::ModelAnswered,
        EventKind::ModelFailed,
        EventKind::AnswerRecorded,
        EventKind::TurnSettled,
        EventKind::PartialTurnFailure,
        EventKind::ReportUpdated,
        EventKind::BudgetNear,
    ];

    /// The kind as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            EventKind::AgentCreated => "agent_created",
            EventKind::WakeQueued => "wake_queued",
            EventKind::RunStarted => "run_started",
            EventKind::RunRetried => "run_retried",
            EventKind::RunEnded => "run_ended",
            EventKind::MessageAdmitted => "message_admitted",
            EventKind::WaitEnded => "wait_ended",
            EventKind::LifecycleChanged => "lifecycle_changed",
            EventKind::ModelAnswered => "model_answered",
            EventKind::ModelFailed => "model_failed",
            EventKind::AnswerRecorded => "answer_recorded",
            EventKind::TurnSettled => "turn_settled",
            EventKind::PartialTurnFailure => "partial_turn_failure",
            EventKind::ReportUpdated => "report_updated",
            EventKind::BudgetNear => "budget_near",
        }
    }
}

/// An event as it goes into a commit.
#[derive(Debug, Clone, PartialEq)]
pub struct EventDraft {
    /// Whose.
    pub agent: AgentId,
    /// What happened.
    pub kind: EventKind,
    /// Its particulars.
    pub body: Value,
}

/// An event as it is stored. `event_seq` counts per agent, from 1 without gaps: the one cursor
/// that replay goes by.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Whose.
    pub agent: AgentId,
    /// Its number among the agent's events.
    pub event_seq: u64,
    /// What happened; kept as text, since an older reader may not know it.
    pub kind: String,
    /// When.
    pub at: At,
    /// Its particulars.
    pub body: Value,
}

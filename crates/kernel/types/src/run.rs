//! Wake runs: the durable decision to run an agent, and how it ended.

use serde::{Deserialize, Serialize};

use crate::{
    AgentId, At, Code, Digest, EnvelopeId, ModelRef, Position, Priority, RunKey, ThreadId,
};

/// Why an agent wakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WakeReason {
    /// A change that it subscribed to.
    Subscription,
    /// A schedule.
    Timer,
    /// A schedule whose time passed while nobody was there.
    CatchUp,
    /// Somebody spoke to it.
    UserInitiated,
    /// Somebody asked it to look again.
    Manual,
    /// Work it started came to an end.
    JobResult,
    /// A webhook or trigger.
    Trigger,
    /// The runtime chose to look again.
    Tick,
}

impl WakeReason {
    /// Every reason.
    pub const ALL: [WakeReason; 8] = [
        WakeReason::Subscription,
        WakeReason::Timer,
        WakeReason::CatchUp,
        WakeReason::UserInitiated,
        WakeReason::Manual,
        WakeReason::JobResult,
        WakeReason::Trigger,
        WakeReason::Tick,
    ];

    /// The reason as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            WakeReason::Subscription => "subscription",
            WakeReason::Timer => "timer",
            WakeReason::CatchUp => "catch_up",
            WakeReason::UserInitiated => "user_initiated",
            WakeReason::Manual => "manual",
            WakeReason::JobResult => "job_result",
            WakeReason::Trigger => "trigger",
            WakeReason::Tick => "tick",
        }
    }

    /// Whether such a wake only says "look": then one look serves many, it keeps to the agent's pace
    /// and stops at a barrier. The others carry somebody's word and do none of that.
    #[must_use]
    pub const fn is_content_free(self) -> bool {
        match self {
            WakeReason::Subscription
            | WakeReason::Timer
            | WakeReason::CatchUp
            | WakeReason::Tick => true,
            WakeReason::UserInitiated
            | WakeReason::Manual
            | WakeReason::JobResult
            | WakeReason::Trigger => false,
        }
    }

    /// When such a wake should have its turn, unless its envelope says otherwise.
    #[must_use]
    pub const fn priority(self) -> Priority {
        match self {
            WakeReason::Manual => Priority::Next,
            WakeReason::Tick => Priority::Background,
            _ => Priority::Normal,
        }
    }
}

/// What a run spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Calls to a model: how often it was sent something, in all attempts at the run.
    pub model_calls: u32,
    /// Tokens sent.
    pub tokens_in: u64,
    /// Tokens received.
    pub tokens_out: u64,
}

impl Usage {
    /// What is left of it without the other.
    #[must_use]
    pub const fn less(self, other: Usage) -> Usage {
        Usage {
            model_calls: self.model_calls.saturating_sub(other.model_calls),
            tokens_in: self.tokens_in.saturating_sub(other.tokens_in),
            tokens_out: self.tokens_out.saturating_sub(other.tokens_out),
        }
    }
}

/// The proof that a wake looked and found nothing to do: what it looked at, and why that was
/// nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The rule that decided.
    pub rule: String,
    /// Changes seen since the agent last looked.
    pub changes_seen: u64,
    /// The journal position before.
    pub journal_from: Position,
    /// The journal position up to which it has now looked.
    pub journal_to: Position,
    /// The same in the agents' own log, before.
    #[serde(default)]
    pub agent_from: Position,
    /// The same in the agents' own log, now.
    #[serde(default)]
    pub agent_to: Position,
}

/// How a run failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFailure {
    /// The code.
    pub code: Code,
    /// For people.
    pub message: String,
}

/// How a run ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// A turn was taken and came to a good end.
    Done,
    /// It looked and there was nothing to do; no model was called.
    NothingToDo(Receipt),
    /// A sleep barrier stood.
    SkippedSleeping,
    /// The agent was gone.
    SkippedDestroyed,
    /// It failed and is not tried again.
    Failed(RunFailure),
}

/// What a queued run waits for, besides its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Nothing.
    Open,
    /// A time: a cooldown, the end of a barrier, a retry, a delivery time.
    Until(At),
    /// Its agent: paused, or behind a closed fence. Whoever lets the agent go lets the run go.
    Held,
}

/// Where a run stands; each state carries exactly what it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunState {
    /// Waits for its turn.
    Queued {
        /// What it waits for besides.
        gate: Gate,
    },
    /// Is being worked on.
    Started {
        /// Since when.
        at: At,
    },
    /// Is over.
    Ended {
        /// Since when.
        at: At,
        /// How.
        end: RunEnd,
    },
}

impl RunState {
    /// The status as it is stored and shown.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            RunState::Queued { .. } => "queued",
            RunState::Started { .. } => "started",
            RunState::Ended { end, .. } => end.as_str(),
        }
    }
}

impl RunEnd {
    /// The terminal status.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            RunEnd::Done | RunEnd::NothingToDo(_) => "completed",
            RunEnd::SkippedSleeping => "skipped_sleeping",
            RunEnd::SkippedDestroyed => "skipped_destroyed",
            RunEnd::Failed(_) => "failed_terminal",
        }
    }
}

/// A wake as it is queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunDraft {
    /// Its name; a name already in the log is not queued again.
    pub run_key: RunKey,
    /// Who wakes.
    pub agent: AgentId,
    /// Why.
    pub reason: WakeReason,
    /// The subscription, timer or other thing that caused it.
    pub reason_id: Option<String>,
    /// Its thread.
    pub thread: ThreadId,
    /// The change that caused it, if one did.
    pub logical_change_key: Option<Digest>,
    /// When it should have its turn.
    pub priority: Priority,
    /// The envelope it reads, if it reads one.
    pub envelope: Option<EnvelopeId>,
    /// Not before this time.
    pub not_before: Option<At>,
    /// A turn is taken even if nothing relevant changed.
    pub insist: bool,
    /// The model that is asked in it, if the operator wants another than its agent has.
    pub model: Option<ModelRef>,
}

impl RunDraft {
    /// Whether it only says "look": then one look serves many, it keeps to the agent's pace, stops at
    /// a barrier and takes no turn if nothing relevant changed. One that carries somebody's words
    /// does none of that, whatever its reason.
    #[must_use]
    pub const fn only_looks(&self) -> bool {
        self.reason.is_content_free() && self.envelope.is_none()
    }
}

/// A wake run as the log remembers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// What it was queued as.
    pub draft: RunDraft,
    /// Its number in the log.
    pub number: u64,
    /// When it was queued.
    pub created_at: At,
    /// When it was last begun.
    pub started_at: Option<At>,
    /// How often it has been tried in vain.
    pub attempt: u32,
    /// How often it failed by itself; being stopped from outside does not count.
    pub failures: u32,
    /// The run it was merged into.
    pub merged_into: Option<RunKey>,
    /// Where it stands.
    pub state: RunState,
    /// What it spent.
    pub usage: Usage,
}

impl Run {
    /// A run as it stands when it has just been queued.
    #[must_use]
    pub fn queued(draft: RunDraft, number: u64, at: At) -> Run {
        Run {
            draft,
            number,
            created_at: at,
            started_at: None,
            attempt: 0,
            failures: 0,
            merged_into: None,
            state: RunState::Queued { gate: Gate::Open },
            usage: Usage::default(),
        }
    }
}

/// A run that could begin now, as far as the queue knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyRun {
    /// Whose.
    pub agent: AgentId,
    /// Its number in the log.
    pub number: u64,
    /// Its priority.
    pub priority: Priority,
}

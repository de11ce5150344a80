//! What is answered.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use types::{
    At, AttemptTimeline, Continuation, FailureArtifact, Overlap, Receipt, Recovery, ReplayedStep,
    Verdict,
};

use crate::{BudgetReply, ProblemReply};

/// One way in which an agent can be woken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WakeEdge {
    /// Of which kind.
    pub kind: String,
    /// Which one.
    pub id: String,
    /// What it listens for.
    pub tokens: Vec<String>,
}

/// A backup that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupReply {
    /// The folder it is in.
    pub backup: String,
}

/// An agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentReply {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it was made from.
    pub template: String,
    /// The task it tends, if it was made for one.
    pub task: Option<String>,
    /// How it stands in life.
    pub lifecycle: String,
    /// Why it is dormant, if it is.
    pub dormant_because: Option<String>,
    /// What it is doing now, on this host.
    pub posture: String,
    /// When it was made.
    pub created_at: At,
    /// How it can be woken.
    pub wake_edges: Vec<WakeEdge>,
    /// What it still has to do.
    pub obligations: Vec<ObligationReply>,
    /// Something it has to do will never wake it.
    pub flagged: bool,
    /// What woke it last.
    pub last_wake_reason: Option<String>,
    /// Since when it sleeps; absent while it runs.
    pub slept_at: Option<At>,
    /// Why.
    pub sleeps_because: Option<String>,
    /// How its last turn left it; absent before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closure: Option<ClosureReply>,
    /// What it has spent today, and of how much; only if it is asked for alone, and takes turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetReply>,
    /// It had been made before, under the same request id.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

/// How a turn left its agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosureReply {
    /// Which turn.
    pub turn: String,
    /// `completed`, `continuable`, `failed` or `waiting`.
    pub outcome: String,
    /// What it waits for, if it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_reason: Option<String>,
}

/// A template: what agents are made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateReply {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: u32,
    /// What its agents are made for: `watcher` or `task_agent`.
    pub kind: String,
    /// What it is, for people who choose one.
    pub description: String,
    /// Its file in the folder `templates` of the home; absent if it is built in.
    pub file: Option<String>,
    /// The tools that its agents are offered.
    pub tools: Vec<String>,
    /// The text of its file; absent in lists.
    pub text: Option<String>,
}

/// Something that an agent still has to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ObligationReply {
    /// Of which kind: `run`, `envelope` or `wait`.
    pub kind: String,
    /// Which.
    pub id: String,
    /// In words.
    pub what: String,
    /// What will wake the agent for it; absent means that nothing will.
    pub edge: Option<String>,
}

/// A schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScheduleReply {
    /// Its id.
    pub id: String,
    /// Whose.
    pub agent: String,
    /// What people call it.
    pub label: String,
    /// Its cron line.
    pub cron: Option<String>,
    /// Seconds between two slots.
    pub every_seconds: Option<u64>,
    /// The zone of its wall clock.
    pub zone: String,
    /// Where it stands.
    pub status: String,
    /// What happens when it comes round too soon.
    pub overlap: Overlap,
    /// Whether what was missed is made up for.
    pub catch_up: bool,
    /// Whether it ends after its first occurrence.
    pub once: bool,
    /// Whether it wakes its agent even if nothing relevant changed.
    pub always: bool,
    /// No slot after this.
    pub ends_at: Option<At>,
    /// When it comes round next.
    pub next_at: Option<At>,
    /// What became of its slots, newest first.
    pub occurrences: Vec<OccurrenceReply>,
    /// It had been made before, under the same request id.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

/// What became of a slot, or of consecutive missed ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OccurrenceReply {
    /// The first slot that it covers.
    pub first_slot: String,
    /// The last slot that it covers.
    pub last_slot: String,
    /// How many.
    pub count: u64,
    /// When the last of them was due.
    pub due_at: At,
    /// What brought it about.
    pub source: String,
    /// What became of it.
    pub state: String,
    /// Why it was skipped.
    pub skip_reason: Option<String>,
    /// What the overlap policy said.
    pub decision: Option<String>,
    /// The run that it queued.
    pub run_key: Option<String>,
    /// When it ended.
    pub ended_at: Option<At>,
}

/// What is said of a wake that was queued.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueuedReply {
    /// The run.
    pub run_key: String,
    /// It had been queued before, under the same name.
    pub again: bool,
    /// What came of it, if it was waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brief: Option<BriefReply>,
}

/// What a run says to the operator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BriefReply {
    /// `result` or `failure`; `nothing` if it had nothing to say, `pending` if it is not over.
    pub kind: String,
    /// The words.
    pub text: String,
    /// How it failed, with what lies beneath, if its turn did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureArtifact>,
}

/// What an agent's model is asked with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromptReply {
    /// The model that it is for.
    pub model: String,
    /// About how many tokens all of it has, the tools too.
    pub tokens: u64,
    /// Its parts, in order.
    pub items: Vec<PromptItem>,
    /// The tools that are offered.
    pub tools: Vec<String>,
    /// About how many tokens what the model is told of the tools has.
    #[serde(default)]
    pub tool_tokens: u64,
}

/// A part of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromptItem {
    /// What it is.
    pub kind: String,
    /// How long it stays the same.
    pub stability: String,
    /// How far its words may be trusted.
    pub trust: String,
    /// About how many tokens it has.
    pub tokens: u64,
    /// Why it is there, and what was left out.
    pub reason: String,
    /// Its words; absent if they were erased.
    pub text: Option<String>,
}

/// A past turn that was gone through again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayReply {
    /// Of which run.
    pub run_key: String,
    /// What came of all of it: the weightiest of what came of each step.
    pub verdict: Verdict,
    /// What was done again, in order.
    pub steps: Vec<ReplayedStep>,
}

/// How the kill switch stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KillReply {
    /// It is on: nobody runs.
    pub on: bool,
    /// The capabilities whose tools are stopped, for everybody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
}

/// How many slots of the past will run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BackfillReply {
    /// How many.
    pub queued: u64,
}

/// Something that happened to an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventReply {
    /// Its number among the agent's own, from 1: whoever has seen it asks for what comes after.
    pub event_seq: u64,
    /// Whose.
    pub agent: String,
    /// When.
    pub at: At,
    /// What.
    pub kind: String,
    /// Its particulars.
    pub body: Value,
}

/// A wake run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunReply {
    /// Its name.
    pub run_key: String,
    /// Why the agent woke.
    pub reason: String,
    /// The subscription, timer or other thing that caused it.
    pub reason_id: Option<String>,
    /// Where it stands.
    pub status: String,
    /// Calls to a model: how often it was sent something, in all attempts at the run.
    pub model_calls: u32,
    /// Tokens sent.
    pub tokens_in: u64,
    /// Tokens received.
    pub tokens_out: u64,
    /// The run it was merged into.
    pub merged_into: Option<String>,
    /// Why there was nothing to do.
    pub receipt: Option<Receipt>,
    /// How it failed, if it did.
    pub failure: Option<FailureReply>,
    /// How often it has been tried in vain.
    pub attempt: u32,
    /// From when it is run, or tried again, if it waits for a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_at: Option<At>,
    /// Why it is held until somebody lets it go: why its agent is dormant, or `kill_switch`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_because: Option<String>,
    /// How it failed the last time, if it is to be tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_before: Option<String>,
    /// The run whose turn took up its words, because they were thrown in there: that one's outcome is its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_up_by: Option<String>,
    /// When it was queued.
    pub created_at: At,
    /// When it ended.
    pub completed_at: Option<At>,
    /// What its turn cost, in the currency of the prices; absent if it took none to its end.
    #[serde(default)]
    pub cost: Option<f64>,
    /// The model that its turn asked, or that it is to ask because somebody chose it.
    #[serde(default)]
    pub model: Option<String>,
    /// Which turn of the agent it was, from 1.
    #[serde(default)]
    pub turn_index: Option<u64>,
    /// What came of its turn for the agent.
    #[serde(default)]
    pub closure: Option<String>,
    /// What it was to the agent's turn before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation: Option<Continuation>,
    /// What was done about failures on the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery: Option<Recovery>,
    /// What the operator is warned of besides: that most of a budget is spent.
    #[serde(default)]
    pub warning: Option<String>,
}

/// How a run failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailureReply {
    /// The code.
    pub code: String,
    /// For people.
    pub message: String,
    /// What its turn left of it, with what lies beneath.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<FailureArtifact>,
    /// The attempts to reach a model that led to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeline: Option<AttemptTimeline>,
}

/// What a drain did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DrainReply {
    /// Runs that ended.
    pub ended: u64,
    /// Those of them that failed.
    #[serde(default)]
    pub failed: u64,
}

/// What a full check of a file found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckReply {
    /// Which file.
    pub file: String,
    /// Whether it is whole.
    pub ok: bool,
    /// Changes in its log.
    pub changes: u64,
    /// Entries in its audit chain.
    pub audit_entries: u64,
    /// What is wrong inside it.
    pub findings: Vec<String>,
    /// Why it could not be read, if it could not.
    pub problem: Option<ProblemReply>,
}

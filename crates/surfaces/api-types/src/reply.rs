//! What is answered.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use types::{At, Receipt};

use crate::ProblemReply;

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskReply {
    /// Its id.
    pub id: String,
    /// What is to be done.
    pub title: String,
    /// Where it stands.
    pub status: String,
    /// How much it matters.
    pub priority: String,
    /// The name of its category.
    pub category: String,
    /// How often it was written.
    pub revision: u64,
    /// When it was made.
    pub created_at: At,
    /// When it last changed.
    pub updated_at: At,
    /// Its checklist.
    pub items: Vec<Value>,
}

/// A category.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CategoryReply {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
}

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

/// An agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentReply {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it was made from.
    pub template: String,
    /// How it stands in life.
    pub lifecycle: String,
    /// What it is doing now, on this host.
    pub posture: String,
    /// When it was made.
    pub created_at: At,
    /// How it can be woken.
    pub wake_edges: Vec<WakeEdge>,
    /// What it still has to do: runs that wait.
    pub obligations: Vec<Value>,
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
    /// Calls to a model.
    pub model_calls: u32,
    /// Tokens sent.
    pub tokens_in: u64,
    /// Tokens received.
    pub tokens_out: u64,
    /// The run it was merged into.
    pub merged_into: Option<String>,
    /// Why there was nothing to do.
    pub receipt: Option<Receipt>,
    /// When it was queued.
    pub created_at: At,
    /// When it ended.
    pub completed_at: Option<At>,
}

/// What a drain did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DrainReply {
    /// Runs that ended.
    pub ended: u64,
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

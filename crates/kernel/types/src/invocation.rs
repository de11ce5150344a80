//! Invocations: calls of tools, from what was meant to what came of it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    AgentId, CategoryId, ContentRef, Invalid, OperationId, RecordId, RunKey, ThreadId, VectorClock,
    WakeReason, limits,
};

/// A record that a tool changed, with what it had seen afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangedRecord {
    /// Which record.
    pub id: RecordId,
    /// Its clock when it was read again; empty for a record of the agent's own, which is written
    /// together with this.
    pub clock: VectorClock,
}

/// How far what was done is known to be what was allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compliance {
    /// The gate allowed it, and it was seen through to its answer.
    Compliant,
    /// The gate allowed it; that it was done was found out later, from the journal.
    Recovered,
}

/// Where an invocation stands; each state carries exactly what it has.
///
/// ```text
/// -          intend  Intended   only what changes something; before the effect
/// -          answer  Done       reads, previews, changes that change nothing: one step
/// -, Denied  deny    Denied     an attempt that got further is never hidden by a denial
/// Intended   record  Done, Failed, Denied
/// Intended   doubt   Unknown    the disk failed under the effect
/// Intended, Unknown  settle     Done, if the journal knows the operation
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
pub enum InvocationState {
    /// It was allowed and is about to be done; whether it was is in the journal.
    Intended,
    /// It has its answer.
    Done {
        /// The answer.
        result: ContentRef,
        /// How far it is known to be what was allowed.
        compliance: Compliance,
        /// What it changed.
        changed: Vec<ChangedRecord>,
        /// The answer is that of an earlier time.
        repeated: bool,
    },
    /// The gate refused it; nothing was done.
    Denied {
        /// The rule that spoke.
        rule: String,
        /// The error it was answered with.
        result: ContentRef,
    },
    /// It was allowed and could not be done; nothing was done.
    Failed {
        /// The error it was answered with.
        result: ContentRef,
    },
    /// Whether it was done is not known, and it is not done again before somebody has asked.
    Unknown,
}

impl InvocationState {
    /// The state as it is stored and shown.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            InvocationState::Intended => "intended",
            InvocationState::Done { .. } => "done",
            InvocationState::Denied { .. } => "denied",
            InvocationState::Failed { .. } => "failed",
            InvocationState::Unknown => "unknown",
        }
    }

    /// What it was answered, if it was.
    #[must_use]
    pub const fn result(&self) -> Option<&ContentRef> {
        match self {
            InvocationState::Done { result, .. }
            | InvocationState::Denied { result, .. }
            | InvocationState::Failed { result } => Some(result),
            InvocationState::Intended | InvocationState::Unknown => None,
        }
    }
}

/// One call of a tool by an agent. Its id follows from the run and the operation, so that the same
/// intent is the same record however often it is tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolInvocation {
    /// Who called.
    pub agent_id: AgentId,
    /// In which run.
    pub run_key: RunKey,
    /// In which thread; a session is one.
    pub thread: ThreadId,
    /// Which tool.
    pub tool: String,
    /// The version of its contract; 0 if no tool has that name.
    pub tool_version: u32,
    /// The operation, if it changes something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<OperationId>,
    /// The calls of the same answer of a model, if there were several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Why the agent was awake.
    pub wake_reason: WakeReason,
    /// The categories it could touch.
    pub scope: BTreeSet<CategoryId>,
    /// What it was called with.
    pub arguments: ContentRef,
    /// The policy that governed it.
    pub policy: String,
    /// Where it stands.
    pub state: InvocationState,
}

impl ToolInvocation {
    /// Whether a text can stand as the name of a tool: it becomes a token of the change.
    #[must_use]
    pub fn is_tool_name(name: &str) -> bool {
        (1..=limits::TOOL_NAME_BYTES_MAX).contains(&name.len())
            && name.chars().all(|c| matches!(c, 'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-'))
    }

    pub(crate) fn check(&self) -> Result<(), Invalid> {
        if !ToolInvocation::is_tool_name(&self.tool) {
            return Err(Invalid::new("tool", format!("{:?} is no name of a tool", self.tool)));
        }
        Invalid::unless_text("thread", self.thread.as_str(), limits::TITLE_BYTES_MAX)?;
        Invalid::unless_line("policy", &self.policy, limits::NAME_BYTES_MAX)?;
        if let Some(group) = &self.group {
            Invalid::unless_line("group", group, limits::ID_BYTES_MAX)?;
        }
        match &self.state {
            InvocationState::Denied { rule, .. } => {
                Invalid::unless_line("rule", rule, limits::NAME_BYTES_MAX)
            }
            InvocationState::Done { changed, .. } => {
                let max = limits::COMMIT_WRITES_MAX * 2;
                Invalid::unless_within("changed", changed.len(), max, "records")
            }
            _ => Ok(()),
        }
    }
}

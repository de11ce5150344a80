//! Invocations: calls of tools, from what was meant to what came of it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    AgentId, CategoryId, ContentRef, Invalid, MessageId, OperationId, RecordId, RunKey, ThreadId,
    Token, VectorClock, WakeReason, limits,
};

/// What kind of thing a call does. The list is closed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionType {
    /// It uses a tool.
    #[default]
    ToolCall,
    /// It shows what it would do, and does nothing.
    ProposePlan,
    /// It asks a person.
    AskUser,
    /// It changes how its agent lives: when it sleeps and wakes.
    LifecycleTransition,
}

impl ActionType {
    /// The type as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ActionType::ToolCall => "tool_call",
            ActionType::ProposePlan => "propose_plan",
            ActionType::AskUser => "ask_user",
            ActionType::LifecycleTransition => "lifecycle_transition",
        }
    }
}

/// How a call failed, as far as it can be looked for: the whole of it lies with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallError {
    /// The code.
    pub code: String,
    /// For people.
    pub message: String,
}

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

/// What led to a call. With its run, its tool and its operation it says what the call is part of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Trace {
    /// Which attempt of its run, from 0.
    pub attempt: u32,
    /// The answer of a model that asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<MessageId>,
    /// What it belongs to, beyond its run: the word of whoever spoke, or the run itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correlation: Option<String>,
}

/// Where an invocation stands; each state carries exactly what it has.
///
/// ```text
/// -          intend  Intended   only what changes something; before the effect
/// -          answer  Done       reads, previews, changes that change nothing: one step
/// -, Denied, Failed  deny  Denied   what was done is never hidden by a denial
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
        /// What that change is about.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changed_tokens: Vec<Token>,
        /// The answer is that of an earlier time.
        repeated: bool,
    },
    /// The gate refused it; nothing was done.
    Denied {
        /// The rule that spoke.
        rule: String,
        /// The error it was answered with.
        result: ContentRef,
        /// The same in short; absent in records of the first form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<CallError>,
    },
    /// It was allowed and could not be done; nothing was done.
    Failed {
        /// The error it was answered with.
        result: ContentRef,
        /// The same in short; absent in records of the first form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<CallError>,
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
            | InvocationState::Failed { result, .. } => Some(result),
            InvocationState::Intended | InvocationState::Unknown => None,
        }
    }

    /// Whether it was begun and nobody wrote down how it ended.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.result().is_none()
    }

    /// How it was answered; not at all while it is only intended. Of one that was begun and whose end
    /// nobody knows, no more than a part is known.
    #[must_use]
    pub const fn status(&self) -> Option<&'static str> {
        match self {
            InvocationState::Intended => None,
            InvocationState::Done { .. } => Some("success"),
            InvocationState::Denied { .. } | InvocationState::Failed { .. } => Some("error"),
            InvocationState::Unknown => Some("partial"),
        }
    }

    /// How it failed, if it did.
    #[must_use]
    pub const fn error(&self) -> Option<&CallError> {
        match self {
            InvocationState::Denied { error, .. } | InvocationState::Failed { error, .. } => {
                error.as_ref()
            }
            _ => None,
        }
    }
}

/// One call of a tool by an agent: the action and, once it has one, its result, in one record that
/// cannot have the one without the other. Its id follows from the run and the operation, so that the same
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
    /// What kind of thing it does.
    #[serde(default)]
    pub action_type: ActionType,
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
    /// What led to it; the attempt is the one that last said something of it.
    #[serde(default)]
    pub trace: Trace,
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
        if let Some(CallError { code, message }) = self.state.error() {
            Invalid::unless_line("code", code, limits::NAME_BYTES_MAX)?;
            let max = limits::TOOL_MESSAGE_BYTES_MAX;
            Invalid::unless_within("message", message.len(), max, "bytes")?;
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

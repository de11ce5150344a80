//! Waits: what an agent rests for, committed together with the decision to rest.

use serde::{Deserialize, Serialize};

use crate::{AgentId, At, Invalid, RunKey, limits};

/// What somebody waits for. Each names the thing whose end ends the wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "for", rename_all = "snake_case", deny_unknown_fields)]
pub enum WaitFor {
    /// Background work.
    Job {
        /// Which.
        job: String,
    },
    /// A schedule.
    Timer {
        /// Which.
        schedule: String,
    },
    /// Something outside, announced by a trigger.
    External {
        /// Which trigger announces it.
        trigger: String,
    },
    /// The operator's word.
    Operator,
    /// The operator's approval of one thing.
    Approval {
        /// Of which.
        approval: String,
    },
}

impl WaitFor {
    /// The kind as it is shown.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            WaitFor::Job { .. } => "job",
            WaitFor::Timer { .. } => "timer",
            WaitFor::External { .. } => "external",
            WaitFor::Operator => "operator",
            WaitFor::Approval { .. } => "approval",
        }
    }

    /// The source by which waits on it are found: kind and id.
    #[must_use]
    pub fn source(&self) -> String {
        let id = match self {
            WaitFor::Job { job } => job,
            WaitFor::Timer { schedule } => schedule,
            WaitFor::External { trigger } => trigger,
            WaitFor::Operator => "operator",
            WaitFor::Approval { approval } => approval,
        };
        format!("{}:{id}", self.as_str())
    }
}

impl WaitFor {
    /// The record that says whether it can still happen, where there is one. Jobs and approvals say so
    /// themselves, and the operator is always there.
    #[must_use]
    pub fn record(&self) -> Option<&str> {
        match self {
            WaitFor::Timer { schedule } => Some(schedule),
            WaitFor::External { trigger } => Some(trigger),
            WaitFor::Job { .. } | WaitFor::Operator | WaitFor::Approval { .. } => None,
        }
    }
}

/// How a wait stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
pub enum WaitState {
    /// Still waited for.
    Open,
    /// It came.
    Met,
    /// Its time ran out.
    Expired,
    /// What was waited for can no longer happen.
    Broken {
        /// Why.
        why: String,
    },
}

impl WaitState {
    /// The state as it is stored and shown.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            WaitState::Open => "open",
            WaitState::Met => "met",
            WaitState::Expired => "expired",
            WaitState::Broken { .. } => "broken",
        }
    }
}

/// A wait. It always has a deadline, so that nobody waits for ever: when it passes, the agent is
/// woken to decide again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// Who waits.
    pub agent_id: AgentId,
    /// For what.
    pub waiting_for: WaitFor,
    /// In words.
    pub description: String,
    /// The run that decided to wait.
    pub run_key: RunKey,
    /// When to stop waiting.
    pub deadline: At,
    /// How it stands.
    pub state: WaitState,
}

impl Wait {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        Invalid::unless_text("description", &self.description, limits::TITLE_BYTES_MAX)
    }
}

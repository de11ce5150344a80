//! Continuation: what a wake is to what its agent was doing before.

use serde::{Deserialize, Serialize};

use crate::{ClosureOutcome, TriggerKind, TurnId, WaitingReason};

/// How a wake goes on from the turn before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContinuationClass {
    /// It is what the agent waited for.
    ResumeExpectedWait,
    /// The operator speaks, whatever the agent waited for.
    ResumeOverride,
    /// There is something to decide, and nobody's wait is over because of it.
    LocalContinuation,
    /// The agent was looked after, and no model hears of it.
    LivenessOnly,
}

impl ContinuationClass {
    /// The class as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ContinuationClass::ResumeExpectedWait => "resume_expected_wait",
            ContinuationClass::ResumeOverride => "resume_override",
            ContinuationClass::LocalContinuation => "local_continuation",
            ContinuationClass::LivenessOnly => "liveness_only",
        }
    }
}

/// What a wake is to what its agent was doing before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Continuation {
    /// What kind of thing woke it.
    pub trigger_kind: TriggerKind,
    /// How it goes on.
    pub class: ContinuationClass,
    /// A model hears of it.
    pub model_visible: bool,
    /// What came of the turn before; absent before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior_outcome: Option<ClosureOutcome>,
    /// What that one waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior_waiting_reason: Option<WaitingReason>,
    /// It is what that one waited for.
    pub matched_waiting_reason: bool,
    /// The facts it was decided from.
    pub evidence: Vec<String>,
}

/// How an agent's last turn left it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LastTurn {
    /// Which turn.
    pub turn: TurnId,
    /// What came of it.
    pub outcome: ClosureOutcome,
    /// What it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_reason: Option<WaitingReason>,
    /// The last turn that did not fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good: Option<TurnId>,
    /// An earlier one failed, and none since has shown that the looks that were put off then need not wait.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub put_off: bool,
}

impl LastTurn {
    /// Whether looks may have been put off.
    #[must_use]
    pub fn has_put_off(&self) -> bool {
        self.put_off || self.outcome == ClosureOutcome::Failed
    }
}

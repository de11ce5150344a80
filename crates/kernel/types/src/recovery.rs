//! Recovery: what kind of failure ended an activity, what is done about it, and what came of that.

use serde::{Deserialize, Serialize};

use crate::TurnId;

/// What kind of failure ended an activity. The list is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureType {
    /// No answer in time.
    Timeout,
    /// Credentials were refused or could not be had.
    AuthenticationFailure,
    /// Too many requests.
    RateLimited,
    /// Somebody else failed.
    DependencyFailure,
    /// Something here is set up wrongly.
    ConfigurationError,
    /// The network failed.
    NetworkError,
}

impl FailureType {
    /// The type as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            FailureType::Timeout => "timeout",
            FailureType::AuthenticationFailure => "authentication_failure",
            FailureType::RateLimited => "rate_limited",
            FailureType::DependencyFailure => "dependency_failure",
            FailureType::ConfigurationError => "configuration_error",
            FailureType::NetworkError => "network_error",
        }
    }
}

/// What is done about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// The run is tried again, later each time; the provider's own time is honoured.
    Retry,
    /// The run is tried again, and what it had not recorded is planned anew.
    Replan,
    /// A person has to do something first, and is told so.
    Escalate,
    /// It will fail again as things are set up: it ends, and its agent stands where its last good turn
    /// left it.
    Rollback,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecoveryOutcome {
    /// A later attempt came to a good end.
    Resolved,
    /// A person was told.
    Escalated,
    /// It was tried as often as it may be.
    Abandoned,
}

/// The activity that failed, and what is done about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailedActivity {
    /// Which step of the turn.
    pub activity: String,
    /// How; absent if it was denied, which is no failure to recover from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_type: Option<FailureType>,
    /// What is done about it.
    pub strategy: Strategy,
    /// The last good turn of the agent, if that is where it stands again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands_at: Option<TurnId>,
}

/// How a turn was recovered, or was not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    /// The last activity that failed, if this attempt knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<FailedActivity>,
    /// How often it was tried in vain.
    pub attempts: u32,
    /// What came of it.
    pub outcome: RecoveryOutcome,
}

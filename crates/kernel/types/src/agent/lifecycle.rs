//! The four stages of an agent's life; `rules::lifecycle` says which follows which.

use serde::{Deserialize, Serialize};

use crate::At;

/// Why an agent is dormant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DormantCause {
    /// The operator paused it.
    Paused,
    /// It was stopped and needs an explicit resume.
    Stopped,
    /// It failed too often in a row.
    Failures,
    /// What it tends no longer exists.
    TaskMissing,
}

impl DormantCause {
    /// The cause as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            DormantCause::Paused => "paused",
            DormantCause::Stopped => "stopped",
            DormantCause::Failures => "failures",
            DormantCause::TaskMissing => "task_missing",
        }
    }
}

/// How an agent stands in life. Durable and synced; nothing leads out of `Destroyed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "stage", rename_all = "snake_case", deny_unknown_fields)]
pub enum Lifecycle {
    /// Made, not yet woken.
    Created,
    /// Wakes when it should.
    Active,
    /// Kept, but not woken.
    Dormant {
        /// Why.
        cause: DormantCause,
    },
    /// Over. Its records remain for the audit.
    Destroyed {
        /// Since when.
        at: At,
    },
}

impl Lifecycle {
    /// The stage as users see it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Lifecycle::Created => "created",
            Lifecycle::Active => "active",
            Lifecycle::Dormant { .. } => "dormant",
            Lifecycle::Destroyed { .. } => "destroyed",
        }
    }

    /// Whether its wakes may run.
    #[must_use]
    pub const fn may_wake(self) -> bool {
        matches!(self, Lifecycle::Created | Lifecycle::Active)
    }
}

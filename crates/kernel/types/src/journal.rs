//! The journal: what people author. Nothing of an agent's is ever stored here.

use serde::{Deserialize, Serialize};

use crate::{CategoryId, Invalid, limits};

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// To be done.
    Open,
    /// Being done.
    InProgress,
    /// Done.
    Done,
    /// Not to be done any more.
    Cancelled,
}

impl TaskStatus {
    /// The status as users see it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TaskStatus::Open => "open",
            TaskStatus::InProgress => "in_progress",
            TaskStatus::Done => "done",
            TaskStatus::Cancelled => "cancelled",
        }
    }
}

/// How much a task matters, most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskPriority {
    /// Now.
    P0,
    /// Soon.
    P1,
    /// In its turn.
    P2,
    /// Some day.
    P3,
}

impl TaskPriority {
    /// The priority as users see it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TaskPriority::P0 => "p0",
            TaskPriority::P1 => "p1",
            TaskPriority::P2 => "p2",
            TaskPriority::P3 => "p3",
        }
    }
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// What is to be done.
    pub title: String,
    /// Where it stands.
    pub status: TaskStatus,
    /// How much it matters.
    pub priority: TaskPriority,
    /// Where it belongs; also who may see it.
    pub category_id: CategoryId,
}

impl Task {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        Invalid::unless_text("title", &self.title, limits::TITLE_BYTES_MAX)
    }
}

/// A category: a part of life that tasks belong to and that agents are admitted to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    /// What people call it.
    pub name: String,
}

impl Category {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        Invalid::unless_text("name", &self.name, limits::NAME_BYTES_MAX)
    }
}

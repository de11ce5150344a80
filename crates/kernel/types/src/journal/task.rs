//! Tasks.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{At, CategoryId, Due, Invalid, TaskLabelId, limits};

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// To be done.
    Open,
    /// Being done.
    InProgress,
    /// Something else has to happen first.
    Blocked,
    /// Put aside.
    OnHold,
    /// Done.
    Done,
    /// Not to be done any more.
    Cancelled,
}

impl TaskStatus {
    /// Every status.
    pub const ALL: [TaskStatus; 6] = [
        TaskStatus::Open,
        TaskStatus::InProgress,
        TaskStatus::Blocked,
        TaskStatus::OnHold,
        TaskStatus::Done,
        TaskStatus::Cancelled,
    ];

    /// Whether there is nothing left to do.
    #[must_use]
    pub const fn is_closed(self) -> bool {
        matches!(self, TaskStatus::Done | TaskStatus::Cancelled)
    }

    /// The status as users see it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TaskStatus::Open => "open",
            TaskStatus::InProgress => "in_progress",
            TaskStatus::Blocked => "blocked",
            TaskStatus::OnHold => "on_hold",
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
    /// Every priority, most first.
    pub const ALL: [TaskPriority; 4] =
        [TaskPriority::P0, TaskPriority::P1, TaskPriority::P2, TaskPriority::P3];

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
    /// How long it should take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate_minutes: Option<u32>,
    /// When it is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Due>,
    /// The language it is written in, such as `de` or `pt-BR`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The labels it bears.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<TaskLabelId>,
    /// When it was done or cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<At>,
}

impl Task {
    /// An open task of which no more is known than its title and where it belongs.
    pub fn new(title: impl Into<String>, category_id: CategoryId) -> Task {
        Task {
            title: title.into(),
            status: TaskStatus::Open,
            priority: TaskPriority::P2,
            category_id,
            estimate_minutes: None,
            due: None,
            language: None,
            labels: BTreeSet::new(),
            closed_at: None,
        }
    }

    pub(crate) fn check(&self) -> Result<(), Invalid> {
        Invalid::unless_line("title", &self.title, limits::TITLE_BYTES_MAX)?;
        Invalid::unless_within("labels", self.labels.len(), limits::TASK_LABELS_MAX, "labels")?;
        if self.estimate_minutes.is_some_and(|minutes| minutes > limits::ESTIMATE_MINUTES_MAX) {
            return Err(Invalid::new("estimate", "is more than a year"));
        }
        match &self.language {
            Some(language) if !is_language(language) => {
                Err(Invalid::new("language", format!("{language:?} is not like de or pt-BR")))
            }
            _ => Ok(()),
        }
    }
}

/// The shape of a language tag: letters first, then letters or digits between hyphens.
fn is_language(text: &str) -> bool {
    let mut parts = text.split('-');
    let first = parts.next().unwrap_or_default();
    (2..=8).contains(&first.len())
        && first.chars().all(|c| c.is_ascii_alphabetic())
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric())
        })
}

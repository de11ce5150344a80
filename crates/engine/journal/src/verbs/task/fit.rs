//! What the verbs of tasks share: an answer, a move from one status to another, arguments.

use serde::Deserialize;
use serde_json::{Value, json};
use types::{At, RecordId, Task, TaskPriority, TaskStatus, limits};

use crate::verbs::schema;
use crate::{Error, words};

/// A task as verbs answer it.
pub(crate) fn shown(id: &RecordId, task: &Task) -> Value {
    json!({ "id": id, "task": task })
}

/// The task in another status. When it was closed is kept as long as it stays closed.
pub(crate) fn moved_to(task: Task, status: TaskStatus, now: At) -> Task {
    let closed_at = status.is_closed().then(|| task.closed_at.unwrap_or(now));
    Task { status, closed_at, ..task }
}

/// How long something takes: so many minutes, or as people write it.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "whole minutes, or a text such as 1h30, are expected")]
pub(crate) enum Minutes {
    /// Minutes.
    Count(u32),
    /// Words, such as `1h30`.
    Words(String),
}

impl Minutes {
    /// How many they are.
    pub(crate) fn count(self) -> Result<u32, Error> {
        match self {
            Minutes::Count(minutes) => Ok(minutes),
            Minutes::Words(text) => words::minutes(&text),
        }
    }
}

/// The argument that says how much a task matters.
pub(crate) fn priority() -> Value {
    schema::word(&TaskPriority::ALL.map(TaskPriority::as_str), "p0 is now, p3 is some day.")
}

/// The argument that says how long a task should take.
pub(crate) fn estimate() -> Value {
    schema::number(0, limits::ESTIMATE_MINUTES_MAX, "How many minutes it should take.")
}

/// The argument that says what language a task is written in.
pub(crate) fn language() -> Value {
    schema::line("A language tag such as de or pt-BR.", 40)
}

/// An argument that names labels.
pub(crate) fn label_ids(description: &str) -> Value {
    schema::list(schema::id("label", description), limits::TASK_LABELS_MAX)
}

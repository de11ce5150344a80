//! Time that was spent.

use serde::{Deserialize, Serialize};

use crate::{At, Day, EntryId, Invalid, TaskId, limits};

/// A stretch of time spent on a task. One without an end is a timer that runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeEntry {
    /// On which task.
    pub task_id: TaskId,
    /// From when.
    pub started_at: At,
    /// Until when; absent while the timer runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<At>,
    /// The day it began on, where it was spent.
    pub day: Day,
    /// What was done.
    #[serde(default)]
    pub description: String,
    /// The entry in which it was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_entry_id: Option<EntryId>,
}

impl TimeEntry {
    /// Whole minutes, as far as it is over.
    #[must_use]
    pub fn minutes(&self) -> Option<i64> {
        self.ended_at.map(|end| (end.millis() - self.started_at.millis()) / 60_000)
    }

    pub(crate) fn check(&self) -> Result<(), Invalid> {
        if self.ended_at.is_some_and(|end| end <= self.started_at) {
            return Err(Invalid::new("ended_at", "is not after the start"));
        }
        let max = limits::TIME_ENTRY_MS_MAX;
        if self.ended_at.is_some_and(|end| end.millis() - self.started_at.millis() > max) {
            return Err(Invalid::new("ended_at", "is more than a week after the start"));
        }
        let (text, max) = (&self.description, limits::NOTE_BYTES_MAX);
        Invalid::unless_within("description", text.len(), max, "bytes")
    }
}

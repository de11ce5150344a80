//! Checklists.

use serde::{Deserialize, Serialize};

use crate::{ChecklistId, Invalid, TaskId, limits};

/// A checklist of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checklist {
    /// Of which task.
    pub task_id: TaskId,
    /// What people call it.
    pub title: String,
}

impl Checklist {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        Invalid::unless_line("title", &self.title, limits::TITLE_BYTES_MAX)
    }
}

/// An item of a checklist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChecklistItem {
    /// On which checklist.
    pub checklist_id: ChecklistId,
    /// Of which task: the checklist's, so that a change to an item speaks of its task.
    pub task_id: TaskId,
    /// What is to be done.
    pub title: String,
    /// It is done.
    pub checked: bool,
    /// Its place among its neighbours, in the order of these texts.
    pub rank: String,
}

impl ChecklistItem {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        Invalid::unless_line("title", &self.title, limits::TITLE_BYTES_MAX)?;
        Invalid::unless_text("rank", &self.rank, limits::RANK_BYTES_MAX)
    }
}

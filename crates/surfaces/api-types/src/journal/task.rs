//! Tasks and categories as they are shown.

use serde::{Deserialize, Serialize};
use types::At;

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskReply {
    /// Its id.
    pub id: String,
    /// What is to be done.
    pub title: String,
    /// Where it stands.
    pub status: String,
    /// How much it matters.
    pub priority: String,
    /// The name of its category.
    pub category: String,
    /// The names of its labels.
    pub labels: Vec<String>,
    /// When it is due: a day, or a day with a time.
    pub due: Option<String>,
    /// The same as one says it today: `tomorrow 09:00`.
    pub due_words: Option<String>,
    /// It should have been done by now.
    pub overdue: bool,
    /// How many minutes it should take.
    pub estimate_minutes: Option<u32>,
    /// The same as one says it: `1h 30m`.
    pub estimate_words: Option<String>,
    /// The language it is written in.
    pub language: Option<String>,
    /// How often it was written.
    pub revision: u64,
    /// When it was made.
    pub created_at: At,
    /// When it last changed.
    pub updated_at: At,
    /// When it was closed.
    pub closed_at: Option<At>,
    /// How many items of its checklists are done.
    pub items_done: usize,
    /// How many items its checklists have.
    pub items_all: usize,
    /// All items of its checklists, in their order; empty in a list of tasks.
    pub items: Vec<ItemReply>,
    /// Its checklists; empty in a list of tasks.
    pub checklists: Vec<ChecklistReply>,
    /// Its relations to other tasks; empty in a list of tasks.
    pub relations: Vec<RelationReply>,
}

/// A checklist.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChecklistReply {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub title: String,
}

/// An item of a checklist.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemReply {
    /// Its id.
    pub id: String,
    /// What is to be done.
    pub title: String,
    /// It is done.
    pub checked: bool,
    /// On which checklist.
    pub checklist: String,
}

/// A relation to another task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelationReply {
    /// How, seen from this task: `blocks`, `blocked_by`, `parent_of`, …
    pub relation: String,
    /// The other task.
    pub task: String,
    /// Its title.
    pub title: String,
}

/// A category.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CategoryReply {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// In which colour it is shown.
    pub colour: Option<String>,
}

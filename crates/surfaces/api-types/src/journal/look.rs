//! What can be looked at in the journal.

use serde::{Deserialize, Serialize};

/// A look at the journal. It changes nothing. Those without fields have braces all the same: what they were asked
/// besides would be passed over without.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "snake_case", deny_unknown_fields)]
pub enum JournalLook {
    /// One task with its checklists and relations.
    Task {
        /// Which: its id, or the last characters of it.
        task: String,
    },
    /// Tasks.
    Tasks(TaskListParams),
    /// All categories.
    Categories {},
    /// All labels.
    Labels {},
    /// One note.
    Entry {
        /// Which: its id, or the last characters of it.
        entry: String,
    },
    /// Notes.
    Entries(EntryListParams),
    /// Everything, as one text.
    Export {
        /// `json` or `markdown`.
        format: String,
    },
    /// Records by their words, best first.
    Search {
        /// The words: all of them, `"as a phrase"`, `-without`.
        words: String,
        /// Only of these kinds: `task`, `item`, `checklist`, `note`, `time`, `plan` or `rating`.
        #[serde(default)]
        kinds: Vec<String>,
        /// Only in this category.
        #[serde(default)]
        category: Option<String>,
        /// At most this many; 20 if absent.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// One stretch of time.
    TimeEntry {
        /// Which: its id, or the last characters of it.
        time_entry: String,
    },
    /// The time of some days, with what it comes to.
    TimeSheet {
        /// The first day, as people write days.
        from: String,
        /// The last day.
        to: String,
    },
    /// The timer that runs; nothing, if none does.
    Timer {},
    /// A day: its plan, what is due, what was done on it.
    Day {
        /// Which, as people write days.
        day: String,
    },
    /// The rating of something; nothing, if it was not rated.
    Rating {
        /// Of what: a task, a stretch of time, an entry, or a day.
        target: String,
    },
    /// The ratings of some days in numbers.
    Ratings {
        /// The first day, as people write days.
        from: String,
        /// The last day.
        to: String,
        /// Of this category only.
        #[serde(default)]
        category: Option<String>,
    },
    /// What was done, newest first.
    History {
        /// To which record; to all of them if absent.
        #[serde(default)]
        record: Option<String>,
        /// At most this many.
        limit: usize,
    },
}

/// Which tasks to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaskListParams {
    /// Of this category only.
    pub category: Option<String>,
    /// In this status only; otherwise those that are not closed.
    pub status: Option<String>,
    /// Closed ones too.
    pub all: bool,
    /// Bearing this label only.
    pub label: Option<String>,
    /// Of this priority only.
    pub priority: Option<String>,
    /// Due on or before this day only, as people write days.
    pub due_by: Option<String>,
    /// In which order: `newest`, `due` or `priority`.
    pub sort: Option<String>,
    /// At most this many; 50 if absent.
    pub limit: Option<usize>,
}

/// Which notes to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EntryListParams {
    /// About this task only.
    pub task: Option<String>,
    /// Of this category only.
    pub category: Option<String>,
    /// From this day on, as people write days.
    pub from: Option<String>,
    /// Up to and with this day.
    pub to: Option<String>,
    /// At most this many; 50 if absent.
    pub limit: Option<usize>,
}

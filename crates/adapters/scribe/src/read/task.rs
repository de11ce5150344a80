//! The task.

use serde_json::Value;
use types::{ChecklistId, Due, RecordId, TaskId};

use crate::plain::minutes;

use super::field::{each, holds, number, parsed, text, word};

/// The task as the prompt shows it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Task {
    pub(crate) id: TaskId,
    pub(crate) title: String,
    pub(crate) status: Option<String>,
    pub(crate) priority: Option<String>,
    pub(crate) due: Option<Due>,
    pub(crate) estimate_minutes: Option<u64>,
    pub(crate) spent_minutes: Option<u64>,
    pub(crate) labels: Vec<String>,
    pub(crate) checklists: Vec<Checklist>,
    pub(crate) entries: Vec<Entry>,
    /// What was not shown, by name.
    pub(crate) left_out: Vec<(String, u64)>,
}

/// A list of the task.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Checklist {
    /// Absent if it was made in this turn and its name was not told.
    pub(crate) id: Option<ChecklistId>,
    pub(crate) title: Option<String>,
    pub(crate) items: Vec<Item>,
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    /// Absent if it was made in this turn and its name was not told.
    pub(crate) id: Option<RecordId>,
    pub(crate) title: String,
    pub(crate) checked: bool,
}

/// What somebody wrote about the task.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) id: Option<RecordId>,
    pub(crate) text: String,
    /// As it is written; only its day is shown.
    pub(crate) at: Option<String>,
}

impl Task {
    /// Reads a task; without an id and a title there is none.
    pub(super) fn read(value: &Value) -> Option<Task> {
        Some(Task {
            id: parsed(value, "id")?,
            title: text(value, "title")?,
            status: word(value, "status"),
            priority: word(value, "priority"),
            due: parsed(value, "due"),
            estimate_minutes: number(value, "estimate_minutes"),
            spent_minutes: number(value, "time_spent_minutes").filter(|minutes| *minutes > 0),
            labels: each(value, "labels").filter_map(Value::as_str).map(str::to_owned).collect(),
            checklists: each(value, "checklists").map(Checklist::read).collect(),
            entries: each(value, "entries").filter_map(Entry::read).collect(),
            left_out: left_out(value),
        })
    }

    /// All items, in order.
    pub(crate) fn items(&self) -> impl Iterator<Item = &Item> {
        self.checklists.iter().flat_map(|list| &list.items)
    }

    /// What is still to do.
    pub(crate) fn open(&self) -> impl Iterator<Item = &Item> {
        self.items().filter(|item| !item.checked)
    }

    /// What is done.
    pub(crate) fn done(&self) -> impl Iterator<Item = &Item> {
        self.items().filter(|item| item.checked)
    }

    /// Whether nothing more is to be done about it.
    pub(crate) fn is_closed(&self) -> bool {
        matches!(self.status.as_deref(), Some("done" | "cancelled"))
    }

    /// How long it has taken, in words.
    pub(crate) fn spent(&self) -> Option<String> {
        let or_more = if self.hides_time() { " or more" } else { "" };
        self.spent_minutes.map(|spent| format!("{}{or_more}", minutes(spent)))
    }

    /// Whether stretches of time were not counted: then it has taken longer than is said.
    pub(crate) fn hides_time(&self) -> bool {
        self.left_out.iter().any(|(name, _)| name == "time entries")
    }

    /// Whether items were not shown: then nothing can be said of all of them.
    pub(crate) fn hides_items(&self) -> bool {
        self.left_out.iter().any(|(name, _)| name.contains("item") || name.contains("checklist"))
    }
}

impl Checklist {
    fn read(value: &Value) -> Checklist {
        Checklist {
            id: parsed(value, "id"),
            title: text(value, "title"),
            items: each(value, "items").filter_map(Item::read).collect(),
        }
    }
}

impl Item {
    fn read(value: &Value) -> Option<Item> {
        let (id, title) = (parsed(value, "id"), text(value, "title")?);
        Some(Item { id, title, checked: holds(value, "checked") })
    }
}

impl Entry {
    fn read(value: &Value) -> Option<Entry> {
        Some(Entry { id: parsed(value, "id"), text: text(value, "text")?, at: text(value, "at") })
    }
}

fn left_out(value: &Value) -> Vec<(String, u64)> {
    let parts = value.get("left_out").and_then(Value::as_object).into_iter().flatten();
    let counted = parts.filter_map(|(name, count)| Some((name.replace('_', " "), count.as_u64()?)));
    let mut all: Vec<(String, u64)> = counted.filter(|(_, count)| *count > 0).collect();
    all.sort();
    all
}

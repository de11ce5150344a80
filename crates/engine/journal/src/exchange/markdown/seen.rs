//! Records as they are seen in Markdown, and what is left for a comment to carry.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;
use types::{
    At, CategoryId, ChecklistId, Day, DayPlan, Entry, EntryKind, Task, TaskId, TaskLabelId,
    TaskPriority, TaskStatus,
};

use super::comment::Fields;
use super::detail::Details;

/// A body's fields.
pub(super) fn fields<T: Serialize>(body: &T) -> Fields {
    match serde_json::to_value(body) {
        Ok(Value::Object(fields)) => fields,
        _ => unreachable!("a body is a JSON object"),
    }
}

/// The fields that are not as they are seen: what a comment has to carry. Null stands for a field that
/// is seen and is not there.
pub(super) fn beside(full: &Fields, seen: &Fields) -> Fields {
    let hidden = full.iter().filter(|(name, value)| seen.get(*name) != Some(*value));
    let absent = seen.keys().filter(|name| !full.contains_key(*name));
    hidden
        .map(|(name, value)| (name.clone(), value.clone()))
        .chain(absent.map(|name| (name.clone(), Value::Null)))
        .collect()
}

/// The whole from what is seen and what a comment carries.
pub(super) fn whole(mut seen: Fields, beside: Fields) -> Fields {
    for (name, value) in beside {
        match value {
            Value::Null => seen.remove(&name),
            value => seen.insert(name, value),
        };
    }
    seen
}

/// A task as it is seen: its title, its box, the line below it, its section. The box says whether it is
/// closed, the line how.
pub(super) fn task(
    title: String,
    ticked: bool,
    details: &Details,
    category_id: CategoryId,
    labels: BTreeSet<TaskLabelId>,
) -> Task {
    let usual = if ticked { TaskStatus::Done } else { TaskStatus::Open };
    Task {
        status: details.status.filter(|status| status.is_closed() == ticked).unwrap_or(usual),
        priority: details.priority.unwrap_or(TaskPriority::P2),
        due: details.due,
        estimate_minutes: details.estimate_minutes,
        language: details.language.clone(),
        labels,
        ..Task::new(title, category_id)
    }
}

/// An item as it is seen.
pub(super) fn item(title: &str, checked: bool, list: &ChecklistId, task: &TaskId) -> Fields {
    let Value::Object(fields) = serde_json::json!({
        "checklist_id": list, "task_id": task, "title": title, "checked": checked
    }) else {
        unreachable!("an object")
    };
    fields
}

/// A note as it is seen: its words, its place, and the minute that stands above it.
pub(super) fn entry(
    text: String,
    at: At,
    day: Day,
    category_id: CategoryId,
    task_id: Option<TaskId>,
) -> Entry {
    Entry { kind: EntryKind::Text, text, media: None, category_id, task_id, at, day }
}

/// The plan of a day as it is seen, without its blocks and pins.
pub(super) fn plan(day: Day, note: String) -> DayPlan {
    DayPlan { note, ..DayPlan::empty(day) }
}

//! What a record refers to.

use types::{Body, RecordId};

/// A reference from one record to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    /// What for.
    pub(crate) what: &'static str,
    /// To which record.
    pub(crate) to: RecordId,
}

/// Everything that a record refers to by its own fields.
pub(crate) fn references(body: &Body) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut refer = |what: &'static str, to: RecordId| found.push(Reference { what, to });
    match body {
        Body::Task(task) => {
            refer("category", (&task.category_id).into());
            task.labels.iter().for_each(|label| refer("label", label.into()));
        }
        Body::TaskLabel(label) => {
            label.category_id.iter().for_each(|category| refer("category", category.into()));
        }
        Body::Checklist(list) => refer("task", (&list.task_id).into()),
        Body::ChecklistItem(item) => {
            refer("checklist", (&item.checklist_id).into());
            refer("task", (&item.task_id).into());
        }
        Body::Entry(entry) => {
            refer("category", (&entry.category_id).into());
            entry.task_id.iter().for_each(|task| refer("task", task.into()));
        }
        Body::TimeEntry(time) => {
            refer("task", (&time.task_id).into());
            time.source_entry_id.iter().for_each(|entry| refer("entry", entry.into()));
        }
        Body::DayPlan(plan) => {
            for block in &plan.blocks {
                refer("category", (&block.category_id).into());
                block.task_id.iter().for_each(|task| refer("task", task.into()));
            }
            plan.pinned.iter().for_each(|task| refer("task", task.into()));
        }
        Body::Rating(rating) => {
            refer("target", rating.target_id.clone());
            rating.category_id.iter().for_each(|category| refer("category", category.into()));
        }
        _ => {}
    }
    found
}

/// Those without which a record would have no place. A note or a time is about a task whatever became of
/// that, and a task loses a label that is removed.
pub(crate) fn places(body: &Body) -> Vec<Reference> {
    let mut found = references(body);
    found.retain(|reference| match body {
        Body::Task(_) | Body::TaskLabel(_) | Body::Entry(_) => reference.what == "category",
        Body::Checklist(_) | Body::ChecklistItem(_) => true,
        _ => false,
    });
    found
}

//! From records to what is searched.

use std::collections::BTreeMap;

use index::Document;
use types::{Body, CategoryId, Record, RecordId, TaskId};

use crate::views::heading;

/// The document of a record; none if it has no words, or is gone.
pub(super) fn of(record: &Record, places: &BTreeMap<RecordId, CategoryId>) -> Option<Document> {
    if record.deleted_at.is_some() {
        return None;
    }
    let of_task = |task: &TaskId| places.get(&task.into()).cloned();
    let (category, text) = match &record.body {
        Body::Task(task) => (Some(task.category_id.clone()), String::new()),
        Body::ChecklistItem(item) => (of_task(&item.task_id), String::new()),
        Body::Checklist(list) => (of_task(&list.task_id), String::new()),
        Body::Entry(entry) => (Some(entry.category_id.clone()), entry.text.clone()),
        Body::TimeEntry(time) if time.description.is_empty() => return None,
        Body::TimeEntry(time) => (of_task(&time.task_id), time.description.clone()),
        Body::DayPlan(plan) => {
            let notes = plan.blocks.iter().map(|block| block.note.as_str());
            let words: Vec<&str> = notes.chain([plan.note.as_str()]).collect();
            (None, words.join("\n"))
        }
        Body::Rating(rating) if rating.note.is_empty() => return None,
        Body::Rating(rating) => {
            // What is rated may have moved since.
            let now = places.get(&rating.target_id).or(rating.category_id.as_ref());
            (now.cloned(), rating.note.clone())
        }
        _ => return None,
    };
    Some(Document {
        id: record.id.clone(),
        kind: record.body.kind().to_owned(),
        category,
        title: heading(&record.body),
        text,
        at: record.updated_at,
    })
}

/// The record whose category a record shares.
pub(super) fn place_of(record: &Record) -> Option<RecordId> {
    match &record.body {
        Body::ChecklistItem(item) => Some((&item.task_id).into()),
        Body::Checklist(list) => Some((&list.task_id).into()),
        Body::TimeEntry(time) => Some((&time.task_id).into()),
        Body::Rating(rating) => Some(rating.target_id.clone()),
        _ => None,
    }
}

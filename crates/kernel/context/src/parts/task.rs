//! The task, whole: what is on it, what was said about it, what it took.

use std::borrow::Cow;
use std::cmp::Reverse;

use serde::Serialize;
use types::{At, BlockKind, Body, Due, Entry, Record, RecordId};

use super::lists::{Checklist, lists};
use crate::cut::cut;
use crate::keep::{Kept, keep};
use crate::part::{Part, reason};
use crate::{Bounds, Seen, Tended};

#[derive(Serialize)]
struct Whole<'a> {
    id: &'a RecordId,
    title: Cow<'a, str>,
    status: &'static str,
    priority: &'static str,
    due: Option<Due>,
    estimate_minutes: Option<u32>,
    language: Option<Cow<'a, str>>,
    category: Option<Cow<'a, str>>,
    labels: Vec<Cow<'a, str>>,
    time_spent_minutes: i64,
    checklists: Vec<Checklist<'a>>,
    entries: Vec<Told<'a>>,
    #[serde(skip_serializing_if = "LeftOut::is_nothing")]
    left_out: LeftOut,
}

#[derive(Serialize)]
struct Told<'a> {
    id: &'a RecordId,
    kind: &'static str,
    text: Cow<'a, str>,
    at: At,
}

#[derive(Default, PartialEq, Serialize)]
struct LeftOut {
    #[serde(skip_serializing_if = "is_zero")]
    labels: usize,
    #[serde(skip_serializing_if = "is_zero")]
    checklists: usize,
    #[serde(skip_serializing_if = "is_zero")]
    items: usize,
    #[serde(skip_serializing_if = "is_zero")]
    entries: usize,
    /// Their minutes are not among those that were spent.
    #[serde(skip_serializing_if = "is_zero")]
    time_entries: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl LeftOut {
    fn is_nothing(&self) -> bool {
        *self == LeftOut::default()
    }
}

pub(crate) fn task(seen: &Seen<'_>, bounds: &Bounds) -> Option<Part> {
    let tended = seen.task.as_ref()?;
    let Body::Task(task) = &tended.task.body else { return None };
    let (lists, entries) = (lists(tended, bounds), entries(tended, bounds));
    let left_out = LeftOut {
        labels: tended.labels.len().saturating_sub(bounds.labels),
        checklists: lists.checklists_left_out,
        items: lists.items_left_out + tended.items_left_out,
        entries: entries.left_out + tended.entries_left_out,
        time_entries: tended.times_left_out,
    };
    let why = reason(
        "the task it tends",
        &[
            (left_out.labels, "labels"),
            (left_out.checklists, "checklists"),
            (left_out.items, "items"),
            (left_out.entries, "entries"),
            (left_out.time_entries, "time entries"),
        ],
    );
    let name = |text| cut(text, bounds.title);
    let whole = Whole {
        id: &tended.task.id,
        title: name(&task.title),
        status: task.status.as_str(),
        priority: task.priority.as_str(),
        due: task.due,
        estimate_minutes: task.estimate_minutes,
        language: task.language.as_deref().map(name),
        category: tended.category.map(name),
        labels: tended.labels.iter().take(bounds.labels).map(|label| name(label)).collect(),
        time_spent_minutes: minutes(tended.times),
        checklists: lists.shown,
        entries: entries.things,
        left_out,
    };
    Some(Part::data(BlockKind::Task, &whole, tended.label.clone(), why))
}

/// Entries about the task, newest first: they are kept in this order and shown in it.
fn entries<'a>(tended: &Tended<'a>, bounds: &Bounds) -> Kept<Told<'a>> {
    let mut all: Vec<(&Record, &Entry)> = tended
        .entries
        .iter()
        .filter(|record| record.deleted_at.is_none())
        .filter_map(|record| match &record.body {
            Body::Entry(entry) => Some((record, entry)),
            _ => None,
        })
        .collect();
    all.sort_unstable_by_key(|(record, entry)| Reverse((entry.at, &record.id)));
    keep(&all, bounds.entries, |&(record, entry)| Told {
        id: &record.id,
        kind: entry.kind.as_str(),
        text: cut(&entry.text, bounds.text),
        at: entry.at,
    })
}

/// Minutes of all stretches that are over. A timer that runs is left out: the task would read otherwise
/// with every minute that passes.
fn minutes(times: &[Record]) -> i64 {
    let over = |record: &Record| match &record.body {
        Body::TimeEntry(time) if record.deleted_at.is_none() => time.minutes(),
        _ => None,
    };
    times.iter().filter_map(over).fold(0, i64::saturating_add)
}

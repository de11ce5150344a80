//! The checklists of the task.

use std::borrow::Cow;
use std::cmp::Reverse;

use serde::Serialize;
use types::{Body, ChecklistItem, Record, RecordId};

use crate::cut::cut;
use crate::keep::keep;
use crate::{Bounds, Tended};

#[derive(Serialize)]
pub(crate) struct Checklist<'a> {
    id: &'a RecordId,
    title: Cow<'a, str>,
    items: Vec<Ticked<'a>>,
}

#[derive(Serialize)]
struct Ticked<'a> {
    id: &'a RecordId,
    title: Cow<'a, str>,
    checked: bool,
}

/// The checklists that had room, and what had none.
pub(crate) struct Lists<'a> {
    pub(crate) shown: Vec<Checklist<'a>>,
    pub(crate) checklists_left_out: usize,
    pub(crate) items_left_out: usize,
}

/// An item and the place of its checklist.
type Placed<'a> = (usize, &'a Record, &'a ChecklistItem);

pub(crate) fn lists<'a>(tended: &Tended<'a>, bounds: &Bounds) -> Lists<'a> {
    let mut shown = heads(tended, bounds);
    let checklists_left_out = shown.len().saturating_sub(bounds.checklists);
    shown.truncate(bounds.checklists);
    let (items, homeless) = items(tended, &shown);
    let kept = keep(&items, bounds.items, |&(_, record, item)| ticked(record, item, bounds));
    // They were kept by how much they matter; on its list each stands in its own place.
    let mut places: Vec<(Placed<'_>, Ticked<'_>)> = items.into_iter().zip(kept.things).collect();
    places.sort_by_key(|((list, record, item), _)| (*list, &item.rank, &record.id));
    for ((list, ..), item) in places {
        shown[list].items.push(item);
    }
    Lists { shown, checklists_left_out, items_left_out: kept.left_out + homeless }
}

/// The checklists in the order they were made, still empty.
fn heads<'a>(tended: &Tended<'a>, bounds: &Bounds) -> Vec<Checklist<'a>> {
    let mut records: Vec<&Record> = tended.checklists.iter().collect();
    records.sort_by_key(|record| (record.created_at, &record.id));
    let head = |record: &'a Record| match &record.body {
        Body::Checklist(checklist) if record.deleted_at.is_none() => Some(Checklist {
            id: &record.id,
            title: cut(&checklist.title, bounds.title),
            items: Vec::new(),
        }),
        _ => None,
    };
    records.into_iter().filter_map(head).collect()
}

/// The items of the checklists that are shown, those that matter most first: open ones in their order,
/// then checked ones, the last checked first. And how many lie on checklists that are not shown.
fn items<'a>(tended: &Tended<'a>, shown: &[Checklist<'_>]) -> (Vec<Placed<'a>>, usize) {
    let (mut found, mut homeless) = (Vec::new(), 0);
    for record in tended.items.iter().filter(|record| record.deleted_at.is_none()) {
        let Body::ChecklistItem(item) = &record.body else { continue };
        match shown.iter().position(|list| list.id.as_str() == item.checklist_id.as_str()) {
            Some(list) => found.push((list, record, item)),
            None => homeless += 1,
        }
    }
    found.sort_by_key(|&(list, record, item)| {
        let checked_at = item.checked.then_some(Reverse(record.updated_at));
        (checked_at, list, &item.rank, &record.id)
    });
    (found, homeless)
}

fn ticked<'a>(record: &'a Record, item: &'a ChecklistItem, bounds: &Bounds) -> Ticked<'a> {
    Ticked { id: &record.id, title: cut(&item.title, bounds.title), checked: item.checked }
}

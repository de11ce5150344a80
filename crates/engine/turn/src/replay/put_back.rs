//! A task and what hangs on it, put back to what they were before some changes.

use std::collections::{BTreeMap, BTreeSet};

use store::Surroundings;
use types::{Body, BodyType, ChangeRecord, PreImage, Record, RecordId};

/// What changes since have made, and what they found.
#[derive(Debug, Default)]
pub(super) struct Since {
    /// Records that were not there before.
    made: BTreeSet<RecordId>,
    /// What others were before the first of the changes.
    was: BTreeMap<RecordId, Record>,
}

impl Since {
    /// Takes in a change, later than all that it has taken in so far, and what its operation found.
    pub(super) fn take(&mut self, change: &ChangeRecord, found: PreImage) {
        for record in found.records {
            if !self.made.contains(&record.id) {
                self.was.entry(record.id.clone()).or_insert(record);
            }
        }
        let new = change.images.iter().filter(|image| image.before.is_none());
        self.made.extend(new.map(|image| image.id.clone()).filter(|id| !self.was.contains_key(id)));
    }

    /// Puts everything back.
    pub(super) fn undo_in(&self, around: &mut Surroundings) {
        for one in around.task.iter_mut().chain(&mut around.category) {
            self.put_back(one);
        }
        for list in [&mut around.labels, &mut around.linked] {
            list.iter_mut().for_each(|one| self.put_back(one));
        }
        let Some(task) = around.task.as_ref().map(|task| task.id.clone()) else { return };
        let of_task = |body: &Body| body.owner() == task.as_str();
        self.list(&mut around.checklists, BodyType::Checklist, of_task);
        around.checklists.sort_by_key(|one| one.created_at);
        self.list(&mut around.entries, BodyType::Entry, of_task);
        self.list(&mut around.times, BodyType::TimeEntry, of_task);
        let places: BTreeMap<&str, usize> =
            around.checklists.iter().enumerate().map(|(at, one)| (one.id.as_str(), at)).collect();
        let on_one = |body: &Body| places.contains_key(body.owner());
        self.list(&mut around.items, BodyType::ChecklistItem, on_one);
        // Open ones first, those of one checklist together: as they are read.
        around.items.sort_by_key(|item| {
            let done = item.body.subtype() != "open";
            (done, places.get(item.body.owner()).copied())
        });
    }

    fn put_back(&self, record: &mut Record) {
        if let Some(was) = self.was.get(&record.id) {
            record.clone_from(was);
        }
    }

    /// The records of a list as they were, newest first: without those that came since, with those that went.
    fn list(&self, list: &mut Vec<Record>, kind: BodyType, belongs: impl Fn(&Body) -> bool) {
        list.retain(|one| !self.made.contains(&one.id));
        list.iter_mut().for_each(|one| self.put_back(one));
        let is_here = |id: &RecordId| list.iter().any(|one| one.id == *id);
        let gone: Vec<Record> = self
            .was
            .values()
            .filter(|was| was.body.body_type() == Some(kind) && !is_here(&was.id))
            .cloned()
            .collect();
        list.extend(gone);
        list.retain(|one| one.deleted_at.is_none() && belongs(&one.body));
        list.sort_by_key(|one| std::cmp::Reverse(one.created_at));
    }
}

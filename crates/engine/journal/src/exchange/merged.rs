//! The journal as it would be with a file in it.

use std::collections::BTreeMap;

use types::{Body, RecordId};

use super::archive::Piece;
use super::intake::Reading;
use super::meet::Meeting;
use super::standing::Standing;

/// What there would be of all that a file has or refers to.
pub(super) struct Merged<'a> {
    /// What stays as the journal has it.
    kept: BTreeMap<&'a RecordId, &'a Body>,
    /// What would be as the file says, and is not so yet.
    coming: BTreeMap<&'a RecordId, &'a Body>,
}

impl<'a> Merged<'a> {
    /// The journal with a file in it.
    pub(super) fn of(reading: &'a Reading, standing: &'a Standing, meeting: Meeting) -> Merged<'a> {
        let living = standing.records.values().filter(|record| record.deleted_at.is_none());
        let mut kept: BTreeMap<&RecordId, &Body> =
            living.map(|record| (&record.id, &record.body)).collect();
        let comes = |piece: &&Piece| match kept.get(&piece.id) {
            Some(is) => meeting != Meeting::Skip && **is != piece.body,
            None => true,
        };
        let coming = reading.archive.pieces.iter().filter(comes);
        let coming: BTreeMap<_, _> = coming.map(|piece| (&piece.id, &piece.body)).collect();
        kept.retain(|id, _| !coming.contains_key(*id));
        Merged { kept, coming }
    }

    /// What a record would say.
    pub(super) fn get(&self, id: &RecordId) -> Option<&'a Body> {
        self.coming.get(id).copied().or_else(|| self.kept(id))
    }

    /// What a record says in the journal, if it stays so.
    pub(super) fn kept(&self, id: &RecordId) -> Option<&'a Body> {
        self.kept.get(id).copied()
    }

    /// All that stays as the journal has it.
    pub(super) fn all_kept(&self) -> impl Iterator<Item = &'a Body> {
        self.kept.values().copied()
    }

    /// All that would be as the file says, and is not so yet.
    pub(super) fn coming(&self) -> impl Iterator<Item = (&'a RecordId, &'a Body)> {
        self.coming.iter().map(|(id, body)| (*id, *body))
    }
}

/// The file with the notes about tasks that the journal has in the categories of those.
pub(super) fn beside_their_tasks(mut reading: Reading, standing: &Standing) -> Reading {
    for piece in &mut reading.archive.pieces {
        if let Body::Entry(entry) = &mut piece.body
            && let Some(task) = &entry.task_id
            && let Some(task) = standing.records.get(&task.into())
            && let (Body::Task(task), None) = (&task.body, task.deleted_at)
        {
            entry.category_id = task.category_id.clone();
        }
    }
    reading
}

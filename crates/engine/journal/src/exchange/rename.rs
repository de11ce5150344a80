//! Taking the names of a file for those of the journal.

use std::collections::BTreeMap;

use types::{Body, BodyType, CategoryId, RecordId, TaskLabelId};

use super::archive::section;
use super::intake::Reading;
use super::meet::Counts;

/// The same with the journal's categories and labels in place of those of the file that have the same
/// names under other ids; and how many those were.
pub(super) fn same_names(
    mut reading: Reading,
    owners: &BTreeMap<(BodyType, String), RecordId>,
) -> (Reading, Counts) {
    let mut ids: BTreeMap<RecordId, RecordId> = BTreeMap::new();
    let mut skipped = Counts::new();
    reading.archive.pieces.retain(|piece| {
        let (Body::Category(_) | Body::TaskLabel(_)) = &piece.body else { return true };
        let kind = piece.body.body_type();
        let mark = rules::mark::unique(&piece.body).pop();
        let owner = kind.zip(mark).and_then(|key| owners.get(&key));
        let Some(owner) = owner.filter(|owner| **owner != piece.id) else { return true };
        // One that the journal has under its own id is met by that.
        if owners.values().any(|known| *known == piece.id) {
            return true;
        }
        ids.insert(piece.id.clone(), owner.clone());
        *skipped.entry(section(&piece.body)).or_default() += 1;
        false
    });
    for piece in &mut reading.archive.pieces {
        rename(&mut piece.body, &ids);
    }
    reading.archive = reading.archive.sorted();
    (reading, skipped)
}

fn rename(body: &mut Body, ids: &BTreeMap<RecordId, RecordId>) {
    let category = |id: &mut CategoryId| {
        if let Some(other) = ids.get(&RecordId::from(&*id)) {
            *id = other.as_str().parse().expect("a category stands for a category");
        }
    };
    let label = |id: &TaskLabelId| match ids.get(&RecordId::from(id)) {
        Some(other) => other.as_str().parse().expect("a label stands for a label"),
        None => id.clone(),
    };
    match body {
        Body::Task(task) => {
            category(&mut task.category_id);
            task.labels = task.labels.iter().map(label).collect();
        }
        Body::TaskLabel(label) => label.category_id.iter_mut().for_each(category),
        Body::Entry(entry) => category(&mut entry.category_id),
        Body::DayPlan(plan) => {
            plan.blocks.iter_mut().for_each(|block| category(&mut block.category_id));
        }
        Body::Rating(rating) => rating.category_id.iter_mut().for_each(category),
        _ => {}
    }
}

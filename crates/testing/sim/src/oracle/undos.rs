//! The journal is what was done to it and not undone, whatever happened since.

use std::collections::BTreeMap;

use store::{ReadRecords, wait};
use types::{Body, Domain, RecordId};

use crate::sim::Sim;
use crate::store::SimStore;

/// Rows of one read.
const PAGE: usize = 1_000;

/// Judges.
pub(crate) fn judge(sim: &Sim) {
    let store = sim.services().store;
    let mut book = sim.shared.book();
    let mut found = Vec::new();
    for id in book.undos.newest_first(|step| step.undoes.is_some()) {
        let there = wait(store.operation(Domain::Journal, id)).expect("it can be read");
        if there.is_none() {
            found.push(format!("undo {id} was written, and is not there"));
        }
    }
    let (noted, there) = (&book.undos.records, records(&store));
    let ids = noted.keys().chain(there.keys().filter(|id| !noted.contains_key(id)));
    let other = ids.filter(|id| noted.get(id) != there.get(id));
    found.extend(other.map(|id| format!("{id} is not as it was left")));
    for what in found {
        book.violate("what was undone stays undone", what);
    }
}

/// The records of the journal that are there.
fn records(store: &SimStore) -> BTreeMap<RecordId, Body> {
    let (mut found, mut after) = (BTreeMap::new(), 0);
    loop {
        let page = wait(store.scan(Domain::Journal, after, PAGE)).expect("records can be read");
        let Some((last, _)) = page.last() else { return found };
        after = *last;
        let live = page.into_iter().filter(|(_, record)| record.deleted_at.is_none());
        found.extend(live.map(|(_, record)| (record.id, record.body)));
    }
}

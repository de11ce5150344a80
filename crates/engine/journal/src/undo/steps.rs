//! What several operations did, folded into what it takes to put it back.

use std::collections::BTreeMap;

use types::{Counter, HostId, LinkBefore, Operation, Position, Record, RecordId};

/// An operation with what it changed.
pub(super) struct Done {
    /// The operation.
    pub(super) operation: Operation,
    /// The records that it touched.
    pub(super) touched: Vec<RecordId>,
    /// The records that existed, as they were.
    pub(super) before: Vec<Record>,
    /// The links that it touched, as they were.
    pub(super) links: Vec<LinkBefore>,
    /// Under which name its commit went into the log.
    pub(super) stamp: (HostId, Counter),
}

/// A record to put back.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PutBack {
    /// Which.
    pub(super) id: RecordId,
    /// How it was; absent if it was not there.
    pub(super) was: Option<Record>,
    /// The revision that the operations left it at.
    pub(super) left_at: u64,
    /// Where in the journal's log the last of them left it.
    pub(super) position: Position,
    /// Something else changed it between two of the operations.
    pub(super) broken: bool,
}

/// A link to put back.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Relink {
    /// How it was.
    pub(super) before: LinkBefore,
    /// Who touched it last, among the operations.
    pub(super) stamp: (HostId, Counter),
    /// Where in the journal's log that was.
    pub(super) position: Position,
    /// Whoever that was left a link where there was none.
    pub(super) made: bool,
}

impl Relink {
    /// Whether there is a link again, where there was one.
    pub(super) fn comes_back(&self) -> bool {
        held(&self.before)
    }
}

fn held(before: &LinkBefore) -> bool {
    before.was.as_ref().is_some_and(|was| was.deleted_at.is_none())
}

/// What it takes to put everything back that operations did, newest operation first.
pub(super) fn fold(done: &[Done]) -> (Vec<PutBack>, Vec<Relink>) {
    let mut records: BTreeMap<RecordId, PutBack> = BTreeMap::new();
    let mut links: BTreeMap<(RecordId, String, RecordId), Relink> = BTreeMap::new();
    for step in done {
        let position = step.operation.position.unwrap_or_default();
        for id in &step.touched {
            let was = step.before.iter().find(|record| record.id == *id).cloned();
            let found_at = was.as_ref().map_or(0, |record| record.revision);
            records
                .entry(id.clone())
                .and_modify(|later| {
                    // The later operation must have found what this one left.
                    let found = later.was.as_ref().map_or(0, |record| record.revision);
                    later.broken |= found != found_at + 1;
                    later.was = was.clone();
                })
                .or_insert(PutBack {
                    id: id.clone(),
                    was,
                    left_at: found_at + 1,
                    position,
                    broken: false,
                });
        }
        for link in &step.links {
            let key = (link.from.clone(), link.relation.as_str().to_owned(), link.to.clone());
            let (stamp, made) = (step.stamp.clone(), !held(link));
            let relink = Relink { before: link.clone(), stamp, position, made };
            links.entry(key).and_modify(|later| later.before = link.clone()).or_insert(relink);
        }
    }
    (records.into_values().collect(), links.into_values().collect())
}

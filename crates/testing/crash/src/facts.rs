//! A file's logs, read whole: what every commit is compared with.

use std::collections::{BTreeMap, BTreeSet};

use store::{Answer, Store, StoreError, wait};
use types::{AuditEntry, ChangeRecord, Counter, Domain, Position, RecordId, limits};

/// Rows per read: a full page means that there may be more.
const PAGE: usize = limits::ROWS_PER_READ_MAX;

/// The logs of one file.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The change log, by position.
    pub(crate) changes: BTreeMap<Position, ChangeRecord>,
    /// The outbox.
    pub(crate) outbox: BTreeSet<Position>,
    /// What the sequence log notes for each of this host's commits.
    pub(crate) units: BTreeMap<Counter, BTreeSet<RecordId>>,
    /// The audit chain, by subject: each commit has a subject of its own.
    pub(crate) audit: BTreeMap<String, AuditEntry>,
    /// Entries in the audit chain.
    pub(crate) audit_entries: usize,
}

impl Facts {
    /// Reads a file's logs.
    pub(crate) fn of(store: &dyn Store, domain: Domain) -> Result<Facts, StoreError> {
        let mut facts = Facts::default();
        let pages = |after| store.changes(domain, after, PAGE);
        for change in all(Position(0), pages, |change: &ChangeRecord| change.position)? {
            facts.changes.insert(change.position, change);
        }
        let pages = |after| store.outbox(domain, after, PAGE);
        facts.outbox.extend(all(Position(0), pages, |position| *position)?);
        let audit = all(0, |after| store.audit(domain, after, PAGE), |entry| entry.number)?;
        facts.audit_entries = audit.len();
        facts.audit = audit.into_iter().map(|entry| (entry.subject.clone(), entry)).collect();
        facts.units = units(store, domain)?;
        Ok(facts)
    }

    /// The end of the change log.
    pub(crate) fn head(&self) -> (Position, Counter) {
        let last = self.changes.last_key_value();
        last.map_or_else(Default::default, |(position, change)| (*position, change.counter))
    }
}

/// Reads pages until one is not full.
fn all<T, K: Copy>(
    mut after: K,
    read: impl Fn(K) -> Answer<Vec<T>>,
    key: impl Fn(&T) -> K,
) -> Result<Vec<T>, StoreError> {
    let mut found = Vec::new();
    loop {
        let page = wait(read(after))?;
        let full = page.len() == PAGE;
        found.extend(page);
        match found.last() {
            Some(last) if full => after = key(last),
            _ => return Ok(found),
        }
    }
}

fn units(
    store: &dyn Store,
    domain: Domain,
) -> Result<BTreeMap<Counter, BTreeSet<RecordId>>, StoreError> {
    let mut units: BTreeMap<Counter, BTreeSet<RecordId>> = BTreeMap::new();
    let mut after = Counter(0);
    loop {
        let page = wait(store.sequence(domain, store.host().clone(), after, PAGE))?;
        let (full, last) = (page.len() == PAGE, page.last().map(|entry| entry.counter));
        for entry in page {
            units.entry(entry.counter).or_default().insert(entry.payload_id);
        }
        match last {
            // The page may end inside a commit: its other rows come with the next one.
            Some(last) if full => after = Counter(last.0 - 1),
            _ => return Ok(units),
        }
    }
}

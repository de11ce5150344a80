//! How the journal stands towards a file that is to come in.

use std::collections::{BTreeMap, BTreeSet};

use store::Marked;
use types::{BodyType, Domain, Record, RecordId, Relation, limits};

use crate::verbs::is_untouched_seed;
use crate::{Error, Journal};

use super::archive::Archive;
use super::refer::{places, references};

/// By what a relation is known.
pub(crate) type TieKey = (RecordId, Relation, RecordId);

/// A relation as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tied {
    /// It holds.
    pub(crate) live: bool,
    /// What it has seen: another text after every change.
    pub(crate) stamp: String,
}

/// What the journal holds of what a file speaks of.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Standing {
    /// The records that the file has or refers to, removed ones too; where those lie; and what is on the
    /// lists that the file adds to.
    pub(crate) records: BTreeMap<RecordId, Record>,
    /// Who has a mark that only one may have: names, and the timer that runs.
    pub(crate) marks: BTreeMap<(BodyType, String), RecordId>,
    /// All relations that ever were.
    pub(crate) ties: BTreeMap<TieKey, Tied>,
    /// The categories of a new home, if there is nothing else in the journal yet.
    pub(crate) seeds: Vec<Record>,
}

impl Journal {
    /// How the journal stands towards an archive.
    pub(super) async fn standing(&self, archive: &Archive) -> Result<Standing, Error> {
        let ends = archive.ties.iter().flat_map(|tie| [tie.from.clone(), tie.to.clone()]);
        let refers = archive.pieces.iter().flat_map(|piece| references(&piece.body));
        let wanted: BTreeSet<RecordId> = archive
            .pieces
            .iter()
            .map(|piece| piece.id.clone())
            .chain(archive.gone.iter().map(|gone| gone.id.clone()))
            .chain(refers.map(|reference| reference.to))
            .chain(ends)
            .collect();
        let mut records = self.all_of(wanted).await?;
        let places = records.values().flat_map(|record| places(&record.body));
        let places: BTreeSet<RecordId> = places.map(|place| place.to).collect();
        records.extend(self.all_of(places).await?);
        let beside = self.on_the_same_lists(archive, &records).await?;
        records.extend(beside.into_iter().map(|record| (record.id.clone(), record)));
        let (marks, ties) = (self.unique_marks().await?, self.all_ties().await?);
        Ok(Standing { records, marks, ties, seeds: self.seeds().await? })
    }

    async fn all_of(
        &self,
        wanted: BTreeSet<RecordId>,
    ) -> Result<BTreeMap<RecordId, Record>, Error> {
        let mut records = BTreeMap::new();
        let wanted: Vec<RecordId> = wanted.into_iter().collect();
        for page in wanted.chunks(limits::ROWS_PER_READ_MAX) {
            let found = self.store.records_by_id(Domain::Journal, page.to_vec()).await?;
            records.extend(found.into_iter().map(|record| (record.id.clone(), record)));
        }
        Ok(records)
    }

    /// The checklists of the tasks, and the items of the checklists, of which a file has some.
    async fn on_the_same_lists(
        &self,
        archive: &Archive,
        records: &BTreeMap<RecordId, Record>,
    ) -> Result<Vec<Record>, Error> {
        let mut found = Vec::new();
        for kind in [BodyType::Checklist, BodyType::ChecklistItem] {
            let owners = archive.of(kind).filter_map(|piece| piece.body.owner().parse().ok());
            let owners: BTreeSet<RecordId> =
                owners.filter(|owner| records.contains_key(owner)).collect();
            let owners: Vec<RecordId> = owners.into_iter().collect();
            for page in owners.chunks(limits::ROWS_PER_READ_MAX) {
                found.extend(self.desk().lying_under(page.to_vec(), kind).await?);
            }
        }
        Ok(found)
    }

    /// Who has the marks that only one may have.
    pub(super) async fn unique_marks(
        &self,
    ) -> Result<BTreeMap<(BodyType, String), RecordId>, Error> {
        let mut marks = BTreeMap::new();
        for (kind, from, to) in [
            (BodyType::Category, "name=", "name=\u{10ffff}"),
            (BodyType::TaskLabel, "name=", "name=\u{10ffff}"),
            (BodyType::TimeEntry, rules::mark::RUNNING, rules::mark::RUNNING),
        ] {
            let mut after = None;
            loop {
                let (from, to) = (from.to_owned(), to.to_owned());
                let limit = limits::ROWS_PER_READ_MAX;
                let page = Marked { kind, from, to, backwards: false, after, limit };
                let page = self.store.marked(Domain::Journal, page).await?;
                let Some(last) = page.last() else { break };
                after = rules::mark::unique(&last.body).pop().map(|mark| (mark, last.id.clone()));
                for record in page {
                    let own = rules::mark::unique(&record.body).into_iter();
                    marks.extend(own.map(|mark| ((kind, mark), record.id.clone())));
                }
            }
        }
        Ok(marks)
    }

    async fn all_ties(&self) -> Result<BTreeMap<TieKey, Tied>, Error> {
        let mut ties = BTreeMap::new();
        let mut after = 0;
        loop {
            let page = limits::ROWS_PER_READ_MAX;
            let page = self.store.scan_links(Domain::Journal, after, page).await?;
            let Some((last, _)) = page.last() else { return Ok(ties) };
            after = *last;
            ties.extend(page.into_iter().map(|(_, link)| {
                let stamp = serde_json::to_string(&link.clock).expect("clocks are JSON");
                let tied = Tied { live: link.deleted_at.is_none(), stamp };
                ((link.from, link.relation, link.to), tied)
            }));
        }
    }

    /// The categories that a new home has, as long as nobody has touched them or added anything.
    pub(super) async fn seeds(&self) -> Result<Vec<Record>, Error> {
        let first = self.store.scan(Domain::Journal, 0, 3).await?;
        let records: Vec<Record> = first.into_iter().map(|(_, record)| record).collect();
        let untouched = records.iter().all(is_untouched_seed);
        Ok(if untouched { records } else { vec![] })
    }
}

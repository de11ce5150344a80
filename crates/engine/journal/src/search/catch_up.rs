//! Bringing the index up to where the journal is.

use std::collections::BTreeSet;

use index::Document;
use types::{BodyType, ChangeRecord, Domain, Image, Position, Problem, Record, RecordId, limits};

use crate::Error;

use super::Finder;
use super::aside::aside;
use super::document;

/// Changes that are taken up at once.
const CHANGES: usize = 200;

impl Finder {
    /// Brings the index up to where the journal's log ends now. What is written meanwhile is for the next
    /// search: a journal in which much happens is never caught up with.
    pub(super) async fn catch_up(&self) -> Result<(), Problem> {
        let _turn = self.turn.lock().await;
        let end = self.head().await?;
        loop {
            let at = aside(&self.index, |index| index.position()).await?;
            if at > end && at > self.head().await? {
                // It was made from another journal.
                aside(&self.index, |index| index.clear()).await?;
            } else if at >= end {
                return Ok(());
            } else if at == Position(0) {
                self.fill(end).await?;
            } else {
                self.follow(at).await?;
            }
        }
    }

    async fn head(&self) -> Result<Position, Error> {
        Ok(self.store.head(Domain::Journal).await?)
    }

    /// Fills an empty index from all records. What changes meanwhile comes after the head that was read
    /// first, and is followed later.
    async fn fill(&self, head: Position) -> Result<(), Problem> {
        let (nowhere, mut after) = (Position(0), 0);
        loop {
            let page = self.store.scan(Domain::Journal, after, limits::ROWS_PER_READ_MAX).await;
            let page = page.map_err(Error::from)?;
            // Where a page is not full the records end; what came since is followed later, too.
            let full = page.len() >= limits::ROWS_PER_READ_MAX;
            let last = page.last().map(|(number, _)| *number).filter(|_| full);
            let records: Vec<Record> = page.into_iter().map(|(_, record)| record).collect();
            let (documents, gone) = self.documents(records).await?;
            let Some(last) = last else {
                return self.put(documents, gone, (nowhere, head)).await;
            };
            self.put(documents, gone, (nowhere, nowhere)).await?;
            after = last;
        }
    }

    /// Takes up the next changes.
    async fn follow(&self, at: Position) -> Result<(), Problem> {
        let changes = self.store.changes(Domain::Journal, at, CHANGES).await;
        let changes: Vec<ChangeRecord> = changes.map_err(Error::from)?;
        let Some((first, last)) = changes.first().zip(changes.last()) else { return Ok(()) };
        if at.misses_some_before(first.position) {
            // The log was trimmed beyond where the index is: it is made anew.
            return aside(&self.index, |index| index.clear()).await.map(drop);
        }
        let last = last.position;
        let images = || changes.iter().flat_map(|change| &change.images);
        let mut ids: BTreeSet<RecordId> = images().map(|image| image.id.clone()).collect();
        for image in images().filter(|image| has_moved(image)) {
            ids.extend(self.under(&image.id).await?);
        }
        let ids: Vec<RecordId> = ids.into_iter().collect();
        let records = self.store.records_by_id(Domain::Journal, ids).await.map_err(Error::from)?;
        let (documents, gone) = self.documents(records).await?;
        self.put(documents, gone, (at, last)).await
    }

    /// What shares the category of a record, and moves with it: the parts of a task and the time spent on
    /// it, and the ratings of all of them.
    async fn under(&self, moved: &RecordId) -> Result<Vec<RecordId>, Error> {
        let (desk, of_it) = (self.journal.desk(), || vec![moved.clone()]);
        let lists = desk.lying_under(of_it(), BodyType::Checklist).await?;
        let lists: Vec<RecordId> = lists.into_iter().map(|list| list.id).collect();
        let items = desk.lying_under(lists.clone(), BodyType::ChecklistItem).await?;
        let times = desk.lying_under(of_it(), BodyType::TimeEntry).await?;
        let rated = times.iter().map(|time| time.id.clone()).chain(of_it()).collect();
        let ratings = desk.lying_under(rated, BodyType::Rating).await?;
        let found = items.into_iter().chain(times).chain(ratings);
        Ok(found.map(|record| record.id).chain(lists).collect())
    }

    /// The documents of records, and the ids of those that have none.
    async fn documents(
        &self,
        records: Vec<Record>,
    ) -> Result<(Vec<Document>, Vec<RecordId>), Error> {
        let places: Vec<RecordId> = records.iter().filter_map(document::place_of).collect();
        let categories = self.journal.desk().categories_of(&places).await?;
        let (mut documents, mut gone) = (Vec::new(), Vec::new());
        for record in records {
            match document::of(&record, &categories) {
                Some(document) => documents.push(document),
                None => gone.push(record.id),
            }
        }
        Ok((documents, gone))
    }

    /// If somebody else moved the index meanwhile, nothing is put and the caller looks again.
    async fn put(
        &self,
        documents: Vec<Document>,
        gone: Vec<RecordId>,
        (from, to): (Position, Position),
    ) -> Result<(), Problem> {
        aside(&self.index, move |index| index.put(documents, gone, from, to)).await.map(drop)
    }
}

/// Whether a record may lie in another category than before: it moved, or is time that was spent on
/// another task.
fn has_moved(image: &Image) -> bool {
    let time = BodyType::TimeEntry.semantic_key();
    image.fields.contains("category_id") || (image.kind == time && image.fields.contains("task_id"))
}

//! What was done to a record or a link since, and not taken back again.

use std::collections::BTreeSet;

use types::{
    Author, Code, Domain, LinkBefore, Operation, OperationId, Position, PreImage, RecordId, Token,
    limits,
};

use crate::{Error, Journal};

/// Something that operations touch.
#[derive(Clone, Copy)]
pub(super) enum Touched<'a> {
    Record(&'a RecordId),
    Link(&'a LinkBefore),
}

/// Later changes of one record that are looked through.
const LATER_MAX: usize = 100;

/// Operations that are read at once where the last that stands is looked for. Mostly it is among the
/// first of them.
const LAST_AMONG: usize = 50;

/// How something stands to what an operation left.
pub(super) enum Since {
    /// As it was left: whatever was done since was taken back.
    AsLeft,
    /// Something was done since and stands, the newest of it by this operation, if it was one.
    Moved(Option<Box<Operation>>),
}

impl Journal {
    /// How something stands to what was left of it at a position. An operation and its undoing cancel out,
    /// and so do an undoing and its own, so that undoing goes back as far as anybody likes, and forward
    /// again.
    pub(super) async fn since(&self, what: Touched<'_>, at: Position) -> Result<Since, Error> {
        let token = match what {
            Touched::Record(id) => Token::entity(id),
            // Changes of a link are news of its ends.
            Touched::Link(link) => Token::entity(&link.from),
        };
        let changes = self.store.newest_changes(Domain::Journal, token, None, LATER_MAX).await?;
        let all: Vec<Position> = changes.iter().map(|change| change.position).collect();
        let later = all.iter().filter(|found| **found > at).count();
        let whole = all.len() < LATER_MAX;
        let mut known = self.store.operations_at(Domain::Journal, all).await?;
        known.sort_by_key(|operation| operation.position);
        let older = known.partition_point(|operation| operation.position <= Some(at));
        let mut operations = known.split_off(older);
        if later == LATER_MAX || operations.len() < later {
            return Ok(Since::Moved(operations.pop().map(Box::new)));
        }
        if let Touched::Link(link) = what {
            operations = self.touching(link, operations).await?;
        }
        let older: BTreeSet<OperationId> = known.iter().map(|operation| operation.id).collect();
        let newer: BTreeSet<OperationId> = operations.iter().map(|one| one.id).collect();
        // What has nothing to do with this record is among neither, if all is known that has.
        let is_left = |id: &OperationId| newer.contains(id) || whole && !older.contains(id);
        let mut taken_back = BTreeSet::new();
        for operation in operations.into_iter().rev() {
            if taken_back.contains(&operation.id) {
                continue;
            }
            let undone = match operation.verb.as_str() {
                "undo" => self.undone_by(&operation).await?,
                _ => vec![],
            };
            if undone.is_empty() || !undone.iter().all(is_left) {
                return Ok(Since::Moved(Some(Box::new(operation))));
            }
            taken_back.extend(undone);
        }
        Ok(Since::AsLeft)
    }

    /// Those of some operations that have touched a link.
    async fn touching(
        &self,
        link: &LinkBefore,
        operations: Vec<Operation>,
    ) -> Result<Vec<Operation>, Error> {
        let mut touching = Vec::new();
        for operation in operations {
            let image = self.pre_image(&operation).await?;
            let is_it = |other: &LinkBefore| {
                (&other.from, &other.relation, &other.to) == (&link.from, &link.relation, &link.to)
            };
            // Of what is not known any more it may be one.
            if image.is_none_or(|image| image.links.iter().any(is_it)) {
                touching.push(operation);
            }
        }
        Ok(touching)
    }

    /// What was there before an operation; nothing if that was erased.
    pub(super) async fn pre_image(&self, operation: &Operation) -> Result<Option<PreImage>, Error> {
        let Some(at) = operation.pre_image.clone() else { return Ok(Some(PreImage::default())) };
        let content = self.store.content(Domain::Journal, at).await?;
        Ok(content.and_then(|content| serde_json::from_slice(&content.bytes).ok()))
    }

    /// What was taken back after a position, and was not done again.
    pub(super) async fn taken_back_since(
        &self,
        position: Position,
    ) -> Result<BTreeSet<OperationId>, Error> {
        let mut back = Backwards::through(self);
        loop {
            back.standing(limits::ROWS_PER_READ_MAX).await?;
            if back.before.is_none_or(|at| at <= position) {
                return Ok(back.taken_back);
            }
        }
    }

    /// The last thing that the person did and did not take back: who asks twice goes two steps back.
    pub(super) async fn last_that_stands(&self) -> Result<Operation, Error> {
        let mut back = Backwards::through(self);
        loop {
            let standing = back.standing(LAST_AMONG).await?;
            let own = |one: &Operation| one.verb != "undo" && one.author == Author::Operator;
            if let Some(operation) = standing.into_iter().find(own) {
                return Ok(operation);
            }
            if back.before.is_none() {
                break;
            }
        }
        let hint = "`dormouse history` shows what was done; name the operation to undo";
        Err(Error::refuse(Code::NoSuchStep, "there is nothing of yours to undo", hint))
    }

    /// The operations that an undoing took back.
    pub(super) async fn undone_by(&self, undo: &Operation) -> Result<Vec<OperationId>, Error> {
        let content = self.store.content(Domain::Journal, undo.result.clone()).await?;
        let answer: Option<serde_json::Value> =
            content.and_then(|content| serde_json::from_slice(&content.bytes).ok());
        let ids = answer.as_ref().and_then(|answer| answer["undone"].as_array());
        let parsed = |id: &serde_json::Value| id.as_str().and_then(|id| id.parse().ok());
        Ok(ids.into_iter().flatten().filter_map(parsed).collect())
    }
}

/// Goes through all operations from the newest on, and knows what those that it has passed took back.
struct Backwards<'a> {
    journal: &'a Journal,
    /// Where it has come to; nothing before it began, and when there is nothing further back.
    before: Option<Position>,
    taken_back: BTreeSet<OperationId>,
}

impl Backwards<'_> {
    fn through(journal: &Journal) -> Backwards<'_> {
        Backwards { journal, before: None, taken_back: BTreeSet::new() }
    }

    /// The next ones, so many at most, less those that were taken back.
    async fn standing(&mut self, among: usize) -> Result<Vec<Operation>, Error> {
        let page = self.journal.store.operations(Domain::Journal, self.before, among).await?;
        self.before = page.last().and_then(|operation| operation.position);
        let mut standing = Vec::new();
        for operation in page {
            if self.taken_back.contains(&operation.id) {
                continue;
            }
            if operation.verb == "undo" {
                self.taken_back.extend(self.journal.undone_by(&operation).await?);
            }
            standing.push(operation);
        }
        Ok(standing)
    }
}

//! What was done to a record since, and not taken back again.

use std::collections::{BTreeMap, BTreeSet};

use types::{Author, Code, Domain, Operation, OperationId, Position, RecordId, Token};

use crate::{Error, Journal};

/// Later changes of one record that are looked through.
const LATER_MAX: usize = 100;

/// Operations that are read at once where the last that stands is looked for. Mostly it is among the
/// first of them.
const LAST_AMONG: usize = 50;

/// How a record stands to what an operation left.
pub(super) enum Since {
    /// As it was left: whatever was done since was taken back.
    AsLeft,
    /// Something was done since and stands, the newest of it by this operation, if it was one.
    Moved(Option<Box<Operation>>),
}

impl Journal {
    /// How a record stands to what was left of it at a position. An operation and its undoing cancel out,
    /// so that undoing twice goes two steps back.
    pub(super) async fn since(&self, id: &RecordId, at: Position) -> Result<Since, Error> {
        let token = Token::entity(id);
        let changes = self.store.newest_changes(Domain::Journal, token, None, LATER_MAX).await?;
        let later: Vec<Position> =
            changes.iter().map(|change| change.position).filter(|found| *found > at).collect();
        let mut operations = self.store.operations_at(Domain::Journal, later.clone()).await?;
        operations.sort_by_key(|operation| operation.position);
        if later.len() == LATER_MAX || operations.len() < later.len() {
            return Ok(Since::Moved(operations.pop().map(Box::new)));
        }
        let mut stands: Vec<Operation> = Vec::new();
        let mut taken_back: BTreeMap<OperationId, Vec<Operation>> = BTreeMap::new();
        for operation in operations {
            if operation.verb != "undo" {
                stands.push(operation);
                continue;
            }
            let undone = self.undone_by(&operation).await?;
            let (back, known): (Vec<_>, Vec<_>) =
                stands.into_iter().partition(|stood| undone.contains(&stood.id));
            stands = known;
            for id in undone.iter().filter(|id| back.iter().all(|one| one.id != **id)) {
                // An undoing that was undone: what it took back stands again. Anything else that was
                // taken back is older than what was left.
                match taken_back.remove(id) {
                    Some(again) => stands.extend(again),
                    None => return Ok(Since::Moved(Some(Box::new(operation)))),
                }
            }
            taken_back.insert(operation.id, back);
        }
        stands.sort_by_key(|operation| operation.position);
        Ok(match stands.pop() {
            None => Since::AsLeft,
            Some(newest) => Since::Moved(Some(Box::new(newest))),
        })
    }

    /// The last thing that the person did and did not take back: who asks twice goes two steps back.
    pub(super) async fn last_that_stands(&self) -> Result<Operation, Error> {
        let (mut before, mut taken_back) = (None, BTreeSet::new());
        loop {
            let page = self.store.operations(Domain::Journal, before, LAST_AMONG).await?;
            before = page.last().and_then(|operation| operation.position);
            for operation in page {
                let stands = !taken_back.contains(&operation.id);
                match operation.verb.as_str() {
                    "undo" if stands => taken_back.extend(self.undone_by(&operation).await?),
                    _ if stands && operation.author == Author::Operator => return Ok(operation),
                    _ => {}
                }
            }
            if before.is_none() {
                break;
            }
        }
        let hint = "`dormouse history` shows what was done; name the operation to undo";
        Err(Error::refuse(Code::NoSuchStep, "there is nothing of yours to undo", hint))
    }

    /// The operations that an undoing took back.
    async fn undone_by(&self, undo: &Operation) -> Result<Vec<OperationId>, Error> {
        let content = self.store.content(Domain::Journal, undo.result.clone()).await?;
        let answer: Option<serde_json::Value> =
            content.and_then(|content| serde_json::from_slice(&content.bytes).ok());
        let ids = answer.as_ref().and_then(|answer| answer["undone"].as_array());
        let parsed = |id: &serde_json::Value| id.as_str().and_then(|id| id.parse().ok());
        Ok(ids.into_iter().flatten().filter_map(parsed).collect())
    }
}

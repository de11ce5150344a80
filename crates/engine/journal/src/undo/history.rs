//! What was done: who, what, when, by which operation.

use types::{
    At, Author, ChangeRecord, Domain, Image, Operation, OperationId, Position, RecordId, RunKey,
    Token, limits,
};

use crate::{Error, Journal};

/// What an operation did to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// It came to be.
    Made,
    /// It changed.
    Changed,
    /// It was removed.
    Removed,
}

impl Doing {
    /// The word that people see.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Doing::Made => "made",
            Doing::Changed => "changed",
            Doing::Removed => "removed",
        }
    }
}

/// One thing that was done.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryView {
    /// The operation; absent for a change that was none, such as one from another host.
    pub operation: Option<OperationId>,
    /// The verb.
    pub verb: Option<String>,
    /// Who did it.
    pub author: Author,
    /// In which run.
    pub run_key: Option<RunKey>,
    /// When.
    pub at: At,
    /// Where in the journal's log.
    pub position: Position,
    /// To which records, with the fields that differ.
    pub records: Vec<(RecordId, Doing, Vec<String>)>,
}

impl Journal {
    /// What was done to a record, or to the whole journal, newest first; what came before a position.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn history(
        &self,
        record: Option<RecordId>,
        before: Option<Position>,
        limit: usize,
    ) -> Result<Vec<HistoryView>, Error> {
        let limit = limit.min(limits::ROWS_PER_READ_MAX);
        let changes = match record {
            Some(id) => {
                let token = Token::entity(&id);
                self.store.newest_changes(Domain::Journal, token, before, limit).await?
            }
            None => self.newest(before, limit).await?,
        };
        let positions = changes.iter().map(|change| change.position).collect();
        let operations = self.store.operations_at(Domain::Journal, positions).await?;
        Ok(changes.into_iter().map(|change| view(change, &operations)).collect())
    }

    /// The newest changes of all.
    async fn newest(
        &self,
        before: Option<Position>,
        limit: usize,
    ) -> Result<Vec<ChangeRecord>, Error> {
        let head = self.store.head(Domain::Journal).await?;
        let end = before.map_or(head.0, |before| before.0.saturating_sub(1).min(head.0));
        let start = Position(end.saturating_sub(limit as u64));
        let mut changes = self.store.changes(Domain::Journal, start, limit).await?;
        changes.retain(|change| change.position.0 <= end);
        changes.reverse();
        Ok(changes)
    }
}

fn view(change: ChangeRecord, operations: &[Operation]) -> HistoryView {
    let operation = operations.iter().find(|found| found.position == Some(change.position));
    HistoryView {
        operation: operation.map(|operation| operation.id),
        verb: operation.map(|operation| operation.verb.clone()),
        run_key: operation.and_then(|operation| operation.run_key),
        author: change.author,
        at: change.at,
        position: change.position,
        records: change.images.into_iter().map(touched).collect(),
    }
}

fn touched(image: Image) -> (RecordId, Doing, Vec<String>) {
    let doing = match (&image.before, &image.after) {
        (None, Some(_)) => Doing::Made,
        (_, None) => Doing::Removed,
        (Some(_), Some(_)) => Doing::Changed,
    };
    (image.id, doing, image.fields.into_iter().collect())
}

//! Taking everything out of the journal.

use std::collections::{BTreeMap, BTreeSet};

use types::{Body, CategoryId, Code, Domain, Position, Record, RecordId, limits};

use crate::{Error, Journal};

use super::archive::{Archive, Gone, Piece, Tie, order};
use super::format::Format;
use super::refer::references;

/// How often to begin anew when the journal changes while it is read.
const ATTEMPTS: usize = 8;

/// A journal as a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The text.
    pub text: String,
    /// Records of kinds that this version does not know, and so cannot write down.
    pub unknown: usize,
}

/// What was read, and what was left aside.
struct Gathered {
    archive: Archive,
    unknown: usize,
}

impl Journal {
    /// Everything that lives in the journal, as one text. The same journal gives the same bytes.
    ///
    /// # Errors
    /// If it cannot be read, or does not stand still long enough.
    pub async fn export(&self, format: Format) -> Result<Export, Error> {
        for _ in 0..ATTEMPTS {
            let before: Position = self.store.head(Domain::Journal).await?;
            let Gathered { archive, unknown } = self.gather().await?;
            if self.store.head(Domain::Journal).await? == before {
                return Ok(Export { text: format.write(&archive)?, unknown });
            }
        }
        let message = "the journal keeps changing while it is exported";
        Err(Error::refuse(Code::StoreBusy, message, "try again in a moment"))
    }

    /// All records and relations, page by page.
    async fn gather(&self) -> Result<Gathered, Error> {
        let mut records = Vec::new();
        let mut after = 0;
        loop {
            let page = self.store.scan(Domain::Journal, after, limits::ROWS_PER_READ_MAX).await?;
            let Some((last, _)) = page.last() else { break };
            after = *last;
            records.extend(page.into_iter().map(|(_, record)| record));
        }
        let mut ties = Vec::new();
        let mut after = 0;
        loop {
            let page = limits::ROWS_PER_READ_MAX;
            let page = self.store.scan_links(Domain::Journal, after, page).await?;
            let Some((last, _)) = page.last() else { break };
            after = *last;
            let live = page.into_iter().filter(|(_, link)| link.deleted_at.is_none());
            ties.extend(live.map(|(_, link)| Tie {
                from: link.from,
                relation: link.relation,
                to: link.to,
                hidden: link.hidden,
                body: link.body,
            }));
        }
        Ok(archive(records, ties))
    }
}

/// The archive of what was found.
fn archive(records: Vec<Record>, ties: Vec<Tie>) -> Gathered {
    let mut pieces = Vec::new();
    let mut removed: BTreeMap<RecordId, Option<CategoryId>> = BTreeMap::new();
    let mut unknown = 0;
    for Record { id, body, created_at, deleted_at, .. } in records {
        match (deleted_at, order(&body)) {
            (Some(_), _) => {
                let category = match body {
                    Body::Task(task) => Some(task.category_id),
                    _ => None,
                };
                removed.insert(id, category);
            }
            (None, Some(_)) => pieces.push(Piece { id, created_at, body }),
            (None, None) => unknown += 1,
        }
    }
    let live: BTreeSet<&RecordId> = pieces.iter().map(|piece| &piece.id).collect();
    let referred = pieces.iter().flat_map(|piece| references(&piece.body)).map(|found| found.to);
    let missing: BTreeSet<RecordId> = referred.filter(|to| !live.contains(to)).collect();
    let gone = missing.into_iter().map(|id| {
        let category_id = removed.get(&id).cloned().flatten();
        Gone { id, category_id }
    });
    let gone = gone.collect();
    let ties = ties.into_iter().filter(|tie| live.contains(&tie.from) && live.contains(&tie.to));
    let ties = ties.collect();
    Gathered { archive: Archive { pieces, ties, gone }.sorted(), unknown }
}

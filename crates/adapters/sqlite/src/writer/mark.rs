//! Keeping the index of marks in step with the records.

use rusqlite::params;
use types::{Body, BodyType, Conflict, RecordDraft};

use crate::fault::Fault;
use crate::rows::Cells;

use super::guards::Found;
use super::state::Writer;

/// Who bears a mark that nobody was to bear.
pub(super) fn taken(writer: &Writer, kind: BodyType, mark: &str) -> Found {
    let sql = "SELECT id FROM marks WHERE type = ?1 AND mark = ?2 LIMIT 1";
    let mut statement = writer.connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![kind.as_str(), mark])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let by = Cells(row).parsed("id")?;
    Ok(Some(Conflict::Marked { mark: mark.to_owned(), by }))
}

/// Replaces the marks of what a record was by those of what it is. A record that is gone has none.
pub(super) fn replace(
    writer: &Writer,
    draft: &RecordDraft,
    was: Option<&Body>,
) -> Result<(), Fault> {
    let before = was.map(rules::mark::of).unwrap_or_default();
    let after = if draft.deleted { vec![] } else { rules::mark::of(&draft.body) };
    let (kind, id) = (draft.body.kind(), draft.id.as_str());
    let sql = "DELETE FROM marks WHERE type = ?1 AND mark = ?2 AND id = ?3";
    for mark in before.iter().filter(|mark| !after.contains(mark)) {
        writer.connection.prepare_cached(sql)?.execute(params![kind, mark, id])?;
    }
    let sql = "INSERT OR IGNORE INTO marks (type, mark, id) VALUES (?1, ?2, ?3)";
    for mark in after.iter().filter(|mark| !before.contains(mark)) {
        writer.connection.prepare_cached(sql)?.execute(params![kind, mark, id])?;
    }
    Ok(())
}

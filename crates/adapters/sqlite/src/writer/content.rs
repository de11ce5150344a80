//! Keeping contents.

use rusqlite::params;
use types::At;

use crate::fault::Fault;
use crate::prepared::Kept;

use super::state::Writer;

/// Keeps a content; the same again is the same row.
pub(super) fn keep(writer: &Writer, at: At, kept: &Kept) -> Result<(), Fault> {
    let sql = "INSERT INTO contents (subject, hash, label, bytes, created_at)
               VALUES (?1, ?2, ?3, ?4, ?5)
               ON CONFLICT (subject, hash) DO NOTHING";
    writer.connection.prepare_cached(sql)?.execute(params![
        kept.content.subject.as_str(),
        kept.hash.as_bytes(),
        kept.label,
        kept.content.bytes,
        at.millis()
    ])?;
    Ok(())
}

//! Keeping contents.

use rusqlite::params;
use types::{At, ContentDraft};

use crate::fault::Fault;
use crate::prepared::Storable;
use crate::{reads, rows};

use super::state::Writer;

/// Keeps a content; the same again is the same row, trusted no further than the least of both.
pub(super) fn keep(
    writer: &Writer,
    at: At,
    content: &ContentDraft,
    storable: &Storable,
) -> Result<(), Fault> {
    match reads::content_label(&writer.connection, &content.subject, content.bytes.hash())? {
        None => insert(writer, at, content, storable),
        Some(known) if known == storable.label => Ok(()),
        Some(known) => join_labels(writer, content, &known),
    }
}

fn insert(
    writer: &Writer,
    at: At,
    content: &ContentDraft,
    storable: &Storable,
) -> Result<(), Fault> {
    let sql = "INSERT INTO contents (subject, hash, key, label, bytes, created_at)
               VALUES (?1, ?2, content_key(?1, ?2), ?3, ?4, ?5)";
    writer.connection.prepare_cached(sql)?.execute(params![
        content.subject.as_str(),
        content.bytes.hash().as_bytes(),
        storable.label,
        storable.packed.as_deref().unwrap_or(&content.bytes),
        at.millis()
    ])?;
    Ok(())
}

fn join_labels(writer: &Writer, content: &ContentDraft, known: &str) -> Result<(), Fault> {
    let joined = rows::label(known).join(&content.label);
    let joined = serde_json::to_string(&joined).expect("labels are JSON");
    let sql = "UPDATE contents
               SET label = ?3
               WHERE key = content_key(?1, ?2) AND subject = ?1 AND hash = ?2";
    let params = params![content.subject.as_str(), content.bytes.hash().as_bytes(), joined];
    writer.connection.prepare_cached(sql)?.execute(params)?;
    Ok(())
}

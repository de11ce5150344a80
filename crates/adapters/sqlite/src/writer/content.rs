//! Keeping contents.

use rusqlite::params;
use types::{At, Content, ContentRef};

use crate::fault::Fault;
use crate::prepared::Named;
use crate::reads;

use super::state::Writer;

/// Keeps a content; the same again is the same row, trusted no further than the least of both.
pub(super) fn keep(writer: &Writer, at: At, content: &Content, named: &Named) -> Result<(), Fault> {
    let sql = "INSERT INTO contents (subject, hash, key, label, bytes, created_at)
               SELECT ?1, ?2, content_key(?1, ?2), ?3, ?4, ?5
               WHERE NOT EXISTS (
                 SELECT 1
                 FROM contents
                 WHERE key = content_key(?1, ?2) AND subject = ?1 AND hash = ?2
               )";
    let kept_now = writer.connection.prepare_cached(sql)?.execute(params![
        content.subject.as_str(),
        named.hash.as_bytes(),
        named.label,
        content.bytes,
        at.millis()
    ])?;
    if kept_now == 0 { join_labels(writer, content, named) } else { Ok(()) }
}

fn join_labels(writer: &Writer, content: &Content, named: &Named) -> Result<(), Fault> {
    let (subject, hash) = (content.subject.clone(), named.hash);
    let known = reads::content(&writer.connection, &ContentRef { subject, hash })?;
    let Some(known) = known.filter(|known| known.label != content.label) else {
        return Ok(());
    };
    let joined = known.label.join(&content.label);
    let joined = serde_json::to_string(&joined).expect("labels are JSON");
    let sql = "UPDATE contents
               SET label = ?3
               WHERE key = content_key(?1, ?2) AND subject = ?1 AND hash = ?2";
    let params = params![known.subject.as_str(), named.hash.as_bytes(), joined];
    writer.connection.prepare_cached(sql)?.execute(params)?;
    Ok(())
}

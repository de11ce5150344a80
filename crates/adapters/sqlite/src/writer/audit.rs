//! Appending to the audit chain.

use rusqlite::params;
use types::{AuditEntry, Digest};

use crate::fault::Fault;
use crate::prepared::Prepared;
use crate::rows::int;

use super::state::Writer;

/// Appends a commit's audit entries, each linked to the one before.
pub(super) fn append(writer: &mut Writer, prepared: &Prepared) -> Result<(), Fault> {
    let commit = &prepared.commit;
    for draft in &commit.audit {
        let mut entry = AuditEntry {
            number: writer.tail.audit_number + 1,
            at: commit.at,
            actor: prepared.author.clone(),
            action: draft.action.to_owned(),
            subject: draft.subject.clone(),
            detail: draft.detail.clone(),
            hash: Digest::ZERO,
        };
        entry.hash = rules::audit::link(&writer.tail.audit_hash, &entry);
        insert(writer, &entry)?;
        writer.tail.audit_number = entry.number;
        writer.tail.audit_hash = entry.hash;
    }
    Ok(())
}

fn insert(writer: &Writer, entry: &AuditEntry) -> Result<(), Fault> {
    let sql = "INSERT INTO audit (number, at, actor, action, subject, detail, hash)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    writer.connection.prepare_cached(sql)?.execute(params![
        int(entry.number),
        entry.at.millis(),
        entry.actor,
        entry.action,
        entry.subject,
        entry.detail,
        entry.hash.as_bytes(),
    ])?;
    Ok(())
}

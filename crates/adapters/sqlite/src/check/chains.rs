//! Whether hashes are what they should be: the audit chain, the keys of changes, contents.

use types::{ChangeUnit, Digest, Image, Origin, Position};
use vfs::Connection;

use crate::fault::Fault;
use crate::pack;
use crate::reads;

use super::FINDINGS_MAX;

/// Rows read at a time.
const PAGE: usize = 500;

/// What does not follow.
pub(super) fn check(connection: &Connection) -> Result<Vec<String>, Fault> {
    let mut findings = Vec::new();
    findings.extend(audit(connection)?);
    findings.extend(changes(connection)?);
    findings.extend(contents(connection)?);
    Ok(findings)
}

fn audit(connection: &Connection) -> Result<Option<String>, Fault> {
    let (mut number, mut hash) = (0, Digest::ZERO);
    loop {
        let page = reads::audit_after(connection, number, PAGE)?;
        if page.is_empty() {
            return Ok(None);
        }
        match rules::audit::follow(number, hash, &page) {
            Ok(end) => (number, hash) = end,
            Err(broken) => return Ok(Some(broken.to_string())),
        }
    }
}

fn changes(connection: &Connection) -> Result<Vec<String>, Fault> {
    let mut findings = Vec::new();
    let mut after = Position(0);
    loop {
        let page = reads::changes_after(connection, after, PAGE)?;
        let Some(last) = page.last() else { return Ok(findings) };
        after = last.position;
        for change in &page {
            let units: Vec<ChangeUnit> =
                reads::sequence_of(connection, &change.host, change.counter)?
                    .into_iter()
                    .map(|entry| ChangeUnit {
                        origin: Origin::Local,
                        host: entry.host,
                        counter: entry.counter,
                        payload_type: entry.payload_type,
                        payload_id: entry.payload_id,
                    })
                    .collect();
            let at = change.position;
            if rules::change::logical_key(&units) != change.logical_change_key {
                findings.push(format!("the key of the change at {at} is not its own"));
            }
            let was_written = |image: &Image| units.iter().any(|unit| unit.payload_id == image.id);
            if !change.images.iter().all(was_written) {
                findings
                    .push(format!("the change at {at} tells of a record that it did not write"));
            }
        }
        if findings.len() >= FINDINGS_MAX {
            return Ok(findings);
        }
    }
}

fn contents(connection: &Connection) -> Result<Vec<String>, Fault> {
    let mut statement =
        connection.prepare("SELECT subject, hash, bytes FROM contents ORDER BY n")?;
    let mut rows = statement.query([])?;
    let mut findings = Vec::new();
    while let Some(row) = rows.next()? {
        let (subject, hash): (String, [u8; 32]) = (row.get(0)?, row.get(1)?);
        let stored = row.get_ref(2)?.as_bytes_or_null().map_err(Fault::row)?.unwrap_or_default();
        // What cannot be unpacked is not what it was either.
        let hashed = pack::bytes(stored).map(|bytes| rules::hash::bytes(&bytes));
        if hashed != Ok(Digest::from_bytes(hash)) {
            findings.push(format!("a content of {subject} is not what its hash says"));
        }
        if findings.len() >= FINDINGS_MAX {
            break;
        }
    }
    Ok(findings)
}

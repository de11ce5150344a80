//! Writing a link.

use rusqlite::params;
use types::{At, Counter, Domain, LinkBefore, LinkDraft, PayloadType, RecordId};

use crate::fault::Fault;
use crate::reads;

use super::record::{clock_text, stamped};
use super::state::Writer;
use super::touched::Touched;

/// Writes a link, new or again: there is one per pair and relation.
pub(super) fn put(
    writer: &Writer,
    at: At,
    counter: Counter,
    draft: &LinkDraft,
    touched: &mut Touched,
) -> Result<(), Fault> {
    let before = reads::link(&writer.connection, &draft.from, &draft.to, &draft.relation)?;
    let clock = stamped(before.as_ref().map(|link| &link.clock), &writer.host, counter);
    let id = before.as_ref().map_or(&draft.id, |link| &link.id);
    let deleted_at = draft
        .deleted
        .then(|| before.as_ref().and_then(|link| link.deleted_at).unwrap_or(at).millis());
    let sql = match before {
        None => {
            "INSERT INTO links (id, from_id, to_id, from_key, to_key, type, hidden, clock,
                                created_at, updated_at, deleted_at, body)
             VALUES (?1, ?2, ?3, key_of(?2), key_of(?3), ?4, ?5, ?6, ?7, ?7, ?8, ?9)"
        }
        Some(_) => {
            "UPDATE links
             SET hidden = ?5, clock = ?6, updated_at = ?7, deleted_at = ?8, body = ?9
             WHERE from_key = key_of(?2) AND from_id = ?2 AND to_id = ?3 AND type = ?4 AND id = ?1"
        }
    };
    writer.connection.prepare_cached(sql)?.execute(params![
        id.as_str(),
        draft.from.as_str(),
        draft.to.as_str(),
        draft.relation.as_str(),
        draft.hidden,
        clock_text(&clock),
        at.millis(),
        deleted_at,
        serde_json::to_string(&draft.body).expect("a map is JSON"),
    ])?;
    touched.tokens.extend(rules::token::of_link(draft));
    touched.units.insert((payload_type(writer.domain), RecordId::from(id)));
    touched.before.links.push(LinkBefore {
        from: draft.from.clone(),
        to: draft.to.clone(),
        relation: draft.relation.clone(),
        was: before,
    });
    Ok(())
}

fn payload_type(domain: Domain) -> PayloadType {
    PayloadType::new(match domain {
        Domain::Journal => "entryLink",
        Domain::Agent => "agentLink",
    })
}

//! Telling an agent's followers.

use rusqlite::params;
use types::{At, EventDraft};

use crate::fault::Fault;

use super::state::Writer;

/// Appends an event, numbered after the agent's last one.
pub(super) fn append(writer: &Writer, at: At, event: &EventDraft) -> Result<(), Fault> {
    let sql = "INSERT INTO events (agent_id, event_seq, kind, at, body)
               SELECT ?1, 1 + COALESCE(MAX(event_seq), 0), ?2, ?3, ?4
               FROM events
               WHERE agent_id = ?1";
    writer.connection.prepare_cached(sql)?.execute(params![
        event.agent.as_str(),
        event.kind.as_str(),
        at.millis(),
        event.body.to_string()
    ])?;
    Ok(())
}

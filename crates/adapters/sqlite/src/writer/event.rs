//! Telling an agent's followers.

use rusqlite::params;
use types::{At, EventDraft};

use crate::fault::Fault;
use crate::reads;
use crate::rows::int;

use super::state::Writer;

/// Appends an event after the agent's last one.
pub(super) fn append(writer: &Writer, at: At, event: &EventDraft) -> Result<(), Fault> {
    let (connection, agent) = (&writer.connection, event.agent.as_str());
    let last = reads::newest_event(connection, &event.agent)?;
    let seq = int(last.as_ref().map_or(1, |last| last.event_seq + 1));
    let before = last.map(|last| int(last.n));
    let sql = "INSERT INTO events (agent_id, agent_key, event_seq, before, kind, at, body)
               VALUES (?1, key_of(?1), ?2, ?3, ?4, ?5, ?6)";
    let n = connection.prepare_cached(sql)?.insert(params![
        agent,
        seq,
        before,
        event.kind.as_str(),
        at.millis(),
        event.body.to_string()
    ])?;
    let sql = "INSERT OR REPLACE INTO event_heads (agent_id, n, event_seq) VALUES (?1, ?2, ?3)";
    connection.prepare_cached(sql)?.execute(params![agent, n, seq])?;
    Ok(())
}

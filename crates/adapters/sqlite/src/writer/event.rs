//! Telling an agent's followers.

use rusqlite::params;
use types::{At, EventDraft};

use crate::fault::Fault;
use crate::reads::{self, Place};
use crate::rows::int;

use super::state::Writer;
use super::touched::Touched;

/// Appends an event after the agent's last one.
pub(super) fn append(
    writer: &Writer,
    at: At,
    event: &EventDraft,
    touched: &mut Touched,
) -> Result<(), Fault> {
    let (connection, agent) = (&writer.connection, event.agent.as_str());
    let last = match touched.event_heads.get(&event.agent) {
        Some(last) => Some(*last),
        None => reads::newest_event(connection, &event.agent)?,
    };
    let event_seq = last.map_or(1, |last| last.event_seq + 1);
    let sql = "INSERT INTO events (agent_id, agent_key, event_seq, before, kind, at, body)
               VALUES (?1, key_of(?1), ?2, ?3, ?4, ?5, ?6)";
    let n = connection.prepare_cached(sql)?.insert(params![
        agent,
        int(event_seq),
        last.map(|last| int(last.n)),
        event.kind.as_str(),
        at.millis(),
        event.body.to_string()
    ])?;
    touched.event_heads.insert(event.agent.clone(), Place { n: n.unsigned_abs(), event_seq });
    Ok(())
}

/// Notes where the events of each agent end now.
pub(super) fn keep_heads(writer: &Writer, touched: &Touched) -> Result<(), Fault> {
    let sql = "INSERT OR REPLACE INTO event_heads (agent_id, n, event_seq) VALUES (?1, ?2, ?3)";
    for (agent, Place { n, event_seq }) in &touched.event_heads {
        let params = params![agent.as_str(), int(*n), int(*event_seq)];
        writer.connection.prepare_cached(sql)?.execute(params)?;
    }
    Ok(())
}

//! Telling an agent's followers.

use rusqlite::params;
use types::{AgentId, At, EventKind};

use crate::fault::Fault;
use crate::pack::StoredText;
use crate::reads::{self, Place};
use crate::rows::int;

use super::state::Writer;
use super::touched::Touched;

/// Appends an event, its body ready to be stored, after the agent's last one.
pub(super) fn append(
    writer: &Writer,
    at: At,
    agent: &AgentId,
    kind: EventKind,
    body: &StoredText,
    touched: &mut Touched,
) -> Result<(), Fault> {
    let connection = &writer.connection;
    let last = match touched.event_heads.get(agent) {
        Some(last) => Some(*last),
        None => reads::newest_event(connection, agent)?,
    };
    let event_seq = last.map_or(1, |last| last.event_seq + 1);
    let sql = "INSERT INTO events (agent_id, agent_key, event_seq, before, kind, at, body)
               VALUES (?1, key_of(?1), ?2, ?3, ?4, ?5, ?6)";
    let n = connection.prepare_cached(sql)?.insert(params![
        agent.as_str(),
        int(event_seq),
        last.map(|last| int(last.n)),
        kind.as_str(),
        at.millis(),
        body
    ])?;
    touched.event_heads.insert(agent.clone(), Place { n: n.unsigned_abs(), event_seq });
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

//! Keeping how agents sleep, and the hints that wait for them.

use rusqlite::params;
use types::{AgentId, Digest, Hint, Rest, TriggerId};

use crate::fault::Fault;
use crate::rows::int;

use super::state::Writer;

/// Keeps how an agent went to sleep.
pub(super) fn rest(writer: &Writer, rest: &Rest) -> Result<(), Fault> {
    let sql = "INSERT OR REPLACE INTO rests (agent_id, body) VALUES (?1, ?2)";
    let body = serde_json::to_string(rest).expect("a rest is JSON");
    writer.connection.prepare_cached(sql)?.execute(params![rest.agent_id.as_str(), body])?;
    Ok(())
}

/// Keeps a hint; one of the same trigger that waits already is replaced and counted.
pub(super) fn keep(writer: &Writer, hint: &Hint) -> Result<(), Fault> {
    let sql = "INSERT INTO hints (agent_id, trigger_id, at, count, source, content_type, payload,
                                  correlation_id, causation_id)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
               ON CONFLICT (agent_id, trigger_id) DO UPDATE
               SET at = excluded.at, count = count + excluded.count, source = excluded.source,
                   content_type = CASE WHEN excluded.payload IS NULL AND payload IS NOT NULL
                                       THEN content_type ELSE excluded.content_type END,
                   payload = COALESCE(excluded.payload, payload),
                   correlation_id = excluded.correlation_id, causation_id = excluded.causation_id";
    writer.connection.prepare_cached(sql)?.execute(params![
        hint.agent.as_str(),
        hint.trigger.as_str(),
        hint.at.millis(),
        int(hint.count),
        hint.source,
        hint.content_type,
        hint.payload.as_ref().map(|payload| Digest::as_bytes(&payload.hash)),
        hint.correlation_id,
        hint.causation_id,
    ])?;
    Ok(())
}

/// Lets go of a hint, unless more have come since it was seen.
pub(super) fn seen(
    writer: &Writer,
    agent: &AgentId,
    trigger: &TriggerId,
    count: u64,
) -> Result<(), Fault> {
    let sql = "DELETE FROM hints WHERE agent_id = ?1 AND trigger_id = ?2 AND count = ?3";
    let params = params![agent.as_str(), trigger.as_str(), int(count)];
    writer.connection.prepare_cached(sql)?.execute(params)?;
    Ok(())
}

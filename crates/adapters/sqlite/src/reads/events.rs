//! Reads of what an agent's followers are told: from the last event that is wanted, back along the chain.

use rusqlite::{Connection, Row, params};
use types::{AgentId, Event};

use crate::fault::Fault;
use crate::rows::{self, Cells, int, limit};

use super::records::one;

/// A place in the chain of an agent's events.
struct Place {
    n: u64,
    event_seq: u64,
}

pub(crate) fn events_after(
    connection: &Connection,
    agent: &AgentId,
    after: u64,
    rows_max: usize,
) -> Result<Vec<Event>, Fault> {
    let last_wanted = after.saturating_add(limit(rows_max).unsigned_abs());
    let Some(from) = at_or_behind(connection, agent, last_wanted)? else { return Ok(vec![]) };
    let sql = "SELECT agent_id, event_seq, kind, at, body, before FROM events WHERE n = ?1";
    let (mut found, mut next) = (Vec::new(), Some(from.n).filter(|_| from.event_seq > after));
    while let Some(n) = next {
        let read = |row: &Row<'_>| Ok((rows::event(row)?, Cells(row).maybe_number(5)?));
        let Some((event, before)) = one(connection, sql, params![int(n)], read)? else { break };
        next = before.filter(|_| event.event_seq > after + 1);
        if event.event_seq <= last_wanted {
            found.push(event);
        }
    }
    found.reverse();
    Ok(found)
}

/// An event that is the one wanted or comes soon after it; the agent's newest, if there is none so late.
fn at_or_behind(
    connection: &Connection,
    agent: &AgentId,
    wanted: u64,
) -> Result<Option<Place>, Fault> {
    let place =
        |row: &Row<'_>| Ok(Place { n: Cells(row).number(0)?, event_seq: Cells(row).number(1)? });
    let sql = "SELECT n, event_seq FROM event_heads WHERE agent_id = ?1";
    let Some(newest) = one(connection, sql, params![agent.as_str()], place)? else {
        return Ok(None);
    };
    if newest.event_seq <= wanted {
        return Ok(Some(newest));
    }
    let sql = "SELECT n, event_seq
               FROM events
               WHERE agent_key = key_of(?1) AND event_seq >= ?2 AND event_seq % 32 = 0
                 AND agent_id = ?1
               ORDER BY event_seq
               LIMIT 1";
    let marked = one(connection, sql, params![agent.as_str(), int(wanted)], place)?;
    Ok(marked.or(Some(newest)))
}

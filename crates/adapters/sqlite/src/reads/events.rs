//! Reads of what an agent's followers are told: from the last event that is wanted, back along the chain.

use rusqlite::{Row, params};
use types::{AgentId, Event};
use vfs::Connection;

use crate::fault::Fault;
use crate::rows::{self, Cells, int, limit};

use super::records::{all, one};

/// A place in the chain of an agent's events.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// The row.
    pub(crate) n: u64,
    pub(crate) event_seq: u64,
}

/// The end of an agent's chain.
pub(crate) fn newest_event(
    connection: &Connection,
    agent: &AgentId,
) -> Result<Option<Place>, Fault> {
    let sql = "SELECT n, event_seq FROM event_heads WHERE agent_id = ?1";
    one(connection, sql, params![agent.as_str()], place)
}

fn place(row: &Row<'_>) -> Result<Place, Fault> {
    Ok(Place { n: Cells(row).number(0)?, event_seq: Cells(row).number(1)? })
}

/// The events after a number, or the newest if none is named, oldest first.
pub(crate) fn events(
    connection: &Connection,
    agent: &AgentId,
    after: Option<u64>,
    rows_max: usize,
) -> Result<Vec<Event>, Fault> {
    let Some(newest) = newest_event(connection, agent)? else { return Ok(vec![]) };
    let most = limit(rows_max).unsigned_abs();
    let after = after.unwrap_or_else(|| newest.event_seq.saturating_sub(most));
    let last_wanted = after.saturating_add(most);
    let from = at_or_behind(connection, agent, last_wanted, newest)?;
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

/// The events of all agents after a number of the log, or the newest if none is named, oldest first.
pub(crate) fn happenings(
    connection: &Connection,
    after: Option<u64>,
    rows_max: usize,
) -> Result<Vec<(u64, Event)>, Fault> {
    let after = match after {
        Some(after) => after,
        None => {
            let sql = "SELECT COALESCE(MAX(n), 0) AS n FROM events";
            let newest = one(connection, sql, [], |row| Cells(row).number("n"))?.unwrap_or(0);
            newest.saturating_sub(limit(rows_max).unsigned_abs())
        }
    };
    let sql = "SELECT agent_id, event_seq, kind, at, body, n
               FROM events
               WHERE n > ?1
               ORDER BY n
               LIMIT ?2";
    let read = |row: &Row<'_>| Ok((Cells(row).number(5)?, rows::event(row)?));
    all(connection, sql, params![int(after), limit(rows_max)], read)
}

/// An event that is the one wanted or comes soon after it; the agent's newest, if there is none so late.
fn at_or_behind(
    connection: &Connection,
    agent: &AgentId,
    wanted: u64,
    newest: Place,
) -> Result<Place, Fault> {
    if newest.event_seq <= wanted {
        return Ok(newest);
    }
    let sql = "SELECT n, event_seq
               FROM events
               WHERE agent_key = key_of(?1) AND event_seq >= ?2 AND event_seq % 32 = 0
                 AND agent_id = ?1
               ORDER BY event_seq
               LIMIT 1";
    let marked = one(connection, sql, params![agent.as_str(), int(wanted)], place)?;
    Ok(marked.unwrap_or(newest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{config::Config, connection, schema};
    use types::Domain;

    #[test]
    fn a_page_is_found_anywhere_in_a_long_chain() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agent.db");
        let connection = connection::open_writer(&path, &Config::default()).unwrap();
        schema::migrate(&connection, Domain::Agent).unwrap();
        // Two agents that take turns, a hundred events each.
        let sql = "WITH RECURSIVE all_of_them (n) AS (
                     SELECT 1 UNION ALL SELECT n + 1 FROM all_of_them WHERE n < 200
                   )
                   INSERT INTO events
                   SELECT n, agent, key_of(agent), (n + 1) / 2, IIF(n > 2, n - 2, NULL), 'k', n, '{}'
                   FROM (SELECT n, IIF(n % 2, 'agent_a', 'agent_b') AS agent FROM all_of_them)";
        connection.execute(sql, []).unwrap();
        let sql = "INSERT INTO event_heads
                   SELECT agent_id, MAX(n), MAX(event_seq) FROM events GROUP BY agent_id";
        connection.execute(sql, []).unwrap();
        let agent = "agent_b".parse().unwrap();
        for (after, rows_max) in [(0, 5), (10, 5), (31, 2), (60, 40), (97, 9), (100, 3)] {
            let found = events(&connection, &agent, Some(after), rows_max).unwrap();
            assert!(found.iter().all(|event| event.agent == agent));
            let numbers: Vec<u64> = found.iter().map(|event| event.event_seq).collect();
            let last = (after + rows_max as u64).min(100);
            assert_eq!(numbers, (after + 1..=last).collect::<Vec<_>>(), "after {after}");
        }
        let newest = events(&connection, &agent, None, 3).unwrap();
        assert_eq!(newest.iter().map(|event| event.event_seq).collect::<Vec<_>>(), [98, 99, 100]);
    }
}

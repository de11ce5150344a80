//! Reads of the run log, of who listens, and of events.

use rusqlite::{Connection, params};
use store::Subscriber;
use types::{AgentId, Event, Run, RunKey, Token};

use crate::fault::Fault;
use crate::rows::{self, Cells, int, limit};

use super::records::{all, one};

pub(crate) fn run(connection: &Connection, run_key: &RunKey) -> Result<Option<Run>, Fault> {
    let sql = "SELECT * FROM wake_runs WHERE run_key = ?1";
    one(connection, sql, params![run_key.0.as_bytes()], rows::run)
}

pub(crate) fn runs_of(
    connection: &Connection,
    agent: &AgentId,
    rows_max: usize,
) -> Result<Vec<Run>, Fault> {
    let sql = "SELECT *
               FROM wake_runs
               WHERE agent_id = ?1
               ORDER BY created_at DESC, n DESC
               LIMIT ?2";
    all(connection, sql, params![agent.as_str(), limit(rows_max)], rows::run)
}

pub(crate) fn queued_runs(connection: &Connection, rows_max: usize) -> Result<Vec<Run>, Fault> {
    let sql = "SELECT *
               FROM wake_runs INDEXED BY wake_runs_queued
               WHERE status = 'queued'
               ORDER BY n
               LIMIT ?1";
    all(connection, sql, params![limit(rows_max)], rows::run)
}

pub(crate) fn subscribers(
    connection: &Connection,
    tokens: &[Token],
) -> Result<Vec<Subscriber>, Fault> {
    let sql = "SELECT token, subscription_id, agent_id
               FROM subscription_tokens
               WHERE token = ?1
               ORDER BY subscription_id";
    let mut found = Vec::new();
    for token in tokens {
        found.extend(all(connection, sql, params![token.key()], |row| {
            let cells = Cells(row);
            Ok(Subscriber {
                token: token.clone(),
                subscription: cells.parsed("subscription_id")?,
                agent: cells.parsed("agent_id")?,
            })
        })?);
    }
    Ok(found)
}

pub(crate) fn events_after(
    connection: &Connection,
    agent: &AgentId,
    after: u64,
    rows_max: usize,
) -> Result<Vec<Event>, Fault> {
    let sql = "SELECT agent_id, event_seq, kind, at, body
               FROM events
               WHERE agent_id = ?1 AND event_seq > ?2
               ORDER BY event_seq
               LIMIT ?3";
    all(connection, sql, params![agent.as_str(), int(after), limit(rows_max)], rows::event)
}

//! Reads of the run log, of who listens, and of events.

use rusqlite::{Connection, params};
use types::{AgentId, At, Listener, ReadyRun, Run, RunKey, Token};

use crate::fault::Fault;
use crate::rows::{Cells, limit};
use crate::wake_rows;

use super::records::{all, one};

pub(crate) fn run(connection: &Connection, run_key: &RunKey) -> Result<Option<Run>, Fault> {
    let sql = "SELECT * FROM runs WHERE run_key = ?1";
    one(connection, sql, params![run_key.0.as_bytes()], wake_rows::run)
}

/// Whose a run is.
pub(crate) fn agent_of_run(
    connection: &Connection,
    run_key: &RunKey,
) -> Result<Option<AgentId>, Fault> {
    let sql = "SELECT agent_id FROM runs WHERE run_key = ?1";
    one(connection, sql, params![run_key.0.as_bytes()], |row| Cells(row).parsed("agent_id"))
}

pub(crate) fn runs_of(
    connection: &Connection,
    agent: &AgentId,
    rows_max: usize,
) -> Result<Vec<Run>, Fault> {
    let sql = "SELECT *
               FROM runs
               WHERE agent_id = ?1
               ORDER BY n DESC
               LIMIT ?2";
    all(connection, sql, params![agent.as_str(), limit(rows_max)], wake_rows::run)
}

pub(crate) fn open_runs(
    connection: &Connection,
    agent: &AgentId,
    rows_max: usize,
) -> Result<Vec<Run>, Fault> {
    // Otherwise the order of numbers would lead through all that has ended.
    let sql = "SELECT *
               FROM runs INDEXED BY runs_open
               WHERE agent_id = ?1 AND completed_at IS NULL AND merged_into IS NULL
               ORDER BY n
               LIMIT ?2";
    all(connection, sql, params![agent.as_str(), limit(rows_max)], wake_rows::run)
}

/// The next of an agent's runs that may begin.
pub(crate) fn next_run(
    connection: &Connection,
    agent: &AgentId,
    now: At,
) -> Result<Option<Run>, Fault> {
    let sql = "SELECT *
               FROM runs
               WHERE agent_id = ?1
                 AND completed_at IS NULL
                 AND merged_into IS NULL
                 AND status = 'queued'
                 AND held = 0
                 AND (not_before IS NULL OR not_before <= ?2)
               ORDER BY rank
               LIMIT 1";
    one(connection, sql, params![agent.as_str(), now.millis()], wake_rows::run)
}

/// The last run of the log.
pub(crate) fn newest_run(connection: &Connection) -> Result<u64, Fault> {
    let sql = "SELECT COALESCE(MAX(n), 0) AS n FROM runs";
    Ok(one(connection, sql, [], |row| Cells(row).number("n"))?.unwrap_or(0))
}

/// The one of an agent's runs that has begun.
pub(crate) fn begun_run(connection: &Connection, agent: &AgentId) -> Result<Option<Run>, Fault> {
    let sql = "SELECT *
               FROM runs
               WHERE agent_id = ?1
                 AND completed_at IS NULL
                 AND merged_into IS NULL
                 AND status = 'started'
               LIMIT 1";
    one(connection, sql, params![agent.as_str()], wake_rows::run)
}

pub(crate) fn queued_runs(connection: &Connection, rows_max: usize) -> Result<Vec<Run>, Fault> {
    // Three indexes hold what is queued, and what is held is the rest of what is open.
    let sql = "SELECT *
               FROM runs INDEXED BY runs_open
               WHERE completed_at IS NULL AND merged_into IS NULL AND status = 'queued'
               ORDER BY n
               LIMIT ?1";
    all(connection, sql, params![limit(rows_max)], wake_rows::run)
}

pub(crate) fn begun_runs(connection: &Connection, rows_max: usize) -> Result<Vec<Run>, Fault> {
    let sql = "SELECT *
               FROM runs INDEXED BY runs_begun
               WHERE status = 'started'
               ORDER BY n
               LIMIT ?1";
    all(connection, sql, params![limit(rows_max)], wake_rows::run)
}

/// Rows of the queue that one look goes through: bounds what a crowd of runs costs.
const QUEUE_ROWS_MAX: i64 = 10_000;

pub(crate) fn ready_runs(
    connection: &Connection,
    now: At,
    rows_max: usize,
) -> Result<Vec<ReadyRun>, Fault> {
    let ready = |row: &rusqlite::Row<'_>| {
        let cells = Cells(row);
        let (agent, number) = (cells.parsed("agent_id")?, cells.number("n")?);
        Ok(ReadyRun { agent, number, priority: wake_rows::priority(&cells)? })
    };
    // One per agent, so that an agent with a full mailbox does not hide the others. SQLite takes the
    // bare columns from the row that has the minimum.
    let sql = "SELECT n, agent_id, priority, MIN(rank) AS first
               FROM (SELECT n, agent_id, priority, rank
                     FROM runs INDEXED BY runs_ready
                     WHERE status = 'queued'
                       AND merged_into IS NULL
                       AND not_before IS NULL
                       AND held = 0
                     ORDER BY rank
                     LIMIT ?2)
               GROUP BY agent_id
               ORDER BY first, n
               LIMIT ?1";
    let mut found = all(connection, sql, params![limit(rows_max), QUEUE_ROWS_MAX], ready)?;
    let sql = "SELECT n, agent_id, priority, MIN(rank) AS first
               FROM (SELECT n, agent_id, priority, rank
                     FROM runs INDEXED BY runs_gated
                     WHERE status = 'queued'
                       AND merged_into IS NULL
                       AND not_before IS NOT NULL
                       AND held = 0
                       AND not_before <= ?3
                     ORDER BY rank
                     LIMIT ?2)
               GROUP BY agent_id
               ORDER BY first, n
               LIMIT ?1";
    let params = params![limit(rows_max), QUEUE_ROWS_MAX, now.millis()];
    found.extend(all(connection, sql, params, ready)?);
    found.sort_by_key(|run| (rules::order::rank(run.number, run.priority), run.number));
    found.truncate(rows_max);
    Ok(found)
}

pub(crate) fn subscribers(
    connection: &Connection,
    tokens: Vec<Token>,
) -> Result<Vec<(Token, Vec<Listener>)>, Fault> {
    let sql = "SELECT subscription_id, agent_id, plain
               FROM listeners
               WHERE token = ?1
               ORDER BY subscription_id";
    let mut statement = connection.prepare_cached(sql)?;
    let mut found = Vec::new();
    for token in tokens {
        let mut rows = statement.query(params![token.key()])?;
        let mut listeners = Vec::new();
        while let Some(row) = rows.next()? {
            let parsed = |column: usize| -> Result<&str, Fault> {
                row.get_ref(column)?.as_str().map_err(Fault::row)
            };
            listeners.push(Listener {
                subscription: parsed(0)?.parse().map_err(Fault::row)?,
                agent: parsed(1)?.parse().map_err(Fault::row)?,
                plain: row.get(2)?,
            });
        }
        if !listeners.is_empty() {
            found.push((token, listeners));
        }
    }
    Ok(found)
}

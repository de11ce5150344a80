//! Reads of the run log, of who listens, and of events.

use rusqlite::params;
use types::{AgentId, At, Listener, Run, RunKey, RunState, Token};
use vfs::Connection;

use crate::fault::Fault;
use crate::rows::{Cells, limit, page};
use crate::wake_rows::{self, run_columns};

use super::records::{all, first, one};

pub(crate) fn run(connection: &Connection, run_key: &RunKey) -> Result<Option<Run>, Fault> {
    let sql = concat!(run_columns!(), " WHERE run_key = ?1");
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
    let sql = concat!(
        run_columns!(),
        "
               WHERE agent_id = ?1
               ORDER BY n DESC
               LIMIT ?2"
    );
    all(connection, sql, params![agent.as_str(), limit(rows_max)], wake_rows::run)
}

pub(crate) fn open_runs(
    connection: &Connection,
    agent: &AgentId,
    rows_max: usize,
) -> Result<Vec<Run>, Fault> {
    // Otherwise the order of numbers would lead through all that has ended.
    let sql = concat!(
        run_columns!(),
        " INDEXED BY runs_open
               WHERE agent_id = ?1 AND completed_at IS NULL AND merged_into IS NULL
               ORDER BY n"
    );
    first(connection, sql, params![agent.as_str()], page(rows_max), wake_rows::run)
}

/// The one of an agent's runs that has begun, and the next that may.
pub(crate) fn runs_at_hand(
    connection: &Connection,
    agent: &AgentId,
    now: At,
) -> Result<(Option<Run>, Option<Run>), Fault> {
    // "started" comes after "queued", so it is first here.
    let sql = concat!(
        run_columns!(),
        " INDEXED BY runs_open
               WHERE agent_id = ?1
                 AND completed_at IS NULL
                 AND merged_into IS NULL
                 AND (status = 'started'
                   OR status = 'queued'
                     AND held = 0
                     AND (not_before IS NULL OR not_before <= ?2))
               ORDER BY status DESC, rank"
    );
    let params = params![agent.as_str(), now.millis()];
    let found = first(connection, sql, params, 2, wake_rows::run)?;
    let has_begun = |run: &Run| matches!(run.state, RunState::Started { .. });
    let (begun, queued): (Vec<Run>, Vec<Run>) = found.into_iter().partition(has_begun);
    Ok((begun.into_iter().next(), queued.into_iter().next()))
}

/// A run, and those that were merged into it.
pub(crate) fn with_merged(connection: &Connection, run_key: &RunKey) -> Result<Vec<RunKey>, Fault> {
    let sql = "SELECT run_key FROM runs WHERE merged_into = ?1 ORDER BY n";
    let merged = all(connection, sql, params![run_key.0.as_bytes()], |row| {
        Ok(RunKey(Cells(row).digest(0)?))
    })?;
    Ok([*run_key].into_iter().chain(merged).collect())
}

/// The last run of the log.
pub(crate) fn newest_run(connection: &Connection) -> Result<u64, Fault> {
    let sql = "SELECT COALESCE(MAX(n), 0) AS n FROM runs";
    Ok(one(connection, sql, [], |row| Cells(row).number("n"))?.unwrap_or(0))
}

pub(crate) fn queued_runs(connection: &Connection, rows_max: usize) -> Result<Vec<Run>, Fault> {
    // Three indexes hold what is queued, and what is held is the rest of what is open.
    let sql = concat!(
        run_columns!(),
        " INDEXED BY runs_open
               WHERE completed_at IS NULL AND merged_into IS NULL AND status = 'queued'
               ORDER BY n"
    );
    first(connection, sql, [], page(rows_max), wake_rows::run)
}

pub(crate) fn begun_runs(connection: &Connection, rows_max: usize) -> Result<Vec<Run>, Fault> {
    let sql = concat!(
        run_columns!(),
        " INDEXED BY runs_begun
               WHERE status = 'started'
               ORDER BY n
               LIMIT ?1"
    );
    all(connection, sql, params![limit(rows_max)], wake_rows::run)
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

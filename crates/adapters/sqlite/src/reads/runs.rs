//! Reads of the run log, of who listens, and of events.

use rusqlite::{Connection, params};
use types::{AgentId, At, Listener, ReadyRun, Run, RunKey, RunState, Token};

use crate::fault::Fault;
use crate::rows::{Cells, int, limit};
use crate::wake_rows::{self, run_columns};

use super::records::{all, one};

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
               ORDER BY n
               LIMIT ?2"
    );
    all(connection, sql, params![agent.as_str(), limit(rows_max)], wake_rows::run)
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
               ORDER BY status DESC, rank
               LIMIT 2"
    );
    let found = all(connection, sql, params![agent.as_str(), now.millis()], wake_rows::run)?;
    let has_begun = |run: &Run| matches!(run.state, RunState::Started { .. });
    let (begun, queued): (Vec<Run>, Vec<Run>) = found.into_iter().partition(has_begun);
    Ok((begun.into_iter().next(), queued.into_iter().next()))
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
               ORDER BY n
               LIMIT ?1"
    );
    all(connection, sql, params![limit(rows_max)], wake_rows::run)
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

/// Rows of the queue that one look goes through at most: bounds what a crowd of runs costs.
const QUEUE_ROWS_MAX: usize = 10_000;

/// The first ready run of each of so many agents. Usually the first rows of the queue hold them; only where a
/// few agents with full mailboxes hide the others, all of it is gone through.
pub(crate) fn ready_runs(
    connection: &Connection,
    now: At,
    rows_max: usize,
) -> Result<Vec<ReadyRun>, Fault> {
    let few = rows_max.saturating_mul(2).min(QUEUE_ROWS_MAX);
    let (found, gone_through) = first_of_queue(connection, now, few)?;
    let hidden = found.len() < rows_max && gone_through;
    let mut found = if hidden { first_of_queue(connection, now, QUEUE_ROWS_MAX)?.0 } else { found };
    found.sort_by_key(|run| (rules::order::rank(run.number, run.priority), run.number));
    found.truncate(rows_max);
    Ok(found)
}

/// The first run of each agent among so many rows of each queue, and whether a queue goes on behind them.
fn first_of_queue(
    connection: &Connection,
    now: At,
    queue_rows: usize,
) -> Result<(Vec<ReadyRun>, bool), Fault> {
    // One per agent, so that an agent with a full mailbox does not hide the others. SQLite takes the
    // bare columns from the row that has the minimum.
    let at_once = "SELECT n, agent_id, priority, MIN(rank), COUNT(*)
                   FROM (SELECT n, agent_id, priority, rank
                         FROM runs INDEXED BY runs_ready
                         WHERE status = 'queued'
                           AND merged_into IS NULL
                           AND not_before IS NULL
                           AND held = 0
                         ORDER BY rank
                         LIMIT ?1)
                   GROUP BY agent_id";
    let from_now = "SELECT n, agent_id, priority, MIN(rank), COUNT(*)
                    FROM (SELECT n, agent_id, priority, rank
                          FROM runs INDEXED BY runs_gated
                          WHERE status = 'queued'
                            AND merged_into IS NULL
                            AND not_before IS NOT NULL
                            AND held = 0
                            AND not_before <= ?2
                          ORDER BY rank
                          LIMIT ?1)
                    GROUP BY agent_id";
    let ready = |row: &rusqlite::Row<'_>| {
        let cells = Cells(row);
        let run = ReadyRun {
            agent: cells.parsed(1)?,
            number: cells.number(0)?,
            priority: wake_rows::priority(&cells, 2)?,
        };
        Ok((run, cells.number(4)?))
    };
    let (mut found, mut gone_through, rows) = (Vec::new(), false, int(queue_rows as u64));
    for (sql, params) in [(at_once, params![rows]), (from_now, params![rows, now.millis()])] {
        let queue: Vec<(ReadyRun, u64)> = all(connection, sql, params, ready)?;
        let rows: u64 = queue.iter().map(|(_, rows)| rows).sum();
        gone_through |= usize::try_from(rows).is_ok_and(|rows| rows >= queue_rows);
        found.extend(queue.into_iter().map(|(run, _)| run));
    }
    Ok((found, gone_through))
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

//! What there is to do, and when there will be more: what every look asks, from one moment.

use std::collections::HashSet;

use rusqlite::{Row, params};
use store::Outlook;
use types::{At, ReadyRun};
use vfs::Connection;

use crate::fault::Fault;
use crate::rows::{Cells, limit};
use crate::wake_rows;

use super::records::{all, first, in_one_moment, one};

/// Reads it all inside one read transaction.
pub(crate) fn outlook(connection: &Connection, now: At, rows_max: usize) -> Result<Outlook, Fault> {
    in_one_moment(connection, || {
        let first = times(connection)?;
        let is_due = |at: Option<At>| at.is_some_and(|at| at <= now);
        let times = [first.gate, first.schedule, first.wait];
        Ok(Outlook {
            stopped: first.stopped,
            schedules_due: is_due(first.schedule),
            waits_due: is_due(first.wait),
            ready: ready_runs(connection, is_due(first.gate).then_some(now), rows_max)?,
            begun: begun(connection, rows_max)?,
            next: match times.into_iter().any(is_due) {
                true => next_due(connection, now)?,
                false => times.into_iter().flatten().min(),
            },
        })
    })
}

/// Whether everything is stopped, and the first time of each kind, past or not.
struct First {
    stopped: bool,
    gate: Option<At>,
    schedule: Option<At>,
    wait: Option<At>,
}

fn times(connection: &Connection) -> Result<First, Fault> {
    let sql = "SELECT (SELECT closed FROM fences WHERE scope = 'global'),
                      (SELECT not_before
                       FROM runs INDEXED BY runs_gated
                       WHERE status = 'queued'
                         AND merged_into IS NULL
                         AND not_before IS NOT NULL
                         AND held = 0
                       ORDER BY not_before
                       LIMIT 1),
                      (SELECT next_at
                       FROM armings
                       WHERE next_at IS NOT NULL
                       ORDER BY next_at
                       LIMIT 1),
                      (SELECT deadline
                       FROM waits
                       WHERE deadline IS NOT NULL
                       ORDER BY deadline
                       LIMIT 1)";
    let first = one(connection, sql, [], |row| {
        let cells = Cells(row);
        Ok(First {
            stopped: cells.get::<Option<bool>>(0)?.unwrap_or(false),
            gate: cells.maybe_at(1)?,
            schedule: cells.maybe_at(2)?,
            wait: cells.maybe_at(3)?,
        })
    })?;
    first.ok_or_else(|| Fault::row("no outlook".to_owned()))
}

/// The nearest time after now at which anything becomes due. What is due already is for the look that
/// asks; it must not hide what comes after.
pub(super) fn next_due(connection: &Connection, now: At) -> Result<Option<At>, Fault> {
    let nearest = [
        "SELECT not_before AS at
         FROM runs INDEXED BY runs_gated
         WHERE status = 'queued'
           AND merged_into IS NULL
           AND not_before IS NOT NULL
           AND held = 0
           AND not_before > ?1
         ORDER BY not_before
         LIMIT 1",
        "SELECT next_at AS at
         FROM armings
         WHERE next_at IS NOT NULL AND next_at > ?1
         ORDER BY next_at
         LIMIT 1",
        "SELECT deadline AS at FROM waits WHERE deadline > ?1 ORDER BY deadline LIMIT 1",
    ];
    let mut next: Option<At> = None;
    for sql in nearest {
        let found = one(connection, sql, params![now.millis()], |row| Cells(row).at("at"))?;
        next = [next, found].into_iter().flatten().min();
    }
    Ok(next)
}

/// Rows of the queue that one look goes through at most: bounds what a crowd of runs costs.
const QUEUE_ROWS_MAX: usize = 10_000;

/// The first ready run of each of so many agents, with those whose gates have opened by a time. Usually the
/// first rows of the queue hold them; only where a few agents with full mailboxes hide the others, all of it
/// is gone through.
pub(super) fn ready_runs(
    connection: &Connection,
    open_by: Option<At>,
    rows_max: usize,
) -> Result<Vec<ReadyRun>, Fault> {
    let few = rows_max.saturating_mul(2).min(QUEUE_ROWS_MAX);
    let (mut found, goes_on) = first_of_queues(connection, open_by, few)?;
    if found.len() < rows_max && goes_on {
        found = first_of_queues(connection, open_by, QUEUE_ROWS_MAX)?.0;
    }
    found.sort_by_key(|run| (rules::order::rank(run.number, run.priority), run.number));
    found.truncate(rows_max);
    Ok(found)
}

/// The first run of each agent among so many rows of each queue, and whether a queue goes on behind them.
fn first_of_queues(
    connection: &Connection,
    open_by: Option<At>,
    queue_rows: usize,
) -> Result<(Vec<ReadyRun>, bool), Fault> {
    let at_once = "SELECT n, agent_id, priority
                   FROM runs INDEXED BY runs_ready
                   WHERE status = 'queued'
                     AND merged_into IS NULL
                     AND not_before IS NULL
                     AND held = 0
                   ORDER BY rank";
    let from_now = "SELECT n, agent_id, priority
                    FROM runs INDEXED BY runs_gated
                    WHERE status = 'queued'
                      AND merged_into IS NULL
                      AND not_before IS NOT NULL
                      AND held = 0
                      AND not_before <= ?1
                    ORDER BY rank";
    let mut queues = vec![first(connection, at_once, [], queue_rows, ready)?];
    if let Some(now) = open_by {
        queues.push(first(connection, from_now, params![now.millis()], queue_rows, ready)?);
    }
    let goes_on = queues.iter().any(|queue| queue.len() >= queue_rows);
    // One per agent, so that an agent with a full mailbox does not hide the others.
    let first_of_each = queues.into_iter().flat_map(|queue| {
        let mut agents = HashSet::new();
        queue.into_iter().filter(move |run| agents.insert(run.agent.clone()))
    });
    Ok((first_of_each.collect(), goes_on))
}

fn begun(connection: &Connection, rows_max: usize) -> Result<Vec<ReadyRun>, Fault> {
    let sql = "SELECT n, agent_id, priority
               FROM runs INDEXED BY runs_begun
               WHERE status = 'started'
               ORDER BY n
               LIMIT ?1";
    all(connection, sql, params![limit(rows_max)], ready)
}

fn ready(row: &Row<'_>) -> Result<ReadyRun, Fault> {
    let cells = Cells(row);
    Ok(ReadyRun {
        number: cells.number(0)?,
        agent: cells.parsed(1)?,
        priority: wake_rows::priority(&cells, 2)?,
    })
}

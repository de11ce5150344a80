//! Reads of schedules, of waits, and of what became of slots.

use rusqlite::{Row, params};
use types::{AgentId, Arming, At, Hint, Occurrence, Record, Rest, RunKey, ScheduleId, SlotName};
use vfs::Connection;

use crate::fault::Fault;
use crate::rows::{self, Cells, limit, page};
use crate::wake_rows;

use super::records::{all, first, found_record_columns, one};

pub(crate) fn any_gated(connection: &Connection) -> Result<bool, Fault> {
    let sql = "SELECT 1 AS one
               FROM runs INDEXED BY runs_gated
               WHERE status = 'queued'
                 AND merged_into IS NULL
                 AND not_before IS NOT NULL
                 AND held = 0
               LIMIT 1";
    Ok(one(connection, sql, [], |_| Ok(()))?.is_some())
}

pub(crate) fn due_schedules(
    connection: &Connection,
    now: At,
    rows_max: usize,
) -> Result<Vec<Arming>, Fault> {
    let sql = "SELECT *
               FROM armings
               WHERE next_at IS NOT NULL AND next_at <= ?1
               ORDER BY next_at
               LIMIT ?2";
    all(connection, sql, params![now.millis(), limit(rows_max)], wake_rows::arming)
}

pub(crate) fn armed_elsewhere(
    connection: &Connection,
    zone: &str,
    rows_max: usize,
) -> Result<Vec<Arming>, Fault> {
    // Two ranges of the index instead of a comparison that it cannot serve.
    let sql = "SELECT *
               FROM armings
               WHERE local_zone IS NOT NULL AND local_zone < ?1
               UNION ALL
               SELECT *
               FROM armings
               WHERE local_zone IS NOT NULL AND local_zone > ?1
               LIMIT ?2";
    all(connection, sql, params![zone, limit(rows_max)], wake_rows::arming)
}

pub(crate) fn armed_later(
    connection: &Connection,
    than: At,
    after: Option<&ScheduleId>,
    rows_max: usize,
) -> Result<Vec<(At, Arming)>, Fault> {
    // One that was set at the time itself is later only if it is behind another of the same time.
    let sql = "SELECT *
               FROM armings INDEXED BY armings_set
               WHERE next_at IS NOT NULL
                 AND set_at >= ?1
                 AND (set_at > ?1 OR schedule_id > ?2)
               ORDER BY set_at, schedule_id
               LIMIT ?3";
    let params = params![than.millis(), after.map(ScheduleId::as_str), limit(rows_max)];
    let timed = |row: &Row<'_>| Ok((Cells(row).at("set_at")?, wake_rows::arming(row)?));
    all(connection, sql, params, timed)
}

pub(crate) fn last_ticked(
    connection: &Connection,
    schedule: &ScheduleId,
    up_to: &SlotName,
) -> Result<Option<SlotName>, Fault> {
    let sql = "SELECT last_slot
               FROM occurrences INDEXED BY occurrences_by_slot
               WHERE schedule_id = ?1
                 AND last_slot <= ?2
                 AND source IN ('cron_tick', 'interval_tick')
               ORDER BY last_slot DESC
               LIMIT 1";
    let params = params![schedule.as_str(), up_to.as_str()];
    one(connection, sql, params, |row| Ok(SlotName::named(Cells(row).text("last_slot")?)))
}

pub(crate) fn arming(
    connection: &Connection,
    schedule: &ScheduleId,
) -> Result<Option<Arming>, Fault> {
    let sql = "SELECT * FROM armings WHERE schedule_id = ?1";
    one(connection, sql, params![schedule.as_str()], wake_rows::arming)
}

pub(crate) fn occurrences(
    connection: &Connection,
    schedule: &ScheduleId,
    rows_max: usize,
) -> Result<Vec<Occurrence>, Fault> {
    let sql = "SELECT *
               FROM occurrences
               WHERE schedule_id = ?1
               ORDER BY n DESC
               LIMIT ?2";
    let params = params![schedule.as_str(), limit(rows_max)];
    all(connection, sql, params, wake_rows::occurrence)
}

pub(crate) fn in_flight(
    connection: &Connection,
    schedule: &ScheduleId,
) -> Result<Vec<Occurrence>, Fault> {
    let sql = "SELECT *
               FROM occurrences
               WHERE schedule_id = ?1 AND ended_at IS NULL
               ORDER BY n
               LIMIT ?2";
    let params = params![schedule.as_str(), limit(usize::MAX)];
    all(connection, sql, params, wake_rows::occurrence)
}

pub(crate) fn occurrences_of(
    connection: &Connection,
    run_key: &RunKey,
) -> Result<Vec<Occurrence>, Fault> {
    let sql = "SELECT *
               FROM occurrences
               WHERE ended_at IS NULL AND run_key IS NOT NULL AND run_key = ?1
               ORDER BY n
               LIMIT ?2";
    let mut found = Vec::new();
    for run_key in super::with_merged(connection, run_key)? {
        let params = params![run_key.0.as_bytes(), limit(usize::MAX)];
        found.extend(all(connection, sql, params, wake_rows::occurrence)?);
    }
    Ok(found)
}

/// Open waits, by a condition on their index and in an order.
macro_rules! waits {
    ($condition:literal, $order:literal) => {
        concat!(
            found_record_columns!(),
            "FROM waits AS w
             CROSS JOIN entities AS e ON e.id_key = key_of(w.wait_id) AND e.id = w.wait_id
             WHERE ",
            $condition,
            " ORDER BY ",
            $order
        )
    };
}

pub(crate) fn due_waits(
    connection: &Connection,
    now: At,
    rows_max: usize,
) -> Result<Vec<Record>, Fault> {
    let sql = waits!("w.deadline <= ?1", "w.deadline");
    first(connection, sql, params![now.millis()], page(rows_max), rows::record)
}

pub(crate) fn waits_on(
    connection: &Connection,
    source: &str,
    rows_max: usize,
) -> Result<Vec<Record>, Fault> {
    let sql = waits!("w.source = ?1", "e.created_at, e.n");
    first(connection, sql, params![source], page(rows_max), rows::record)
}

pub(crate) fn open_waits(
    connection: &Connection,
    agent: &AgentId,
    rows_max: usize,
) -> Result<Vec<Record>, Fault> {
    let sql = waits!("w.agent_id = ?1", "e.created_at, e.n");
    first(connection, sql, params![agent.as_str()], page(rows_max), rows::record)
}

pub(crate) fn rest(connection: &Connection, agent: &AgentId) -> Result<Option<Rest>, Fault> {
    let sql = "SELECT body FROM rests WHERE agent_id = ?1";
    one(connection, sql, params![agent.as_str()], |row| Cells(row).json("body"))
}

pub(crate) fn hints(connection: &Connection, agent: &AgentId) -> Result<Vec<Hint>, Fault> {
    let sql = "SELECT * FROM hints WHERE agent_id = ?1 ORDER BY trigger_id";
    all(connection, sql, params![agent.as_str()], wake_rows::hint)
}

//! Reads of the change log and of what hangs on it.

use std::collections::BTreeSet;

use rusqlite::{Row, params};
use store::FencesAround;
use types::{
    AgentId, ChangeRecord, Counter, CursorName, Delta, Domain, Epoch, Fence, FenceScope, HostId,
    Position, SequenceEntry, Token,
};
use vfs::Connection;

use crate::fault::Fault;
use crate::rows::{self, Cells, int, limit, page};

use super::records::{all, first, one};

pub(crate) fn head(connection: &Connection) -> Result<Position, Fault> {
    let sql = "SELECT COALESCE(MAX(position), 0) AS position FROM change_log";
    let head = one(connection, sql, [], |row| Cells(row).number("position"))?;
    Ok(Position(head.unwrap_or(0)))
}

/// Where the log begins and where it ends.
fn ends(connection: &Connection) -> Result<(Position, Position), Fault> {
    let sql =
        "SELECT (SELECT MIN(position) FROM change_log), (SELECT MAX(position) FROM change_log)";
    let ends = one(connection, sql, [], |row| {
        let end = |column| Ok::<_, Fault>(row.get::<_, Option<i64>>(column)?.unwrap_or(0));
        Ok((Position(end(0)?.unsigned_abs()), Position(end(1)?.unsigned_abs())))
    })?;
    Ok(ends.unwrap_or_default())
}

macro_rules! change_columns {
    () => {
        "SELECT position, host, counter, origin, author, at, logical_change_key, tokens, images
         FROM change_log"
    };
}

pub(crate) fn changes_after(
    connection: &Connection,
    after: Position,
    rows_max: usize,
) -> Result<Vec<ChangeRecord>, Fault> {
    let sql = concat!(change_columns!(), " WHERE position > ?1 ORDER BY position LIMIT ?2");
    all(connection, sql, params![int(after.0), limit(rows_max)], rows::change)
}

pub(crate) fn changes_about(
    connection: &Connection,
    tokens: &[Token],
    after: Position,
    up_to: Position,
    rows_max: usize,
) -> Result<Vec<ChangeRecord>, Fault> {
    let sql = "SELECT t.position
               FROM change_tokens AS t
               CROSS JOIN change_log AS c
                 ON c.position = t.position AND instr(c.tokens, json_quote(?1)) > 0
               WHERE t.token_key = key_of(?1) AND t.position > ?2 AND t.position <= ?3
               ORDER BY t.position";
    // One that carries several of the tokens is found by each of them.
    let (mut positions, rows_max) = (BTreeSet::<i64>::new(), page(rows_max));
    let position = |row: &Row<'_>| Ok(row.get::<_, i64>(0)?);
    for token in tokens {
        let params = params![token.key(), int(after.0), int(up_to.0)];
        positions.extend(first(connection, sql, params, rows_max, position)?);
    }
    let sql = concat!(change_columns!(), " WHERE position = ?1");
    let first_of_all = positions.into_iter().take(rows_max);
    let found = |at| one(connection, sql, params![at], rows::change).transpose();
    first_of_all.filter_map(found).collect()
}

/// What the log holds for somebody after a position, up to its end or as far as one page goes.
pub(crate) fn delta(
    connection: &Connection,
    tokens: &[Token],
    after: Position,
    rows_max: usize,
) -> Result<Delta, Fault> {
    // The head first: what comes in meanwhile is for the next look.
    let (first, head) = ends(connection)?;
    if after >= head {
        return Ok(Delta { head, ..Delta::default() });
    }
    let changes = changes_about(connection, tokens, after, head, rows_max)?;
    let full = changes
        .last()
        .filter(|_| int(changes.len() as u64) >= limit(rows_max))
        .map(|last| last.position);
    let trimmed = after.misses_some_before(first);
    Ok(Delta { head: full.unwrap_or(head), changes, more: full.is_some(), trimmed })
}

pub(crate) fn cursor(
    connection: &Connection,
    name: &CursorName,
    log: Domain,
) -> Result<Position, Fault> {
    let sql = "SELECT position FROM cursors WHERE name = ?1 AND log = ?2";
    let params = params![name.as_str(), log.as_str()];
    let position = one(connection, sql, params, |row| Cells(row).number("position"))?;
    Ok(Position(position.unwrap_or(0)))
}

/// Where a durable cursor stands in the journal's log, and in the agents' own.
pub(crate) fn cursors(
    connection: &Connection,
    name: &CursorName,
) -> Result<(Position, Position), Fault> {
    let sql = "SELECT log, position FROM cursors WHERE name = ?1";
    let found = all(connection, sql, params![name.as_str()], |row| {
        let cells = Cells(row);
        let log = cells.word(0, &Domain::ALL, Domain::as_str)?;
        Ok((log, Position(cells.number(1)?)))
    })?;
    let stands = |log| {
        let known = found.iter().find(|(known, _)| *known == log);
        known.map_or(Position(0), |(_, position)| *position)
    };
    Ok((stands(Domain::Journal), stands(Domain::Agent)))
}

pub(crate) fn outbox_after(
    connection: &Connection,
    after: Position,
    rows_max: usize,
) -> Result<Vec<Position>, Fault> {
    let sql = "SELECT position FROM outbox WHERE position > ?1 ORDER BY position LIMIT ?2";
    let params = params![int(after.0), limit(rows_max)];
    all(connection, sql, params, |row| Cells(row).number("position").map(Position))
}

pub(crate) fn sequence_after(
    connection: &Connection,
    host: &HostId,
    after: Counter,
    rows_max: usize,
) -> Result<Vec<SequenceEntry>, Fault> {
    let sql = "SELECT host, counter, payload_type, payload_id
               FROM sequence_log
               WHERE host = ?1 AND counter > ?2
               ORDER BY counter, payload_type, payload_id
               LIMIT ?3";
    let params = params![host.as_str(), int(after.0), limit(rows_max)];
    all(connection, sql, params, rows::sequence_entry)
}

/// The records of one commit.
pub(crate) fn sequence_of(
    connection: &Connection,
    host: &HostId,
    counter: Counter,
) -> Result<Vec<SequenceEntry>, Fault> {
    let sql = "SELECT host, counter, payload_type, payload_id
               FROM sequence_log
               WHERE host = ?1 AND counter = ?2
               ORDER BY payload_type, payload_id";
    all(connection, sql, params![host.as_str(), int(counter.0)], rows::sequence_entry)
}

pub(crate) fn fence(connection: &Connection, scope: &FenceScope) -> Result<Fence, Fault> {
    let sql = "SELECT boot, attempt, closed FROM fences WHERE scope = ?1";
    let fence = one(connection, sql, params![scope.to_string()], |row| fence_at(row, 0))?;
    Ok(fence.unwrap_or_default())
}

/// The fences around an agent's work. Those of tools are a range of names: there are as many others as agents
/// that were ever stopped.
pub(crate) fn fences_around(
    connection: &Connection,
    agent: &AgentId,
) -> Result<FencesAround, Fault> {
    let sql = "SELECT scope, boot, attempt, closed FROM fences WHERE scope = 'global'
               UNION ALL
               SELECT scope, boot, attempt, closed FROM fences WHERE scope = ?1
               UNION ALL
               SELECT scope, boot, attempt, closed
               FROM fences
               WHERE scope >= 'tool:' AND scope < 'tool;' AND closed <> 0";
    let own = FenceScope::Agent(agent.clone()).to_string();
    let found = all(connection, sql, params![own], |row| {
        Ok((Cells(row).parsed::<FenceScope>(0)?, fence_at(row, 1)?))
    })?;
    let mut around = FencesAround::default();
    for (scope, fence) in found {
        match scope {
            FenceScope::Global => around.everything = fence,
            FenceScope::Agent(_) => around.own = fence,
            FenceScope::ToolClass(class) => around.stopped_tools.push(class),
        }
    }
    Ok(around)
}

/// A fence, from three columns one after the other.
fn fence_at(row: &Row<'_>, first: usize) -> Result<Fence, Fault> {
    let cells = Cells(row);
    let epoch = Epoch { boot: cells.get(first)?, attempt: cells.get(first + 1)? };
    Ok(Fence { epoch, closed: cells.get(first + 2)? })
}

pub(crate) fn closed_fences(connection: &Connection) -> Result<Vec<(FenceScope, Fence)>, Fault> {
    // There is a row per fence that was ever moved: as many as agents that were ever stopped or
    // retried. Read at a start and by whoever asks how things stand, it is worth no index.
    let sql = "SELECT scope, boot, attempt, closed FROM fences WHERE closed <> 0 ORDER BY scope";
    all(connection, sql, [], |row| Ok((Cells(row).parsed(0)?, fence_at(row, 1)?)))
}

//! Whether a commit may be applied at all. Reads only, so that a conflict leaves no trace.

use rusqlite::{OptionalExtension, params};
use types::{
    Author, Commit, Conflict, CursorMove, Epoch, Fence, FenceMove, FenceScope, Guard, Position,
    RecordId, Write,
};

use crate::fault::Fault;
use crate::reads;

use super::run;
use super::state::Writer;

/// The first thing that stands in the way, if anything does.
pub(super) type Found = Result<Option<Conflict>, Fault>;

/// The first thing that stands in a commit's way.
pub(super) fn check(writer: &Writer, commit: &Commit) -> Found {
    if let Author::Agent { agent, epoch, .. } = &commit.author {
        for scope in [FenceScope::Global, FenceScope::Agent(agent.clone())] {
            if let Some(conflict) = fence(writer, &scope, *epoch)? {
                return Ok(Some(conflict));
            }
        }
    }
    for guard in &commit.guards {
        let found = match guard {
            Guard::Revision { record, expected } => revision(writer, record, *expected)?,
            Guard::Fence { scope, epoch } => fence(writer, scope, *epoch)?,
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    for write in &commit.writes {
        let found = match write {
            Write::Cursor(cursor) => cursor_moved(writer, cursor)?,
            Write::Fence(fence) => fence_would_fall(writer, fence)?,
            Write::EndRun { run_key, .. } => run::ended(writer, run_key)?,
            _ => None,
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn fence(writer: &Writer, scope: &FenceScope, held: Epoch) -> Found {
    let Fence { epoch: stored, closed } = reads::fence(&writer.connection, scope)?;
    let admitted = Fence { epoch: stored, closed }.admits(held);
    Ok((!admitted).then(|| Conflict::Fenced { scope: scope.clone(), stored, closed, held }))
}

fn fence_would_fall(writer: &Writer, fence: &FenceMove) -> Found {
    let Fence { epoch: stored, closed } = reads::fence(&writer.connection, &fence.scope)?;
    let (scope, held) = (&fence.scope, fence.epoch);
    Ok((held < stored).then(|| Conflict::Fenced { scope: scope.clone(), stored, closed, held }))
}

fn revision(writer: &Writer, record: &RecordId, expected: u64) -> Found {
    let sql = "SELECT revision FROM entities WHERE id = ?1";
    let found: Option<i64> = writer
        .connection
        .prepare_cached(sql)?
        .query_row(params![record.as_str()], |row| row.get(0))
        .optional()?;
    let found = found.map_or(0, i64::unsigned_abs);
    let record = record.clone();
    Ok((found != expected).then_some(Conflict::Revision { record, expected, found }))
}

fn cursor_moved(writer: &Writer, cursor: &CursorMove) -> Found {
    let found: Position = reads::cursor(&writer.connection, &cursor.name, cursor.log)?;
    let (name, expected) = (&cursor.name, cursor.from);
    Ok((found != expected).then(|| Conflict::Cursor { name: name.clone(), expected, found }))
}

//! Whether a commit may be applied at all. Reads only, so that a conflict leaves no trace.

use rules::planted::{self, Fault as Planted};
use rusqlite::{OptionalExtension, params};
use types::{
    AgentId, Author, Commit, Conflict, CursorMove, Epoch, Fence, FenceMove, FenceScope, Guard,
    Position, RecordId, RunKey, Token, Write,
};

use crate::fault::Fault;
use crate::reads;
use crate::rows::int;

use super::run::{self, Stands};
use super::state::Writer;
use super::{mark, schedule, tool};

/// The first thing that stands in the way, if anything does.
pub(super) type Found = Result<Option<Conflict>, Fault>;

/// The first thing that stands in a commit's way.
pub(super) fn check(writer: &Writer, commit: &Commit) -> Found {
    if let Author::Agent { agent, epoch, .. } = &commit.author
        && !planted::is(Planted::FenceIgnored)
    {
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
            Guard::NothingMergedSince { run_key, number } => {
                run::merged_since(writer, run_key, *number)?
            }
            Guard::Waiting { run_key } => run::misplaced(writer, run_key, Stands::Queued)?,
            Guard::Mailbox { agent, max } => run::mailbox_full(writer, agent, *max)?,
            Guard::Quiet { token, since } => stirred(writer, token, *since)?,
            Guard::Unmarked { kind, mark } => mark::taken(writer, *kind, mark)?,
            Guard::ToolQuota { agent, thread, tool: name, quota } => {
                tool::over_quota(writer, commit, agent, thread, name, quota)?
            }
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    let mut begun = Vec::new();
    for write in &commit.writes {
        let found = match write {
            Write::Cursor(cursor) => cursor_moved(writer, cursor)?,
            Write::Fence(FenceMove { scope, epoch, .. }) => {
                fence_moved(writer, scope, *epoch, |held, stored| held >= stored)?
            }
            // Two who raise it to the same epoch would not shut out each other.
            Write::RaiseFence { scope, epoch } => {
                fence_moved(writer, scope, *epoch, |held, stored| held > stored)?
            }
            Write::EndRun { run_key, .. } => run::misplaced(writer, run_key, Stands::Open)?,
            Write::RetryRun { run_key, .. } => run::misplaced(writer, run_key, Stands::Begun)?,
            Write::GateRun { run_key, .. } => run::misplaced(writer, run_key, Stands::Queued)?,
            Write::StartRun { run_key } => {
                let found = begin(writer, run_key, &begun)?;
                begun.push(run_key);
                found
            }
            Write::Arm(arm) => schedule::moved(writer, arm)?,
            _ => None,
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// What is stored says nothing of runs that the same commit begins, so those are looked at too.
fn begin(writer: &Writer, run_key: &RunKey, begun: &[&RunKey]) -> Found {
    let found = match run::misplaced(writer, run_key, Stands::Queued)? {
        None => run::busy(writer, run_key)?,
        found => found,
    };
    if found.is_some() || begun.is_empty() {
        return Ok(found);
    }
    let agent = |key: &RunKey| -> Result<Option<AgentId>, Fault> {
        Ok(reads::run(&writer.connection, key)?.map(|run| run.draft.agent))
    };
    let own = agent(run_key)?;
    for other in begun {
        if agent(other)? == own {
            return Ok(own.map(|agent| Conflict::Busy { agent }));
        }
    }
    Ok(None)
}

fn fence(writer: &Writer, scope: &FenceScope, held: Epoch) -> Found {
    let Fence { epoch: stored, closed } = writer.known_fences.get(&writer.connection, scope)?;
    let admitted = Fence { epoch: stored, closed }.admits(held);
    Ok((!admitted).then(|| Conflict::Fenced { scope: scope.clone(), stored, closed, held }))
}

fn fence_moved(
    writer: &Writer,
    scope: &FenceScope,
    held: Epoch,
    may: fn(Epoch, Epoch) -> bool,
) -> Found {
    let Fence { epoch: stored, closed } = writer.known_fences.get(&writer.connection, scope)?;
    let fenced = || Conflict::Fenced { scope: scope.clone(), stored, closed, held };
    Ok((!may(held, stored)).then(fenced))
}

fn stirred(writer: &Writer, token: &Token, since: Position) -> Found {
    let sql = "SELECT 1
               FROM change_tokens AS t
               CROSS JOIN change_log AS c ON c.position = t.position
               WHERE t.token_key = key_of(?1) AND t.position > ?2
                 AND instr(c.tokens, json_quote(?1)) > 0
               LIMIT 1";
    let params = params![token.key(), int(since.0)];
    let found = writer.connection.prepare_cached(sql)?.exists(params)?;
    Ok(found.then(|| Conflict::Stirred { token: token.clone() }))
}

fn revision(writer: &Writer, record: &RecordId, expected: u64) -> Found {
    let sql = "SELECT revision FROM entities WHERE id_key = key_of(?1) AND id = ?1";
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

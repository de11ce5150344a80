//! Applying one commit inside the group's transaction.

use rusqlite::params;
use types::{Applied, Commit, Counter, FenceMove, Outcome, Write};

use crate::fault::Fault;
use crate::prepared::{Kept, Prepared};
use crate::rows::int;

use super::state::Writer;
use super::touched::Touched;
use super::{audit, change, content, event, guards, link, operation, record, run};

/// Applies a commit. A conflict is found before anything is written; a fault may come after, and
/// then the caller rolls back.
pub(super) fn apply(writer: &mut Writer, prepared: &Prepared) -> Result<Outcome, Fault> {
    let commit = &prepared.commit;
    if let Some(recorded) = operation::find(writer, commit)? {
        return Ok(Outcome::Idempotent(recorded));
    }
    if let Some(conflict) = guards::check(writer, commit)? {
        return Ok(Outcome::Conflict(conflict));
    }
    let synced = commit.writes.iter().any(|w| matches!(w, Write::Record(_) | Write::Link(_)));
    let counter = Counter(writer.tail.counter + u64::from(synced));
    let mut touched = Touched::default();
    for write in &commit.writes {
        apply_write(writer, commit, counter, write, &mut touched)?;
    }
    let change = if touched.units.is_empty() {
        None
    } else {
        Some(change::append(writer, prepared, counter, &touched)?)
    };
    operation::keep(writer, prepared, change.map(|(position, _, _)| position), &touched)?;
    audit::append(writer, prepared)?;
    Ok(Outcome::Applied(Applied { change, runs_queued: touched.runs_queued }))
}

fn apply_write(
    writer: &Writer,
    commit: &Commit,
    counter: Counter,
    write: &Write,
    touched: &mut Touched,
) -> Result<(), Fault> {
    match write {
        Write::Record(draft) => record::put(writer, commit.at, counter, draft, touched),
        Write::Link(draft) => link::put(writer, commit.at, counter, draft, touched),
        Write::Content(content) => content::keep(writer, commit.at, &Kept::new(content.clone())),
        Write::Fence(fence) => move_fence(writer, fence),
        Write::Cursor(cursor) => {
            // The guards have seen that it stands where the caller saw it.
            let sql = "INSERT OR REPLACE INTO cursors (name, log, position) VALUES (?1, ?2, ?3)";
            let (name, log) = (cursor.name.as_str(), cursor.log.as_str());
            writer.connection.prepare_cached(sql)?.execute(params![name, log, int(cursor.to.0)])?;
            Ok(())
        }
        Write::Event(event) => event::append(writer, commit.at, event),
        Write::QueueRun(draft) => run::queue(writer, commit.at, draft, touched),
        Write::EndRun { run_key, end, usage } => run::end(writer, commit.at, run_key, end, usage),
    }
}

fn move_fence(writer: &Writer, fence: &FenceMove) -> Result<(), Fault> {
    let sql = "INSERT INTO fences (scope, boot, attempt, closed)
               VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (scope) DO UPDATE
               SET boot = excluded.boot, attempt = excluded.attempt, closed = excluded.closed";
    let (scope, epoch) = (fence.scope.to_string(), fence.epoch);
    writer.connection.prepare_cached(sql)?.execute(params![
        scope,
        epoch.boot,
        epoch.attempt,
        fence.closed
    ])?;
    Ok(())
}

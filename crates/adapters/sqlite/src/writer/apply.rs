//! Applying one commit inside the group's transaction.

use std::slice;

use rusqlite::params;
use types::{
    Applied, At, Body, ChangedRecord, Commit, Counter, CursorMove, FenceMove, Outcome, Write, Wrote,
};

use crate::fault::Fault;
use crate::pack::StoredText;
use crate::prepared::{Prepared, Storable};
use crate::rows::int;

use super::state::Writer;
use super::touched::Touched;
use super::{
    audit, budget, change, content, event, guards, hint, link, operation, record, run, schedule,
    tool, trim,
};

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
    let mut ready = Ready { bodies: prepared.bodies.iter(), contents: prepared.contents.iter() };
    for write in &commit.writes {
        apply_write(writer, commit, counter, write, &mut ready, &mut touched)?;
    }
    let change = if touched.units.is_empty() {
        None
    } else {
        Some(change::append(writer, prepared, counter, &touched)?)
    };
    event::keep_heads(writer, &touched)?;
    operation::keep(writer, prepared, change.map(|(position, _, _)| position), &touched)?;
    audit::append(writer, prepared)?;
    // What carries no token wakes nobody: whoever looks would find nothing.
    writer.stirs += u64::from(touched.stirs || !touched.tokens.is_empty());
    let runs_queued = touched.runs_queued;
    Ok(Outcome::Applied(Applied { change, runs_queued, wrote: wrote(commit, touched) }))
}

/// What an operation wrote. A link is about records that are not written with it.
fn wrote(commit: &Commit, touched: Touched) -> Option<Wrote> {
    let links = commit.writes.iter().any(|write| matches!(write, Write::Link(_)));
    if commit.operation.is_none() || links {
        return None;
    }
    let records = touched.records.into_iter().map(|(id, clock)| ChangedRecord { id, clock });
    let tokens = touched.tokens.into_iter();
    Some(Wrote { records: records.collect(), tokens: tokens.collect() })
}

/// What was worked out beforehand, to be taken in the order of the writes.
struct Ready<'a> {
    bodies: slice::Iter<'a, StoredText>,
    contents: slice::Iter<'a, Storable>,
}

impl<'a> Ready<'a> {
    fn body(&mut self) -> &'a StoredText {
        self.bodies.next().expect("every body of a commit was encoded beforehand")
    }

    fn content(&mut self) -> &'a Storable {
        self.contents.next().expect("every content of a commit was packed beforehand")
    }
}

fn apply_write(
    writer: &mut Writer,
    commit: &Commit,
    counter: Counter,
    write: &Write,
    ready: &mut Ready<'_>,
    touched: &mut Touched,
) -> Result<(), Fault> {
    match write {
        Write::Record(draft) => {
            if matches!(&draft.body, Body::ModelConsent(consent) if consent.revoked) {
                writer.fences += 1;
            }
            record::put(writer, commit, counter, (draft, ready.body()), touched)
        }
        Write::Link(draft) => link::put(writer, commit.at, counter, draft, touched),
        Write::Content(content) => {
            touched.contents.push((content.subject.clone(), *content.bytes.hash()));
            content::keep(writer, commit.at, content, ready.content())
        }
        Write::Fence(fence) => {
            touched.stirs = true;
            move_fence(writer, fence)
        }
        Write::RaiseFence { scope, epoch } => {
            let closed = writer.known_fences.get(&writer.connection, scope)?.closed;
            touched.stirs = true;
            move_fence(writer, &FenceMove { scope: scope.clone(), epoch: *epoch, closed })
        }
        Write::Cursor(cursor) => move_cursor(writer, cursor),
        Write::Trim { up_to } => trim::trim(writer, *up_to),
        Write::Event(event) => {
            event::append(writer, commit.at, &event.agent, event.kind, ready.body(), touched)
        }
        Write::QueueRun(draft) => run::queue(writer, commit.at, draft, touched),
        // Nothing becomes due by a run's beginning.
        Write::StartRun { .. } => move_run(writer, commit.at, write),
        Write::RetryRun { .. }
        | Write::GateRun { .. }
        | Write::ReopenRuns
        | Write::ReleaseRuns { .. }
        | Write::EndRun { .. } => {
            touched.stirs = true;
            move_run(writer, commit.at, write)
        }
        Write::Rest(rest) => hint::rest(writer, rest),
        Write::Hint(hint) => hint::keep(writer, hint),
        Write::SeenHint { agent, trigger, count } => hint::seen(writer, agent, trigger, *count),
        Write::Arm(arm) => {
            touched.stirs = true;
            schedule::arm(writer, commit.at, &arm.to)
        }
        Write::Occur(occurrence) => schedule::occur(writer, occurrence),
        Write::SkipOccurrence { schedule, slot, why } => {
            schedule::skip(writer, commit.at, schedule, slot, *why)
        }
        Write::CountTool { agent, thread, tool: name, call } => {
            tool::count(writer, commit.at, agent, thread, name, call)
        }
        Write::Reserve { agent, day, run_key, amounts } => {
            budget::reserve(writer, agent, day, run_key, amounts)
        }
        Write::Settle { agent, day, run_key, amounts } => {
            budget::settle(writer, agent, day, run_key, amounts)
        }
    }
}

fn move_run(writer: &Writer, at: At, write: &Write) -> Result<(), Fault> {
    match write {
        Write::StartRun { run_key } => run::start(writer, at, run_key),
        Write::RetryRun { run_key, not_before, failed, usage } => {
            run::retry(writer, run_key, *not_before, *failed, usage)
        }
        Write::GateRun { run_key, gate } => run::gate(writer, run_key, *gate),
        Write::ReopenRuns => run::reopen(writer),
        Write::ReleaseRuns { agent } => run::release(writer, agent),
        Write::EndRun { run_key, end, usage } => run::end(writer, at, run_key, end, usage),
        _ => Ok(()),
    }
}

/// The guards have seen that it stands where the caller saw it.
fn move_cursor(writer: &Writer, cursor: &CursorMove) -> Result<(), Fault> {
    let sql = "INSERT OR REPLACE INTO cursors (name, log, position) VALUES (?1, ?2, ?3)";
    let (name, log) = (cursor.name.as_str(), cursor.log.as_str());
    writer.connection.prepare_cached(sql)?.execute(params![name, log, int(cursor.to.0)])?;
    Ok(())
}

fn move_fence(writer: &mut Writer, fence: &FenceMove) -> Result<(), Fault> {
    writer.fences += 1;
    writer.known_fences.put(&writer.connection, fence)
}

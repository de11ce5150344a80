//! Writing to the run log.

use rules::planted::{self, Fault as Planted};
use rusqlite::{OptionalExtension, params};
use serde_json::json;
use types::{AgentId, At, Conflict, Digest, EventKind, Gate, RunDraft, RunEnd, RunKey, Usage};

use crate::fault::Fault;
use crate::reads;
use crate::rows::{int, priority_number};

use super::guards::Found;
use super::state::Writer;
use super::touched::Touched;
use super::{budget, event, schedule};

/// Queues a wake, unless its key is in the log already: the same cause wakes once. One that only
/// says "look" is merged into the agent's oldest queued run, if that has not been tried: a run that
/// has been tried may have looked before this wake's cause.
///
/// The agent's followers are told here and not by the caller, who cannot know which it is.
pub(super) fn queue(
    writer: &mut Writer,
    at: At,
    draft: &RunDraft,
    touched: &mut Touched,
) -> Result<(), Fault> {
    let mergeable = draft.only_looks() || planted::is(Planted::ContentWakeMerged);
    let target = if mergeable { oldest_queued(writer, &draft.agent)? } else { None };
    if !insert(writer, at, draft, target.as_ref())? {
        if !planted::is(Planted::MissingDedupe) {
            return Ok(());
        }
        let other = writer.tail.run_number.to_be_bytes();
        let run_key = RunKey(rules::hash::fields([other.as_slice(), draft.run_key.0.as_bytes()]));
        insert(writer, at, &RunDraft { run_key, ..draft.clone() }, None)?;
    }
    if let Some(target) = &target {
        hurry(writer, target, draft)?;
    }
    touched.runs_queued += 1;
    touched.stirs = true;
    let mut body = json!({ "run_key": draft.run_key, "reason": draft.reason });
    if let Some(target) = target {
        body["merged_into"] = json!(target);
    }
    let body = body.to_string().into();
    event::append(writer, at, &draft.agent, EventKind::WakeQueued, &body, touched)
}

/// An agent's oldest queued run that others may be merged into.
macro_rules! oldest_queued {
    ($besides:literal) => {
        concat!(
            "SELECT run_key
             FROM runs INDEXED BY runs_open
             WHERE agent_id = ?1
               AND completed_at IS NULL
               AND merged_into IS NULL
               AND status = 'queued'
               AND attempt = 0
               AND (envelope_id IS NULL OR not_before IS NULL) ",
            $besides,
            " ORDER BY n
              LIMIT 1"
        )
    };
}

fn oldest_queued(writer: &Writer, agent: &AgentId) -> Result<Option<RunKey>, Fault> {
    // An envelope that waits for its delivery time is not to be waited for by others, and what another model is
    // asked is not for them.
    // By what is open: in the order of numbers, SQLite would walk through all that has ended.
    let sql = match planted::is(Planted::MergedIntoChoice) {
        true => oldest_queued!(""),
        false => oldest_queued!("AND model IS NULL"),
    };
    let found: Option<[u8; 32]> = writer
        .connection
        .prepare_cached(sql)?
        .query_row(params![agent.as_str()], |row| row.get(0))
        .optional()?;
    Ok(found.map(|bytes| RunKey(Digest::from_bytes(bytes))))
}

/// Inserts a run; says whether its key was new.
fn insert(
    writer: &mut Writer,
    at: At,
    draft: &RunDraft,
    target: Option<&RunKey>,
) -> Result<bool, Fault> {
    let number = writer.tail.run_number + 1;
    let sql = "INSERT INTO runs (n, run_key, agent_id, reason, reason_id, thread_id,
                                 logical_change_key, priority, rank, envelope_id, insist, status,
                                 not_before, merged_into, created_at, model)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'queued', ?12, ?13, ?14, ?15)
               ON CONFLICT (run_key) DO NOTHING";
    let inserted = writer.connection.prepare_cached(sql)?.execute(params![
        int(number),
        draft.run_key.0.as_bytes(),
        draft.agent.as_str(),
        draft.reason.as_str(),
        draft.reason_id,
        draft.thread.as_str(),
        draft.logical_change_key.as_ref().map(Digest::as_bytes),
        priority_number(draft.priority),
        rules::order::rank(number, draft.priority),
        draft.envelope.as_ref().map(types::EnvelopeId::as_str),
        draft.insist,
        draft.not_before.map(At::millis),
        target.map(|key| Digest::as_bytes(&key.0)),
        at.millis(),
        draft.model.as_ref().map(types::ModelRef::as_str),
    ])?;
    if inserted > 0 {
        writer.tail.run_number = number;
    }
    Ok(inserted > 0)
}

/// What merges into a run may be more urgent than it, or insist where it does not. Its rank stays
/// its number and the head start of its priority: whoever orders further reckons by those two.
fn hurry(writer: &Writer, target: &RunKey, draft: &RunDraft) -> Result<(), Fault> {
    let sql = "UPDATE runs
               SET priority = MIN(priority, ?2), rank = MIN(rank, n + ?3), insist = MAX(insist, ?4)
               WHERE run_key = ?1 AND (priority > ?2 OR insist < ?4)";
    let (priority, head_start) =
        (priority_number(draft.priority), rules::order::head_start(draft.priority));
    let params = params![target.0.as_bytes(), priority, head_start, draft.insist];
    writer.connection.prepare_cached(sql)?.execute(params)?;
    Ok(())
}

/// Where a run must stand for a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    Queued,
    Begun,
    Open,
}

/// The conflict of a step whose run does not stand where it must. A merged run takes no steps.
pub(super) fn misplaced(writer: &Writer, run_key: &RunKey, stands: Stands) -> Found {
    let sql = "SELECT status FROM runs WHERE run_key = ?1 AND merged_into IS NULL";
    let status: Option<String> = writer
        .connection
        .prepare_cached(sql)?
        .query_row(params![run_key.0.as_bytes()], |row| row.get(0))
        .optional()?;
    let right = match stands {
        Stands::Queued => status.as_deref() == Some("queued"),
        Stands::Begun => status.as_deref() == Some("started"),
        Stands::Open => matches!(status.as_deref(), Some("queued" | "started")),
    };
    Ok((!right).then_some(Conflict::Run { run_key: *run_key }))
}

/// The conflict of beginning a run while another of its agent has begun.
pub(super) fn busy(writer: &Writer, run_key: &RunKey) -> Found {
    let sql = "SELECT other.agent_id
               FROM runs AS this
               CROSS JOIN runs AS other
                 ON other.agent_id = this.agent_id
                AND other.completed_at IS NULL
                AND other.merged_into IS NULL
                AND other.status = 'started'
               WHERE this.run_key = ?1
               LIMIT 1";
    let agent: Option<String> = writer
        .connection
        .prepare_cached(sql)?
        .query_row(params![run_key.0.as_bytes()], |row| row.get(0))
        .optional()?;
    let parsed = agent.map(|agent| agent.parse::<AgentId>()).transpose();
    let agent = parsed.map_err(|error| Fault::row(format!("agent_id: {error}")))?;
    Ok(agent.map(|agent| Conflict::Busy { agent }))
}

/// The conflict of a run into which something was merged after a number of the log.
pub(super) fn merged_since(writer: &Writer, run_key: &RunKey, number: u64) -> Found {
    let sql = "SELECT 1 FROM runs WHERE merged_into = ?1 AND n > ?2 LIMIT 1";
    let merged: Option<i64> = writer
        .connection
        .prepare_cached(sql)?
        .query_row(params![run_key.0.as_bytes(), int(number)], |row| row.get(0))
        .optional()?;
    Ok(merged.map(|_| Conflict::Merged { run_key: *run_key }))
}

/// The conflict of a mailbox that is full.
pub(super) fn mailbox_full(writer: &Writer, agent: &AgentId, max: usize) -> Found {
    let sql = "SELECT COUNT(*)
               FROM runs
               WHERE agent_id = ?1
                 AND completed_at IS NULL
                 AND merged_into IS NULL
                 AND envelope_id IS NOT NULL";
    let unread: i64 = writer
        .connection
        .prepare_cached(sql)?
        .query_row(params![agent.as_str()], |row| row.get(0))?;
    let unread = usize::try_from(unread).unwrap_or(0);
    let agent = agent.clone();
    Ok((unread >= max).then_some(Conflict::MailboxFull { agent, unread, max }))
}

/// Begins a run.
pub(super) fn start(writer: &Writer, at: At, run_key: &RunKey) -> Result<(), Fault> {
    let sql = "UPDATE runs
               SET status = 'started', started_at = ?2, not_before = NULL, held = 0
               WHERE run_key = ?1";
    writer.connection.prepare_cached(sql)?.execute(params![run_key.0.as_bytes(), at.millis()])?;
    Ok(())
}

/// Puts a begun run back into the queue.
pub(super) fn retry(
    writer: &Writer,
    run_key: &RunKey,
    not_before: Option<At>,
    failed: bool,
    usage: &Usage,
) -> Result<(), Fault> {
    let sql = "UPDATE runs
               SET status = 'queued', attempt = attempt + 1, failures = failures + ?3,
                   not_before = ?2, model_calls = model_calls + ?4,
                   tokens_in = tokens_in + ?5, tokens_out = tokens_out + ?6
               WHERE run_key = ?1";
    writer.connection.prepare_cached(sql)?.execute(params![
        run_key.0.as_bytes(),
        not_before.map(At::millis),
        failed,
        usage.model_calls,
        int(usage.tokens_in),
        int(usage.tokens_out),
    ])?;
    Ok(())
}

/// Sets what a queued run waits for.
pub(super) fn gate(writer: &Writer, run_key: &RunKey, gate: Gate) -> Result<(), Fault> {
    let (not_before, held) = match gate {
        Gate::Open => (None, false),
        Gate::Until(at) => (Some(at.millis()), false),
        // What it waited for besides, it waits for still when it is let go.
        Gate::Held => {
            let sql = "UPDATE runs SET held = 1 WHERE run_key = ?1";
            writer.connection.prepare_cached(sql)?.execute(params![run_key.0.as_bytes()])?;
            return Ok(());
        }
    };
    let sql = "UPDATE runs SET not_before = ?2, held = ?3 WHERE run_key = ?1";
    let params = params![run_key.0.as_bytes(), not_before, held];
    writer.connection.prepare_cached(sql)?.execute(params)?;
    Ok(())
}

/// Lets an agent's runs go, except envelopes whose delivery time has not come.
pub(super) fn release(writer: &Writer, agent: &AgentId) -> Result<(), Fault> {
    let sql = "UPDATE runs
               SET held = 0,
                   not_before = CASE WHEN envelope_id IS NOT NULL AND attempt = 0
                                     THEN not_before END
               WHERE agent_id = ?1
                 AND completed_at IS NULL
                 AND merged_into IS NULL
                 AND status = 'queued'";
    writer.connection.prepare_cached(sql)?.execute(params![agent.as_str()])?;
    Ok(())
}

/// Lets every run be judged anew that waits for a time, except envelopes.
pub(super) fn reopen(writer: &Writer) -> Result<(), Fault> {
    let sql = "UPDATE runs
               SET not_before = NULL
               WHERE status = 'queued'
                 AND merged_into IS NULL
                 AND not_before IS NOT NULL
                 AND held = 0
                 AND (envelope_id IS NULL OR attempt > 0)";
    writer.connection.prepare_cached(sql)?.execute([])?;
    Ok(())
}

/// Ends a run, and with it all that were merged into it; the guards have seen that it is open.
pub(super) fn end(
    writer: &Writer,
    at: At,
    run_key: &RunKey,
    end: &RunEnd,
    usage: &Usage,
) -> Result<(), Fault> {
    let (receipt, failure) = match end {
        RunEnd::NothingToDo(receipt) => {
            (Some(serde_json::to_string(receipt).expect("receipts are JSON")), None)
        }
        RunEnd::Failed(failure) => (None, Some(failure)),
        RunEnd::Done | RunEnd::SkippedSleeping | RunEnd::SkippedDestroyed => (None, None),
    };
    let runs = reads::with_merged(&writer.connection, run_key)?;
    schedule::end_with_runs(writer, at, &runs, end)?;
    budget::forfeit_ended(writer, run_key)?;
    let sql = "UPDATE runs
               SET status = ?2, completed_at = ?3, receipt = ?4, error_code = ?5,
                   error_message = ?6, model_calls = model_calls + ?7,
                   tokens_in = tokens_in + ?8, tokens_out = tokens_out + ?9,
                   not_before = NULL, held = 0
               WHERE run_key = ?1";
    writer.connection.prepare_cached(sql)?.execute(params![
        run_key.0.as_bytes(),
        end.as_str(),
        at.millis(),
        receipt,
        failure.map(|failure| failure.code.as_str()),
        failure.map(|failure| failure.message.as_str()),
        usage.model_calls,
        int(usage.tokens_in),
        int(usage.tokens_out),
    ])?;
    if planted::is(Planted::MergedRowLeftOpen) {
        return Ok(());
    }
    // What it spent is on its own row; the others were served along with it.
    let sql = "UPDATE runs
               SET status = ?2, completed_at = ?3, receipt = ?4, error_code = ?5,
                   error_message = ?6
               WHERE run_key = ?1 AND completed_at IS NULL";
    for merged in runs.iter().filter(|merged| *merged != run_key) {
        writer.connection.prepare_cached(sql)?.execute(params![
            merged.0.as_bytes(),
            end.as_str(),
            at.millis(),
            receipt,
            failure.map(|failure| failure.code.as_str()),
            failure.map(|failure| failure.message.as_str()),
        ])?;
    }
    Ok(())
}

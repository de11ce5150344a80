//! Writing to the run log.

use rusqlite::{OptionalExtension, params};
use serde_json::json;
use types::{At, Conflict, Digest, EventDraft, EventKind, RunDraft, RunEnd, RunKey, Usage};

use crate::fault::Fault;
use crate::rows::int;

use super::event;
use super::guards::Found;
use super::state::Writer;
use super::touched::Touched;

/// Queues a wake, unless its key is in the log already: the same cause wakes once.
///
/// The agent's followers are told here and not by the caller, who cannot know which it is.
pub(super) fn queue(
    writer: &Writer,
    at: At,
    draft: &RunDraft,
    touched: &mut Touched,
) -> Result<(), Fault> {
    let sql = "INSERT INTO wake_runs (run_key, agent_id, reason, reason_id, thread_id,
                                      logical_change_key, status, created_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'queued', ?7)
               ON CONFLICT (run_key) DO NOTHING";
    let queued = writer.connection.prepare_cached(sql)?.execute(params![
        draft.run_key.0.as_bytes(),
        draft.agent.as_str(),
        draft.reason.as_str(),
        draft.reason_id,
        draft.thread.as_str(),
        draft.logical_change_key.as_ref().map(Digest::as_bytes),
        at.millis(),
    ])?;
    if queued == 0 {
        return Ok(());
    }
    touched.runs_queued += 1;
    let body = json!({ "run_key": draft.run_key, "reason": draft.reason });
    let event = EventDraft { agent: draft.agent.clone(), kind: EventKind::WakeQueued, body };
    event::append(writer, at, &event)
}

/// The conflict of ending a run that is not open.
pub(super) fn ended(writer: &Writer, run_key: &RunKey) -> Found {
    let sql = "SELECT status IN ('queued', 'started') FROM wake_runs WHERE run_key = ?1";
    let open: Option<bool> = writer
        .connection
        .prepare_cached(sql)?
        .query_row(params![run_key.0.as_bytes()], |row| row.get(0))
        .optional()?;
    Ok((open != Some(true)).then_some(Conflict::Run { run_key: *run_key }))
}

/// Ends a run; the guards have seen that it is open.
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
        RunEnd::SkippedSleeping | RunEnd::SkippedDestroyed => (None, None),
    };
    let sql = "UPDATE wake_runs
               SET status = ?2, completed_at = ?3, receipt = ?4, error_code = ?5,
                   error_message = ?6, model_calls = ?7, tokens_in = ?8, tokens_out = ?9
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
    Ok(())
}

//! From rows to values, for what waking keeps: runs, clocks, occurrences, hints.

use rusqlite::Row;
use types::{
    AgentId, Arming, ConcurrencyDecision, ContentRef, Gate, Hint, Occurrence, OccurrenceState,
    Priority, Receipt, Run, RunDraft, RunEnd, RunFailure, RunKey, RunState, SkipReason, SlotName,
    ThreadId, TriggerSource, Usage, WakeReason,
};

use crate::fault::Fault;
use crate::rows::{Cells, Column};

/// What every statement reads of a run, in the order in which [`run`] takes it.
macro_rules! run_columns {
    () => {
        "SELECT n, run_key, agent_id, reason, reason_id, thread_id, logical_change_key, priority, envelope_id,
                insist, status, attempt, failures, not_before, held, merged_into, created_at, started_at,
                completed_at, error_code, error_message, model_calls, tokens_in, tokens_out, receipt, model
         FROM runs"
    };
}
pub(crate) use run_columns;

/// A run, by the places of its columns: each turn reads its run some ten times, and a look dozens.
pub(crate) fn run(row: &Row<'_>) -> Result<Run, Fault> {
    let cells = Cells(row);
    Ok(Run {
        number: cells.number(0)?,
        draft: RunDraft {
            run_key: RunKey(cells.digest(1)?),
            agent: cells.parsed(2)?,
            reason: cells.word(3, &WakeReason::ALL, WakeReason::as_str)?,
            reason_id: cells.get(4)?,
            thread: ThreadId::from_stored(cells.text(5)?),
            logical_change_key: cells.maybe_digest(6)?,
            priority: priority(&cells, 7)?,
            envelope: cells.maybe_parsed(8)?,
            insist: cells.get(9)?,
            not_before: cells.maybe_at(13)?,
            model: cells.maybe_parsed(25)?,
        },
        state: run_state(&cells)?,
        attempt: cells.get(11)?,
        failures: cells.get(12)?,
        merged_into: cells.maybe_digest(15)?.map(RunKey),
        created_at: cells.at(16)?,
        started_at: cells.maybe_at(17)?,
        usage: Usage {
            model_calls: cells.get(21)?,
            tokens_in: cells.number(22)?,
            tokens_out: cells.number(23)?,
        },
    })
}

pub(crate) fn priority(cells: &Cells<'_>, column: impl Column) -> Result<Priority, Fault> {
    let place = usize::try_from(cells.number(column)?).unwrap_or(usize::MAX);
    let known = Priority::ALL.get(place).copied();
    known.ok_or_else(|| Fault::row(format!("priority {place}")))
}

fn run_state(cells: &Cells<'_>) -> Result<RunState, Fault> {
    let end = match cells.seen(10)? {
        "queued" => return Ok(RunState::Queued { gate: gate(cells)? }),
        "started" => return Ok(RunState::Started { at: cells.at(17)? }),
        "completed" => match cells.get::<Option<String>>(24)? {
            Some(_) => RunEnd::NothingToDo(cells.json::<Receipt>(24)?),
            None => RunEnd::Done,
        },
        "skipped_sleeping" => RunEnd::SkippedSleeping,
        "skipped_destroyed" => RunEnd::SkippedDestroyed,
        "failed_terminal" => {
            RunEnd::Failed(RunFailure { code: cells.parsed(19)?, message: cells.text(20)? })
        }
        other => return Err(Fault::row(format!("run status {other:?}"))),
    };
    Ok(RunState::Ended { at: cells.at(18)?, end })
}

fn gate(cells: &Cells<'_>) -> Result<Gate, Fault> {
    Ok(match (cells.get::<bool>(14)?, cells.maybe_at(13)?) {
        (true, _) => Gate::Held,
        (false, Some(at)) => Gate::Until(at),
        (false, None) => Gate::Open,
    })
}

pub(crate) fn arming(row: &Row<'_>) -> Result<Arming, Fault> {
    let cells = Cells(row);
    Ok(Arming {
        schedule: cells.parsed("schedule_id")?,
        agent: cells.parsed("agent_id")?,
        last_slot: cells.get::<Option<String>>("last_slot")?.map(SlotName::named),
        next_at: cells.maybe_at("next_at")?,
        local_zone: cells.get("local_zone")?,
    })
}

pub(crate) fn occurrence(row: &Row<'_>) -> Result<Occurrence, Fault> {
    let cells = Cells(row);
    let state = match cells.text("state")?.as_str() {
        "in_flight" => OccurrenceState::InFlight,
        "succeeded" => OccurrenceState::Succeeded,
        "failed" => OccurrenceState::Failed,
        "missed" => OccurrenceState::Missed,
        "skipped" => {
            let why = cells.word("skip_reason", &SkipReason::ALL, SkipReason::as_str)?;
            OccurrenceState::Skipped(why)
        }
        other => return Err(Fault::row(format!("occurrence state {other:?}"))),
    };
    let decision = match cells.get::<Option<String>>("decision")? {
        None => None,
        Some(_) => {
            Some(cells.word("decision", &ConcurrencyDecision::ALL, ConcurrencyDecision::as_str)?)
        }
    };
    Ok(Occurrence {
        schedule: cells.parsed("schedule_id")?,
        first_slot: SlotName::named(cells.text("first_slot")?),
        last_slot: SlotName::named(cells.text("last_slot")?),
        count: cells.number("count")?,
        due_at: cells.at("due_at")?,
        source: cells.word("source", &TriggerSource::ALL, TriggerSource::as_str)?,
        decision,
        run_key: cells.maybe_digest("run_key")?.map(RunKey),
        state,
        started_at: cells.at("started_at")?,
        ended_at: cells.maybe_at("ended_at")?,
    })
}

pub(crate) fn hint(row: &Row<'_>) -> Result<Hint, Fault> {
    let cells = Cells(row);
    let agent: AgentId = cells.parsed("agent_id")?;
    let payload = cells.maybe_digest("payload")?;
    Ok(Hint {
        trigger: cells.parsed("trigger_id")?,
        at: cells.at("at")?,
        count: cells.number("count")?,
        source: cells.get("source")?,
        content_type: cells.get("content_type")?,
        payload: payload.map(|hash| ContentRef { subject: (&agent).into(), hash }),
        correlation_id: cells.get("correlation_id")?,
        causation_id: cells.get("causation_id")?,
        agent,
    })
}

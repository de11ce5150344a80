//! From rows to values, for what waking keeps: runs, clocks, occurrences, hints.

use rusqlite::Row;
use types::{
    AgentId, Arming, ConcurrencyDecision, ContentRef, Gate, Hint, Occurrence, OccurrenceState,
    Priority, Receipt, Run, RunDraft, RunEnd, RunFailure, RunKey, RunState, SkipReason, SlotName,
    ThreadId, TriggerSource, Usage, WakeReason,
};

use crate::fault::Fault;
use crate::rows::Cells;

pub(crate) fn run(row: &Row<'_>) -> Result<Run, Fault> {
    let cells = Cells(row);
    Ok(Run {
        draft: RunDraft {
            run_key: RunKey(cells.digest("run_key")?),
            agent: cells.parsed("agent_id")?,
            reason: cells.word("reason", &WakeReason::ALL, WakeReason::as_str)?,
            reason_id: cells.get("reason_id")?,
            thread: ThreadId::from_stored(cells.text("thread_id")?),
            logical_change_key: cells.maybe_digest("logical_change_key")?,
            priority: priority(&cells)?,
            envelope: cells.maybe_parsed("envelope_id")?,
            not_before: cells.maybe_at("not_before")?,
            insist: cells.get("insist")?,
        },
        number: cells.number("n")?,
        created_at: cells.at("created_at")?,
        started_at: cells.maybe_at("started_at")?,
        attempt: cells.get("attempt")?,
        failures: cells.get("failures")?,
        merged_into: cells.maybe_digest("merged_into")?.map(RunKey),
        state: run_state(&cells)?,
        usage: Usage {
            model_calls: cells.get("model_calls")?,
            tokens_in: cells.number("tokens_in")?,
            tokens_out: cells.number("tokens_out")?,
        },
    })
}

pub(crate) fn priority(cells: &Cells<'_>) -> Result<Priority, Fault> {
    let place = usize::try_from(cells.number("priority")?).unwrap_or(usize::MAX);
    let known = Priority::ALL.get(place).copied();
    known.ok_or_else(|| Fault::row(format!("priority {place}")))
}

fn run_state(cells: &Cells<'_>) -> Result<RunState, Fault> {
    let end = match cells.text("status")?.as_str() {
        "queued" => return Ok(RunState::Queued { gate: gate(cells)? }),
        "started" => return Ok(RunState::Started { at: cells.at("started_at")? }),
        "completed" => match cells.get::<Option<String>>("receipt")? {
            Some(_) => RunEnd::NothingToDo(cells.json::<Receipt>("receipt")?),
            None => RunEnd::Done,
        },
        "skipped_sleeping" => RunEnd::SkippedSleeping,
        "skipped_destroyed" => RunEnd::SkippedDestroyed,
        "failed_terminal" => RunEnd::Failed(RunFailure {
            code: cells.parsed("error_code")?,
            message: cells.text("error_message")?,
        }),
        other => return Err(Fault::row(format!("run status {other:?}"))),
    };
    Ok(RunState::Ended { at: cells.at("completed_at")?, end })
}

fn gate(cells: &Cells<'_>) -> Result<Gate, Fault> {
    Ok(match (cells.get::<bool>("held")?, cells.maybe_at("not_before")?) {
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

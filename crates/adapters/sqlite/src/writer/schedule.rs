//! Writing the clocks of schedules and what became of their slots.

use rusqlite::params;
use types::{
    ArmMove, Arming, At, ConcurrencyDecision, Conflict, Digest, Occurrence, OccurrenceState,
    RunEnd, RunKey, ScheduleId, SkipReason, SlotName,
};

use crate::fault::Fault;
use crate::reads;
use crate::rows::int;

use super::guards::Found;
use super::state::Writer;

/// The conflict of setting a clock that somebody else has set meanwhile.
pub(super) fn moved(writer: &Writer, arm: &ArmMove) -> Found {
    let found = reads::arming(&writer.connection, &arm.to.schedule)?;
    let stands = found.and_then(|found| found.last_slot) == arm.from;
    Ok((!stands).then(|| Conflict::Armed { schedule: arm.to.schedule.clone() }))
}

/// Sets a schedule's clock, by the time of a commit.
pub(super) fn arm(writer: &Writer, at: At, arming: &Arming) -> Result<(), Fault> {
    let sql = "INSERT OR REPLACE INTO armings (schedule_id, agent_id, last_slot, next_at, local_zone, set_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    writer.connection.prepare_cached(sql)?.execute(params![
        arming.schedule.as_str(),
        arming.agent.as_str(),
        arming.last_slot.as_ref().map(SlotName::as_str),
        arming.next_at.map(At::millis),
        arming.local_zone,
        at.millis(),
    ])?;
    Ok(())
}

/// Records an occurrence, unless its slot is recorded already.
pub(super) fn occur(writer: &Writer, occurrence: &Occurrence) -> Result<(), Fault> {
    let sql = "INSERT INTO occurrences (schedule_id, first_slot, last_slot, count, due_at, source,
                                        decision, run_key, state, skip_reason, started_at, ended_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
               ON CONFLICT (schedule_id, last_slot) DO NOTHING";
    let skip_reason = match occurrence.state {
        OccurrenceState::Skipped(why) => Some(why.as_str()),
        _ => None,
    };
    writer.connection.prepare_cached(sql)?.execute(params![
        occurrence.schedule.as_str(),
        occurrence.first_slot.as_str(),
        occurrence.last_slot.as_str(),
        int(occurrence.count),
        occurrence.due_at.millis(),
        occurrence.source.as_str(),
        occurrence.decision.map(ConcurrencyDecision::as_str),
        occurrence.run_key.as_ref().map(|key| Digest::as_bytes(&key.0)),
        occurrence.state.as_str(),
        skip_reason,
        occurrence.started_at.millis(),
        occurrence.ended_at.map(At::millis),
    ])?;
    Ok(())
}

/// Ends an occurrence by policy.
pub(super) fn skip(
    writer: &Writer,
    at: At,
    schedule: &ScheduleId,
    slot: &SlotName,
    why: SkipReason,
) -> Result<(), Fault> {
    let sql = "UPDATE occurrences
               SET state = 'skipped', skip_reason = ?3, ended_at = ?4
               WHERE schedule_id = ?1 AND last_slot = ?2 AND ended_at IS NULL";
    let params = params![schedule.as_str(), slot.as_str(), why.as_str(), at.millis()];
    writer.connection.prepare_cached(sql)?.execute(params)?;
    Ok(())
}

/// Ends the occurrences of runs that have ended.
pub(super) fn end_with_runs(
    writer: &Writer,
    at: At,
    runs: &[RunKey],
    end: &RunEnd,
) -> Result<(), Fault> {
    let (state, why) = match end {
        RunEnd::Done | RunEnd::NothingToDo(_) => (OccurrenceState::Succeeded, None),
        RunEnd::Failed(_) => (OccurrenceState::Failed, None),
        RunEnd::SkippedSleeping => {
            let why = SkipReason::Sleeping;
            (OccurrenceState::Skipped(why), Some(why))
        }
        RunEnd::SkippedDestroyed => {
            let why = SkipReason::Destroyed;
            (OccurrenceState::Skipped(why), Some(why))
        }
    };
    // One by one: to change several at once SQLite makes a table of them first, and there are hardly any.
    let open = "SELECT n
                FROM occurrences
                WHERE ended_at IS NULL AND run_key IS NOT NULL AND run_key = ?1";
    let sql = "UPDATE occurrences SET state = ?2, skip_reason = ?3, ended_at = ?4 WHERE n = ?1";
    for run_key in runs {
        let mut statement = writer.connection.prepare_cached(open)?;
        let rows = statement.query_map(params![run_key.0.as_bytes()], |row| row.get(0))?;
        for n in rows.collect::<Result<Vec<i64>, _>>()? {
            let params = params![n, state.as_str(), why.map(SkipReason::as_str), at.millis()];
            writer.connection.prepare_cached(sql)?.execute(params)?;
        }
    }
    Ok(())
}

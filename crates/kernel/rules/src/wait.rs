//! The end of a wait: its record, the tick that wakes who waited, the word to followers.

use serde_json::json;
use types::{
    AgentId, Body, EventDraft, EventKind, Record, RecordDraft, RunDraft, Wait, WaitFor, WaitId,
    WaitState, Write,
};

use crate::matching::draft;
use crate::run_key::Cause;

/// What ends an open wait, in whatever way; nothing, if the record is no wait.
#[must_use]
pub fn ends(record: Record, state: WaitState) -> Option<Vec<Write>> {
    let Body::AgentWait(wait) = record.body else { return None };
    let id: WaitId = record.id.as_str().parse().ok()?;
    let event = EventDraft {
        agent: wait.agent_id.clone(),
        kind: EventKind::WaitEnded,
        body: json!({ "wait": id, "state": state.as_str() }),
    };
    let tick = tick(&wait.agent_id, &id);
    Some(vec![
        Write::Record(RecordDraft::live(record.id, Wait { state, ..wait })),
        Write::QueueRun(tick),
        Write::Event(event),
    ])
}

/// The same of many.
#[must_use]
pub fn all_end(records: Vec<Record>, state: &WaitState) -> Vec<Write> {
    records.into_iter().filter_map(|record| ends(record, state.clone())).flatten().collect()
}

/// What notes that an agent's open waits for a source are met, where its run is on its way already and
/// needs no tick.
#[must_use]
pub fn met(records: Vec<Record>, agent: &AgentId, source: &WaitFor) -> Vec<Write> {
    let noted = records.into_iter().filter_map(|record| match record.body {
        Body::AgentWait(wait) if wait.agent_id == *agent && wait.waiting_for == *source => {
            let wait = Wait { state: WaitState::Met, ..wait };
            Some(Write::Record(RecordDraft::live(record.id, wait)))
        }
        _ => None,
    });
    noted.collect()
}

/// The tick that tells an agent of the end of one of its waits.
#[must_use]
pub fn tick(agent: &AgentId, wait: &WaitId) -> RunDraft {
    let cause = Cause::Tick { cause: "wait", cause_id: wait.as_str() };
    draft(agent, &cause, Some(wait.to_string()))
}

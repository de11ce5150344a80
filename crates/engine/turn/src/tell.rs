//! Telling those who follow an agent what became of its questions and its turns. What was said and how it was reached
//! are two events: whoever watches providers need not read the words.

use model::Failure;
use serde_json::{Value, json};
use types::{EventDraft, EventKind, Round, Turn, TurnState, Write, limits};

use crate::job::Job;

/// That a model answered, and that it is on record.
pub(crate) fn answered(job: &Job, number: u32, round: &Round) -> [Write; 2] {
    let reached = json!({
        "run_key": job.claim.run.draft.run_key,
        "round": number,
        "model": round.model,
        "model_version": round.model_version,
        "finish": round.finish,
        "token_usage": round.token_usage,
        "cost_micros": round.cost_micros,
        "timeline": round.timeline,
    });
    let tools: Vec<&str> = round.calls.iter().map(|call| call.tool.as_str()).collect();
    let said = json!({
        "run_key": job.claim.run.draft.run_key,
        "round": number,
        "message": rules::turn::round_id(&job.claim.run.draft.run_key, number),
        "preview": preview(&round.text),
        "tools": tools,
    });
    [event(job, EventKind::ModelAnswered, reached), event(job, EventKind::AnswerRecorded, said)]
}

/// That a model could not be reached, or not be understood. What it cost is said only if anybody knows.
pub(crate) fn failed(job: &Job, failure: &Failure) -> Write {
    let mut told = json!({
        "run_key": job.claim.run.draft.run_key,
        "model": job.model,
        "kind": failure.kind,
        "timeline": failure.timeline,
    });
    if let Some(usage) = failure.timeline.aggregated_token_usage {
        told["token_usage"] = json!(usage);
    }
    event(job, EventKind::ModelFailed, told)
}

/// That a turn is over, what it comes to and what it cost; nothing of one that is open.
pub(crate) fn settled(turn: &Turn) -> Option<Write> {
    let TurnState::Settled { closure, brief, spent, failure, recovery, .. } = &turn.state else {
        return None;
    };
    let body = json!({
        "run_key": turn.run_key,
        "turn": rules::turn::id(&turn.run_key),
        "brief": brief.kind,
        "closure": closure.outcome,
        "model": turn.model,
        "model_calls": spent.model_calls,
        "tokens": spent.tokens.total_tokens,
        "cost_micros": spent.cost_micros,
        "failure": failure,
        "recovery": recovery,
    });
    let (agent, kind) = (turn.agent_id.clone(), EventKind::TurnSettled);
    Some(Write::Event(EventDraft { agent, kind, body }))
}

fn event(job: &Job, kind: EventKind, body: Value) -> Write {
    Write::Event(EventDraft { agent: job.claim.agent.agent_id.clone(), kind, body })
}

/// How a text begins.
fn preview(text: &str) -> &str {
    &text[..text.floor_char_boundary(limits::EVENT_PREVIEW_BYTES_MAX.min(text.len()))]
}

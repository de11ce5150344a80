//! Closing a turn that came to its end.

use dispatch::{Closing, Ending, Rested};
use rules::planted::{self, Fault};
use rules::turn::Facts;
use serde_json::json;
use types::{
    AgentState, AuditDraft, Body, Brief, BriefKind, EventDraft, EventKind, FailureArtifact, Guard,
    RecordDraft, Round, TurnKind, TurnState, TurnTerminal, Usage, Write,
};

use crate::Turns;
use crate::job::Job;
use crate::record::{keep_words, messages, prompt_words, settle, turn_record};

/// How a turn is over, as it is written down.
pub(crate) struct Over {
    pub(crate) kind: TurnKind,
    /// What is said to the operator.
    pub(crate) words: String,
    pub(crate) failure: Option<(FailureArtifact, Option<types::AttemptTimeline>)>,
}

impl Turns {
    /// Closes a turn whose loop drained: the last words are its brief.
    pub(crate) async fn close(&self, mut job: Job, last: &Round) -> Ending {
        let over = Over { kind: TurnKind::Completed, words: last.text.clone(), failure: None };
        let mut closing = self.closing(&mut job, over);
        closing.writes.extend(crate::compact::summaries(&job));
        Ending::Done(closing, Rested::default())
    }

    /// What a turn leaves, however it ended: written together with the end of its run.
    pub(crate) fn closing(&self, job: &mut Job, over: Over) -> Closing {
        let left = job.take_left();
        let mut closing = Closing {
            usage: usage(job),
            writes: left.writes,
            guards: left.guards,
            audit: left.audit,
            not_before: None,
        };
        if !job.open {
            closing.writes.extend(prompt_words(job));
        }
        messages(job, &mut closing.writes, &mut closing.audit);
        let now = self.world.now();
        let duration = now.millis().saturating_sub(job.began_at.millis());
        let duration_ms = u64::try_from(duration).unwrap_or(0);
        let state = state(job);
        let terminal = TurnTerminal {
            turn_index: state.as_ref().map_or(0, |state| state.wake_counter + 1),
            kind: over.kind,
            last_assistant_message: job.last_message(),
            completed_at: now,
            duration_ms,
        };
        self.settled(job, over, terminal, &mut closing);
        if let Some(state) = state {
            let kind = closing_kind(&closing);
            closing.writes.extend(next_state(job, &state, kind, now));
            closing.guards.extend(job.state.as_ref().map(Guard::unchanged));
        }
        if !planted::is(Fault::ReservationKept) {
            closing.writes.push(settle(job, duration_ms));
        }
        closing
    }

    /// The record of a turn that is over, and the word to whoever follows the agent.
    fn settled(&self, job: &Job, over: Over, terminal: TurnTerminal, closing: &mut Closing) {
        let turn = rules::turn::id(&job.claim.run.draft.run_key);
        let (write, content) =
            keep_words((&turn).into(), job.label.clone(), over.words.into_bytes());
        closing.writes.extend(Some(write).filter(|_| !planted::is(Fault::BriefLost)));
        let kind = match over.kind {
            TurnKind::Completed => BriefKind::Result,
            TurnKind::Aborted => BriefKind::Failure,
        };
        let closure =
            rules::turn::close(&Facts { kind: over.kind, waits: &[], nap: false, more: false });
        closing.writes.push(Write::Event(EventDraft {
            agent: job.claim.agent.agent_id.clone(),
            kind: EventKind::TurnSettled,
            body: json!({
                "run_key": job.claim.run.draft.run_key,
                "turn": turn,
                "brief": kind,
                "closure": closure.outcome,
                "model": job.model,
                "model_calls": job.spent.model_calls,
                "tokens": job.spent.tokens.total_tokens,
                "cost_micros": job.spent.cost_micros,
            }),
        }));
        closing.audit.push(AuditDraft {
            action: if over.kind == TurnKind::Completed {
                "turn.completed"
            } else {
                "runtime_error"
            },
            subject: turn.to_string(),
            detail: over.failure.as_ref().map_or_else(String::new, |(one, _)| one.kind.clone()),
        });
        let (failure, timeline) = over.failure.unzip();
        let state = TurnState::Settled {
            terminal,
            closure,
            brief: Brief { kind, content },
            spent: job.spent,
            failure,
            timeline: timeline.flatten(),
        };
        closing.writes.push(turn_record(job, state));
    }
}

fn closing_kind(closing: &Closing) -> TurnKind {
    let failed = closing.audit.iter().any(|entry| entry.action == "runtime_error");
    if failed { TurnKind::Aborted } else { TurnKind::Completed }
}

fn usage(job: &Job) -> Usage {
    Usage {
        model_calls: job.spent.model_calls,
        tokens_in: job.spent.tokens.input_tokens,
        tokens_out: job.spent.tokens.output_tokens,
    }
}

fn state(job: &Job) -> Option<AgentState> {
    match job.state.as_ref().map(|record| &record.body) {
        Some(Body::AgentState(state)) => Some(state.clone()),
        _ => None,
    }
}

/// What the agent durably knows of itself afterwards.
fn next_state(job: &Job, state: &AgentState, kind: TurnKind, now: types::At) -> Vec<Write> {
    let state = match kind {
        TurnKind::Completed => rules::failures::forgotten(state),
        TurnKind::Aborted => rules::failures::counted(state, &job.claim.run.draft.run_key, now),
    };
    let next = AgentState {
        last_wake_at: Some(now),
        recent_head_message_id: job.last_message().or(state.recent_head_message_id.clone()),
        latest_summary_message_id: crate::compact::newest(job)
            .or(state.latest_summary_message_id.clone()),
        wake_counter: state.wake_counter + 1,
        ..state
    };
    vec![Write::Record(RecordDraft::live(&job.claim.agent.current_state_id, next))]
}

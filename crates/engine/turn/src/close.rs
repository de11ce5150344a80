//! Closing a turn that came to its end.

use dispatch::{Closing, Ending, Rested};
use rules::budget::Near;
use rules::planted::{self, Fault};
use rules::turn::Facts;
use serde_json::json;
use types::{
    At, AuditDraft, Brief, BriefKind, ClosureDecision, FailureArtifact, FinishReason, Guard, Label,
    Recovery, RecoveryOutcome, Round, TokenUsage, TurnKind, TurnSpent, TurnState, TurnTerminal,
    Usage,
};

use crate::compact::Summed;
use crate::job::Job;
use crate::ledger::{audited_of, settle, warn};
use crate::prompted::prompt_words;
use crate::record::{messages, turn_in, turn_record};
use crate::standing::{After, Barred, state};
use crate::{Turns, tell};

/// An answer that stops in the middle looks like one that is whole.
const CUT_OFF: &str = "The answer was cut off here: the model had no room left. A larger `max_output_tokens` \
                       in config.toml gives it more.";

/// What the operator is told of a turn whose model ended without a word.
const WORDLESS: &str = "(The model called its tools and said nothing more.)";

/// How a turn is over, as it is written down.
pub(crate) struct Over {
    pub(crate) kind: TurnKind,
    /// What is said to the operator.
    pub(crate) words: String,
    /// Where that came from.
    pub(crate) label: Label,
    pub(crate) failure: Option<(FailureArtifact, Option<types::AttemptTimeline>)>,
    /// What stood in its way, if that is nothing that would pass by waiting.
    pub(crate) barred: Option<Barred>,
    /// What was done about failures.
    pub(crate) recovery: Option<Recovery>,
    /// What of older words was summed up.
    pub(crate) summed: Summed,
}

impl Turns {
    /// Closes a turn whose loop drained: the last words are its brief.
    pub(crate) async fn close(&self, mut job: Job, last: &Round) -> Ending {
        let summed = self.sum_up(&mut job).await;
        let (words, label, recovery) = (last_words(last), job.said_label(), resolved(&job));
        let kind = TurnKind::Completed;
        let over = Over { kind, words, label, failure: None, barred: None, recovery, summed };
        Ending::Done(self.closing(&mut job, over), Rested::default())
    }

    /// What a turn leaves, however it ended: written together with the end of its run.
    pub(crate) fn closing(&self, job: &mut Job, mut over: Over) -> Closing {
        let left = job.deeds.take_left();
        let mut closing = Closing {
            usage: usage(&job.purse.spent).less(job.claim.run.usage),
            writes: left.writes,
            guards: left.guards,
            audit: left.audit,
            ..Closing::default()
        };
        if !job.talk.open {
            closing.writes.extend(prompt_words(job));
        }
        closing.audit.extend(self.about_words(job));
        messages(job, &mut closing.writes, &mut closing.audit);
        let run = &job.claim.run.draft.run_key;
        if let Some(attempt) = self.under_way.of(run) {
            closing.audit.extend(audited_of(run, &attempt, job.talk.rounds.len()));
        }
        closing.writes.append(&mut over.summed.writes);
        closing.audit.append(&mut over.summed.audit);
        let (state, now) = (state(job), self.world.now());
        // Time that went by between two attempts was nobody's work.
        let settled = settle(job, millis(job.given.taken_up_at, now));
        let near = state.as_ref().and_then(|state| self.warning(job, state));
        closing.writes.extend(near.iter().map(|near| warn::told(job, near)));
        closing.audit.extend(near.iter().map(|near| warn::audited(job, near)));
        let (kind, more) = (over.kind, job.has_more());
        let closure = rules::turn::close(&Facts { kind, waits: &[], nap: false, more });
        if let Some(state) = &state {
            let failures_max = self.settings.failures_max;
            let (barred, warned) = (over.barred, near.is_some());
            let has_room = self.has_room(job);
            let after = After { kind, barred, has_room, warned, failures_max, now };
            let summary = over.summed.newest.take();
            closing.writes.extend(after.stands(job, state, summary, &closure));
            closing.guards.extend(job.given.state.as_ref().map(Guard::unchanged));
        }
        let terminal = TurnTerminal {
            turn_index: state.map_or(0, |state| state.wake_counter + 1),
            kind,
            last_assistant_message: job.last_answer(),
            completed_at: now,
            duration_ms: millis(job.given.began_at, now),
        };
        record(job, over, terminal, closure, near, &mut closing);
        if !planted::is(Fault::ReservationKept) {
            closing.writes.push(settled);
        }
        closing
    }
}

/// What is said to the operator with the last words of a model: also that they are not all of them, or none.
pub(crate) fn last_words(last: &Round) -> String {
    match last.finish {
        FinishReason::Length => format!("{}\n\n({CUT_OFF})", last.text.trim_end()),
        _ if last.text.trim().is_empty() => WORDLESS.to_owned(),
        _ => last.text.clone(),
    }
}

/// The record of a turn that is over, and the word to whoever follows the agent.
fn record(
    job: &Job,
    mut over: Over,
    terminal: TurnTerminal,
    closure: ClosureDecision,
    near: Option<Near>,
    closing: &mut Closing,
) {
    let turn = rules::turn::id(&job.claim.run.draft.run_key);
    let words = std::mem::take(&mut over.words).into_bytes();
    let (write, content) = rules::content::keep((&turn).into(), over.label.clone(), words);
    closing.writes.extend(Some(write).filter(|_| !planted::is(Fault::BriefLost)));
    let (kind, action) = match over.kind {
        TurnKind::Completed => (BriefKind::Result, "turn.completed"),
        TurnKind::Aborted => (BriefKind::Failure, "runtime_error"),
    };
    let (subject, detail) = (turn.to_string(), detail(job, &over));
    closing.audit.push(AuditDraft { action, subject, detail });
    let grounding = rules::session::grounding(job.meaning.act, over.kind, job.did_something());
    let (failure, timeline) = over.failure.unzip();
    let state = TurnState::Settled {
        terminal,
        closure,
        brief: Brief { kind, content },
        spent: job.purse.spent,
        failure,
        timeline: timeline.flatten(),
        recovery: over.recovery,
        warning: near.map(|near| near.to_string()),
        grounding,
    };
    let turn = turn_in(job, state);
    closing.writes.extend(tell::settled(&turn));
    closing.writes.push(turn_record(turn));
}

/// A clock that was set back measures nothing.
pub(crate) fn millis(from: At, to: At) -> u64 {
    u64::try_from(to.millis().saturating_sub(from.millis())).unwrap_or(0)
}

/// How it was reached for, what that spent, and which limit it met, if it failed: for whoever has to find out
/// why.
fn detail(job: &Job, over: &Over) -> String {
    let Some((failure, timeline)) = &over.failure else { return String::new() };
    let (kind, tokens) = (&failure.kind, job.purse.spent.tokens);
    let mut detail = json!({ "kind": kind });
    if let Some(timeline) = timeline {
        detail["timeline"] = json!(timeline);
    }
    // Of a turn that never asked anybody nothing is known.
    if tokens != TokenUsage::default() {
        detail["token_usage"] = json!(tokens);
    }
    if let Some(limit) = failure.metadata.get("limit") {
        detail["limit"] = json!(limit);
    }
    detail.to_string()
}

/// An earlier attempt failed, and this one came to a good end.
fn resolved(job: &Job) -> Option<Recovery> {
    let attempts = job.claim.run.failures;
    let outcome = RecoveryOutcome::Resolved;
    (attempts > 0).then_some(Recovery { failed: None, attempts, outcome })
}

/// What was spent, as the log of runs keeps it.
pub(crate) fn usage(spent: &TurnSpent) -> Usage {
    Usage {
        model_calls: spent.model_calls,
        tokens_in: spent.tokens.input_tokens,
        tokens_out: spent.tokens.output_tokens,
    }
}

//! Ending a turn that nobody takes up again: all there is of it is what it has recorded.

use std::collections::BTreeSet;

use dispatch::{Again, Closing};
use rules::planted::{self, Fault};
use rules::turn::Facts;
use serde_json::json;
use tool::Failure;
use types::{
    AgentId, AgentIdentity, AgentState, At, AuditDraft, Body, Brief, BriefKind, ClosureDecision,
    Code, ContentRef, Domain, EventDraft, EventKind, Guard, Message, MessageKind, Problem,
    PromptRef, Record, RecordDraft, RecordId, Recovery, RecoveryOutcome, Round, Run, RunFailure,
    RunKey, RunState, Turn, TurnKind, TurnSpent, TurnState, TurnTerminal, Usage, Write,
};

use crate::artifact::{label, noticed, of_run};
use crate::broken::Broken;
use crate::close::usage;
use crate::dormant::go_dormant;
use crate::fail::entry;
use crate::ledger::{Attempt, spent};
use crate::record::turn_record;
use crate::standing::last_turn;
use crate::workflow::{VERSION, workflow};
use crate::{Part, Turns, question, tell};

/// What there is of a turn that nobody takes up again.
struct Left {
    turn: Turn,
    /// What its questions took, in all attempts.
    spent: TurnSpent,
    /// The same, without what its run was put back with.
    usage: Usage,
    /// Changes that it has made.
    changes: usize,
    /// What else its brief says.
    notice: Option<String>,
}

impl Turns {
    /// Settles every call that a run has left open, so that both files say the same of it.
    pub(crate) async fn conclude(
        &self,
        run: &Run,
        failure: &RunFailure,
        guards: &[Guard],
    ) -> Result<(), Problem> {
        if planted::is(Fault::CallsLeftOpen) {
            return Ok(());
        }
        let RunFailure { code, message } = failure;
        let why = Failure::of(*code, message.clone(), "look at what it was to change");
        let (agent, key) = (&run.draft.agent, &run.draft.run_key);
        self.executor.conclude(agent, key, &why, guards).await.map_err(Problem::from)
    }

    /// What is written with the end of a run that is not taken up again, and will ask nobody any more.
    ///
    /// # Errors
    /// If the store cannot read.
    pub(crate) async fn give_up(
        &self,
        run: &Run,
        failure: &RunFailure,
    ) -> Result<Closing, Problem> {
        let attempt = self.under_way.give_up(&run.draft.run_key);
        let left = self.remains(run, failure, Again::Once, attempt.as_ref(), None).await;
        let left = left.map_err(Broken::into_problem)?;
        Ok(self.with_left(run, left, Again::Once, attempt))
    }

    /// What is written if a run that failed is not taken up again. A store that cannot even be read leaves
    /// nothing: the failure itself is told all the same. The notice is what else the brief says.
    pub(crate) async fn abandon(
        &self,
        run: &Run,
        failure: &RunFailure,
        again: Again,
        attempt: Option<Attempt>,
        notice: Option<String>,
    ) -> Closing {
        let left = self.remains(run, failure, again, attempt.as_ref(), notice).await;
        self.with_left(run, left.unwrap_or_default(), again, attempt)
    }

    /// What is left of a turn, or that nothing is. `again` says whether the agent looks again by itself. Where nobody
    /// can say what is on record, it counts as spent what was set aside by one that has asked somebody.
    fn with_left(
        &self,
        run: &Run,
        left: Option<Closing>,
        again: Again,
        attempt: Option<Attempt>,
    ) -> Closing {
        left.unwrap_or_else(|| {
            let mut closing = Closing { looks_again: again, ..Closing::default() };
            if let Some(attempt) = attempt.filter(|attempt| attempt.questions.is_empty()) {
                self.count_unrecorded(run, &attempt, 0, &mut closing);
            }
            closing
        })
    }

    /// That the turn of a run is over, and a brief that says so. Nothing if its agent takes no turns.
    async fn remains(
        &self,
        run: &Run,
        failure: &RunFailure,
        again: Again,
        attempt: Option<&Attempt>,
        notice: Option<String>,
    ) -> Result<Option<Closing>, Broken> {
        let draft = &run.draft;
        let record = self.store.record(Domain::Agent, (&draft.agent).into()).await?;
        let Some(record) = record else { return Ok(None) };
        let Body::Agent(agent) = record.body.clone() else { return Ok(None) };
        if (self.settings.part)(&agent) == Part::Watches {
            return Ok(None);
        }
        let id = rules::turn::id(&draft.run_key);
        let known = self.store.record(Domain::Agent, (&id).into()).await?;
        // What it recorded meanwhile is seen first: it may have begun something more.
        let as_seen = match &known {
            Some(record) => Guard::unchanged(record),
            None => Guard::Revision { record: id.into(), expected: 0 },
        };
        let mut turn = match known.map(|record| record.body) {
            Some(Body::AgentTurn(turn)) => *turn,
            _ => self.unrecorded(&agent, run),
        };
        if turn.state != TurnState::Open {
            return Ok(None);
        }
        // Its record was written with the first answer; later ones lie beside it.
        let answers = self.recorded_answers(&draft.run_key).await?;
        turn.rounds = u32::try_from(answers.len()).unwrap_or(u32::MAX);
        let next = rules::turn::round_id(&draft.run_key, turn.rounds);
        let no_more = Guard::Revision { record: (&next).into(), expected: 0 };
        let unsaid = match turn.rounds {
            0 => self.said(run).await?,
            _ => None,
        };
        let changes = self.store.operations_of_run(Domain::Journal, draft.run_key).await?.len();
        let state = self.store.record(Domain::Agent, (&agent.current_state_id).into()).await?;
        let recorded = answers.len();
        let rounds = self.recorded_rounds(answers).await?;
        let no_call = self.calls_settled(&draft.run_key, &rounds).await?;
        let dormancy = match is_nobodys_fault(run, failure) {
            true => None,
            false => self.rest_if_it_must(&record, state.as_ref(), &failure.message),
        };
        let notice = notice.or(dormancy.as_ref().map(|dormancy| dormancy.notice.clone()));
        let asked = attempt.map(|attempt| spent(attempt, recorded)).unwrap_or_default();
        let since = rules::turn::spent(&turn, &rounds).plus(asked);
        let spent = since.plus(self.spent_before(run, &turn.model));
        let left = Left { turn, spent, usage: usage(&since), changes, notice };
        let mut closing = self.given_up(run, left, state.as_ref(), failure);
        if let Some(attempt) = attempt {
            self.count_unrecorded(run, attempt, recorded, &mut closing);
        }
        closing.writes.extend(unsaid);
        closing.guards.extend(no_call.into_iter().chain([as_seen, no_more]));
        closing.looks_again = again;
        if let Some(dormancy) = dormancy {
            go_dormant(&mut closing, dormancy);
        }
        if changes > 0 {
            closing.writes.push(partial(&draft.agent, &draft.run_key, changes));
        }
        Ok(Some(closing))
    }

    /// That no call of the last answer is open when this is written: its turn may be making one at this moment, and
    /// nobody would settle it afterwards. One that is open now has to be settled first, which is one more revision.
    async fn calls_settled(&self, run: &RunKey, rounds: &[Round]) -> Result<Vec<Guard>, Broken> {
        let last = rounds.iter().enumerate().next_back();
        let Some((number, last)) = last.filter(|_| !planted::is(Fault::CallsLeftOpen)) else {
            return Ok(vec![]);
        };
        let ids = last.calls.iter().map(|call| question::invocation(run, number, call));
        let ids: BTreeSet<RecordId> = ids.map(RecordId::from).collect();
        let found = self.store.records_by_id(Domain::Agent, ids.iter().cloned().collect()).await?;
        let open = |record: &Record| match &record.body {
            Body::AgentToolInvocation(call) => call.state.is_open(),
            _ => false,
        };
        let guard = |id: RecordId| {
            let record = found.iter().find(|record| record.id == id);
            let expected = record.map_or(0, |record| record.revision + u64::from(open(record)));
            Guard::Revision { record: id, expected }
        };
        Ok(ids.into_iter().map(guard).collect())
    }

    /// What a run was to answer, as a message of its thread: it was said, whatever came of it.
    async fn said(&self, run: &Run) -> Result<Option<Write>, Broken> {
        let Some((id, envelope)) = self.envelope_of(run).await? else { return Ok(None) };
        let (agent, thread) = (run.draft.agent.clone(), run.draft.thread.clone());
        let message = Message {
            run_key: Some(run.draft.run_key),
            trigger_source_id: Some(id.to_string()),
            ..Message::of(agent, thread, MessageKind::User, envelope.content)
        };
        let id = rules::turn::said_id(&run.draft.run_key);
        Ok(Some(Write::Record(RecordDraft::live(&id, message))))
    }

    /// A turn that had not come so far as to record anything.
    fn unrecorded(&self, agent: &AgentIdentity, run: &Run) -> Turn {
        let draft = &run.draft;
        Turn {
            agent_id: agent.agent_id.clone(),
            run_key: draft.run_key,
            thread: draft.thread.clone(),
            reason: draft.reason,
            continuation: None,
            workflow: workflow(draft.reason).to_owned(),
            version: VERSION,
            began_at: run.created_at,
            prompt: PromptRef::default(),
            model: self.model_for(draft, agent),
            exposed: false,
            dialog_act: None,
            classified: None,
            rounds: 0,
            looked: None,
            state: TurnState::Open,
        }
    }

    fn given_up(
        &self,
        run: &Run,
        left: Left,
        state: Option<&Record>,
        failure: &RunFailure,
    ) -> Closing {
        let Left { turn, spent, usage, changes, notice } = left;
        // What waits has no part in how its agent stands: another turn may be under way.
        let waits = matches!(run.state, RunState::Queued { .. }) && cancelled(failure);
        let (now, id, run_key) = (self.world.now(), rules::turn::id(&turn.run_key), turn.run_key);
        let (words, most) = (words(failure, changes), self.settings.failures_max);
        let entry = entry_of(run, &turn, failure, &words);
        let words = noticed(words, notice.as_deref());
        let (kept, content) =
            rules::content::keep((&id).into(), label(failure.code), words.into_bytes());
        let known = state.and_then(|record| match &record.body {
            Body::AgentState(known) => Some((record, known)),
            _ => None,
        });
        let turn_index = known.map_or(0, |(_, state)| state.wake_counter + 1);
        let terminal = terminal(&turn, turn_index, now);
        let turn = settled(turn, (terminal, spent), content, failure, run.failures + 1);
        let audit = AuditDraft {
            action: if cancelled(failure) { "turn.cancelled" } else { "runtime_error" },
            subject: id.to_string(),
            detail: json!({ "kind": failure.code.as_str() }).to_string(),
        };
        let mut writes = vec![kept];
        writes.extend(tell::settled(&turn));
        writes.push(turn_record(turn));
        writes.extend(entry);
        if let Some((record, known)) = known.filter(|_| !waits) {
            let counted = match is_nobodys_fault(run, failure) {
                true => known.clone(),
                false => rules::failures::counted(known, most, &run_key, now),
            };
            let last_turn = last_turn(id, &failed(), known.last_turn.as_deref());
            let next = AgentState {
                last_wake_at: Some(now),
                last_turn: Some(Box::new(last_turn)),
                wake_counter: turn_index,
                ..counted
            };
            writes.push(Write::Record(RecordDraft::live(record.id.clone(), next)));
        }
        let guards = state.filter(|_| !waits).into_iter().map(Guard::unchanged).collect();
        Closing { usage, writes, guards, audit: vec![audit], ..Closing::default() }
    }
}

/// What a turn that failed leaves in its thread. One that is over by somebody's word has not failed.
fn entry_of(run: &Run, turn: &Turn, failure: &RunFailure, words: &str) -> Vec<Write> {
    if by_somebodys_word(failure) {
        return vec![];
    }
    let run_key = &turn.run_key;
    let previous = match turn.rounds.checked_sub(1) {
        Some(last) => Some(rules::turn::round_id(run_key, last)),
        None => run.draft.envelope.as_ref().map(|_| rules::turn::said_id(run_key)),
    };
    let said = json!({ "failure": of_run(&turn.model, failure), "timeline": null, "said": words });
    // No attempt of its own: each of those may have left word before.
    entry(run, &rules::turn::message_id(run_key, "failed", "over"), previous, failure, &said)
}

fn terminal(turn: &Turn, turn_index: u64, now: At) -> TurnTerminal {
    let last = turn.rounds.checked_sub(1);
    let duration = now.millis().saturating_sub(turn.began_at.millis());
    TurnTerminal {
        turn_index,
        kind: TurnKind::Aborted,
        last_assistant_message: last.map(|last| rules::turn::round_id(&turn.run_key, last)),
        completed_at: now,
        duration_ms: u64::try_from(duration).unwrap_or(0),
    }
}

/// How such a turn leaves its agent.
fn failed() -> ClosureDecision {
    rules::turn::close(&Facts { kind: TurnKind::Aborted, waits: &[], nap: false, more: false })
}

fn settled(
    turn: Turn,
    (terminal, spent): (TurnTerminal, TurnSpent),
    content: ContentRef,
    failure: &RunFailure,
    attempts: u32,
) -> Turn {
    let state = TurnState::Settled {
        terminal,
        closure: failed(),
        brief: Brief { kind: BriefKind::Failure, content },
        // What its questions took; what nobody knows of is forfeited.
        spent,
        failure: Some(of_run(&turn.model, failure)),
        timeline: None,
        recovery: Some(Recovery { failed: None, attempts, outcome: RecoveryOutcome::Abandoned }),
        warning: None,
        // Nothing shows that what was said was taken up.
        grounding: None,
    };
    Turn { state, looked: None, ..turn }
}

/// The word that something was changed by a turn that could not write down how it ended.
fn partial(agent: &AgentId, run_key: &RunKey, changes: usize) -> Write {
    Write::Event(EventDraft {
        agent: agent.clone(),
        kind: EventKind::PartialTurnFailure,
        body: json!({ "run_key": run_key, "changes": changes }),
    })
}

fn cancelled(failure: &RunFailure) -> bool {
    failure.code == Code::RunCancelled
}

/// Whether a run is over because somebody said so, to it or to its session: that is no failure of the
/// agent's.
fn by_somebodys_word(failure: &RunFailure) -> bool {
    cancelled(failure) || failure.code == Code::SessionOver
}

/// Whether it says nothing of how well the agent does: somebody has said so, taken away what it tends, or had another
/// model asked this once.
fn is_nobodys_fault(run: &Run, failure: &RunFailure) -> bool {
    by_somebodys_word(failure) || failure.code == Code::UnknownTask || run.draft.model.is_some()
}

/// What the person is told.
fn words(failure: &RunFailure, changes: usize) -> String {
    let done = match changes {
        0 => "Nothing was changed.".to_owned(),
        1 => "One change was made before that and stays; I may not remember it.".to_owned(),
        many => format!("{many} changes were made before that and stay; I may not remember them."),
    };
    let RunFailure { code, message } = failure;
    let next = "`dormouse runs AGENT` shows what became of it.";
    format!("I could not finish this: {message}. {done} {next} ({code})")
}

//! Ending a run: its row, how far its agent has looked, how it rests, and what it waits for, in one
//! commit.

use dispatch::{Again, Closing, Ending, Rested, WaitDraft};
use rules::matching::draft;
use rules::planted::{self, Fault};
use rules::run_key::Cause;
use rules::turn::followup::{AFTER_FAILURE, MORE};
use rules::{facts, hash};
use serde_json::{Value, json};
use store::StoreError;
use types::{
    At, Author, Code, Commit, Conflict, Continuation, CursorMove, CursorName, Domain, EventDraft,
    EventKind, Guard, Invalid, Receipt, RecordDraft, Rest, RestReason, Run, RunDraft, RunEnd,
    RunFailure, Usage, Wait, WaitFor, WaitId, WaitState, WakeReason, Write, limits,
};

use crate::begin::{Looked, sight};
use crate::metrics::count;
use crate::recover::Fell;
use crate::steps::END;
use crate::{Error, Waker};

/// How often the sources of new waits are looked at before the turn is given up.
const SOURCES_LOOKED_AT: u32 = 4;

/// The row that ends a run, and the word to its agent's followers.
pub(crate) fn ended(run: &Run, end: &RunEnd, usage: Usage) -> Vec<Write> {
    told(run, end, usage, json!({ "run_key": run.draft.run_key, "status": end.as_str() }))
}

/// The same for a run that found nothing to decide: its agent was looked after, and no model heard of it.
pub(crate) fn looked_after(run: &Run, receipt: Receipt, continuation: &Continuation) -> Vec<Write> {
    let end = RunEnd::NothingToDo(receipt);
    let (run_key, class) = (run.draft.run_key, continuation.class);
    let body = json!({ "run_key": run_key, "status": end.as_str(), "continuation": class });
    told(run, &end, Usage::default(), body)
}

fn told(run: &Run, end: &RunEnd, usage: Usage, body: Value) -> Vec<Write> {
    let event = EventDraft { agent: run.draft.agent.clone(), kind: EventKind::RunEnded, body };
    let run_key = run.draft.run_key;
    vec![Write::Event(event), Write::EndRun { run_key, end: end.clone(), usage }]
}

/// What follows from an agent's having looked, and another look if there was more to see.
pub(crate) fn seen(looked: &Looked, rest: Rest) -> Vec<Write> {
    let mut writes = found(looked, rest);
    writes.extend(more_to_see(looked).map(Write::QueueRun));
    writes
}

/// What follows from an agent's having looked: its cursors, its rest, the hints it has seen. Only
/// who has looked has seen, so a run that was skipped has none of this.
pub(crate) fn found(looked: &Looked, rest: Rest) -> Vec<Write> {
    let mut writes = vec![Write::Rest(rest)];
    let agent = &looked.agent.agent_id;
    let logs = [
        (Domain::Journal, looked.from.0, looked.journal.head),
        (Domain::Agent, looked.from.1, looked.own.head),
    ];
    for (log, from, to) in logs {
        if to > from && !planted::is(Fault::LostCursorAdvance) {
            let name = CursorName::of_agent(agent);
            writes.push(Write::Cursor(CursorMove { name, log, from, to }));
        }
    }
    let hints = looked.hints.iter().map(|hint| Write::SeenHint {
        agent: agent.clone(),
        trigger: hint.trigger.clone(),
        count: hint.count,
    });
    writes.extend(hints);
    writes
}

/// A look that filled its page has not seen everything: another one follows.
fn more_to_see(looked: &Looked) -> Option<types::RunDraft> {
    (looked.journal.more || looked.own.more).then(|| more(looked))
}

/// The look that follows on a run that has not looked, though there was something to see.
pub(crate) fn unlooked(looked: &Looked) -> Option<RunDraft> {
    let changed = !looked.journal.changes.is_empty() || !looked.own.changes.is_empty();
    let insist = looked.run.draft.insist;
    let merged = insist || !looked.hints.is_empty();
    (changed || merged).then(|| RunDraft { insist, ..more(looked) })
}

fn more(looked: &Looked) -> RunDraft {
    let key = looked.run.draft.run_key.to_string();
    let cause = Cause::Tick { cause: MORE, cause_id: &key };
    draft(&looked.agent.agent_id, &cause, Some(MORE.to_owned()))
}

impl Waker {
    /// Ends a run as its turn said.
    pub(crate) async fn end(&self, mut looked: Looked, ending: Ending) -> Result<(), Error> {
        if planted::is(Fault::CursorAtTurnEnd) {
            looked.journal.head = self.store.head(Domain::Journal).await?;
        }
        match ending {
            Ending::Done(closing, rested) => {
                self.end_at_rest(looked, &RunEnd::Done, closing, rested).await
            }
            Ending::Nothing(rule, closing) => {
                let foreign = looked.journal.changes.len() + looked.own.changes.len();
                let receipt = facts::receipt(&sight(&looked, false), rule, foreign as u64);
                let end = RunEnd::NothingToDo(receipt);
                self.end_at_rest(looked, &end, closing, Rested::default()).await
            }
            Ending::Interrupted => self.interrupted(&looked).await,
            Ending::FailedForGood(failure, closing) => {
                self.give_up(&looked, failure, closing).await
            }
            Ending::Failed(failure, closing) => {
                let run = &looked.run;
                match self.next_try(run).await? {
                    Some(at) => {
                        let at = closing.not_before.map_or(at, |later| at.max(later));
                        self.retry(run, Some(at), Fell::For(closing.failed)).await
                    }
                    None => self.give_up(&looked, failure, closing).await,
                }
            }
        }
    }

    /// What is left of a run that nobody takes up again, with nothing of it open any more.
    pub(crate) async fn remains(
        &self,
        run: &Run,
        failure: &RunFailure,
        guards: Vec<Guard>,
    ) -> Result<Closing, Error> {
        self.conclude(run, failure, guards).await?;
        let left = self.body.give_up(run.clone(), failure.clone()).await;
        left.map_err(Error::Unsettled)
    }

    pub(crate) async fn conclude(
        &self,
        run: &Run,
        failure: &RunFailure,
        guards: Vec<Guard>,
    ) -> Result<(), Error> {
        let concluded = self.body.conclude(run.clone(), failure.clone(), guards).await;
        concluded.map_err(Error::Unsettled)
    }

    /// Ends a run for good with what its turn leaves, unless the claim is over.
    async fn give_up(
        &self,
        looked: &Looked,
        failure: RunFailure,
        closing: Closing,
    ) -> Result<(), Error> {
        self.conclude(&looked.run, &failure, vec![]).await?;
        let commit = failing(&looked.run, failure, closing, looked.author(), self.world.now());
        let commit = commit.guarded(looked.while_claimed()).guarded(self.while_not_stopped());
        match self.commit(commit).await {
            Err(error) if error.is_over() => return self.interrupted(looked).await,
            // What it rests on has moved: it is taken up again, and fails again if it must.
            Err(Error::Conflict(Conflict::Revision { .. })) => {
                return self.put_back(&looked.run).await;
            }
            Err(Error::Store(StoreError::Invalid(invalid))) => {
                return self.cannot_be_stored(&looked.run, &invalid).await;
            }
            other => other?,
        };
        self.body.over(&looked.run.draft.run_key);
        count(&self.counters.runs_failed, 1);
        Ok(())
    }

    /// Ends a run whose end the store will not have, however often it is tried, by what is on record.
    async fn cannot_be_stored(&self, run: &Run, invalid: &Invalid) -> Result<(), Error> {
        let message = format!("what came of it cannot be stored: {invalid}");
        let failure = RunFailure { code: Code::InvalidRecord, message };
        let remains = self.remains(run, &failure, vec![]).await?;
        self.fail(run, failure, remains).await
    }

    /// Ends a run for good. Its agent's cursor stays, and one more look follows for what it stood for
    /// besides: wakes that were merged into it, hints, changes. A stop does not stop that: it is
    /// bookkeeping, and takes a run off the floor that cannot go on.
    pub(crate) async fn fail(
        &self,
        run: &Run,
        failure: RunFailure,
        remains: Closing,
    ) -> Result<(), Error> {
        let commit = failing(run, failure, remains, Author::Runtime, self.world.now());
        self.commit(commit).await?;
        self.body.over(&run.draft.run_key);
        count(&self.counters.runs_failed, 1);
        Ok(())
    }

    /// Ends a run whose turn came to a good end, under its claim: if that is over, so is what the
    /// turn decided, and the run is taken up again. A source of a wait that changed meanwhile is
    /// looked at again, and nothing of the turn.
    async fn end_at_rest(
        &self,
        looked: Looked,
        end: &RunEnd,
        closing: Closing,
        rested: Rested,
    ) -> Result<(), Error> {
        for _ in 0..SOURCES_LOOKED_AT {
            let commit = self.plan_end(&looked, end, &closing, &rested).await?;
            match self.commit(commit).await {
                Err(
                    Error::Conflict(Conflict::Revision { .. } | Conflict::Armed { .. })
                    | Error::Store(StoreError::Busy { .. }),
                ) => {}
                Err(error) if error.is_over() => return self.interrupted(&looked).await,
                Err(Error::Store(StoreError::Invalid(invalid))) => {
                    return self.cannot_be_stored(&looked.run, &invalid).await;
                }
                other => {
                    other?;
                    self.body.over(&looked.run.draft.run_key);
                    count(&self.counters.turns_completed, 1);
                    return Ok(());
                }
            }
        }
        self.put_back(&looked.run).await
    }

    async fn plan_end(
        &self,
        looked: &Looked,
        end: &RunEnd,
        closing: &Closing,
        rested: &Rested,
    ) -> Result<Commit, Error> {
        let (mut writes, mut guards) = self.waits(looked, &rested.waits).await?;
        guards.extend(closing.guards.iter().cloned());
        writes.extend(closing.writes.iter().cloned());
        writes.extend(self.met_by(&looked.run).await?);
        if let Some(at) = rested.wake_at {
            writes.extend(self.nap(&looked.agent.agent_id, at).await?);
        }
        let expects = rested.waits.first().map(|wait| wait.waiting_for.source());
        let why = match (end, rested.waits.is_empty()) {
            (RunEnd::NothingToDo(_), _) => RestReason::NothingToDo,
            (_, true) => RestReason::Done,
            (_, false) => RestReason::Waiting,
        };
        writes.extend(ended(&looked.run, end, closing.usage));
        writes.extend(seen(looked, self.rest(looked, why, expects)));
        let now = self.world.now();
        let commit = Commit {
            guards,
            audit: closing.audit.clone(),
            ..Commit::new(Domain::Agent, looked.author(), now, writes).named(END)
        };
        Ok(commit.guarded(looked.while_claimed()).guarded(self.while_not_stopped()))
    }

    /// The waits that a turn decided on. One whose source is over already is broken at once, and
    /// wakes its agent; a source that ends before the commit is seen by its revision.
    async fn waits(
        &self,
        looked: &Looked,
        drafts: &[WaitDraft],
    ) -> Result<(Vec<Write>, Vec<Guard>), Error> {
        let (mut writes, mut guards) = (Vec::new(), Vec::new());
        for wait_draft in drafts.iter().take(limits::WAITS_MAX) {
            let (state, guard) = self.source_state(&wait_draft.waiting_for).await?;
            guards.extend(guard);
            let wait = wait(looked, wait_draft, state);
            let id = wait_id(looked, wait_draft);
            if wait.state != WaitState::Open {
                writes.push(Write::QueueRun(rules::wait::tick(&looked.agent.agent_id, &id)));
            }
            writes.push(Write::Record(RecordDraft::live(id, wait)));
        }
        Ok((writes, guards))
    }

    /// The waits that this run's own arrival has met, in case they were decided after it was on
    /// its way.
    async fn met_by(&self, run: &Run) -> Result<Vec<Write>, Error> {
        let Some(id) = &run.draft.reason_id else { return Ok(vec![]) };
        let source = match run.draft.reason {
            WakeReason::JobResult => WaitFor::Job { job: id.clone() },
            WakeReason::UserInitiated => WaitFor::Operator,
            _ => return Ok(vec![]),
        };
        let open = self.store.open_waits(run.draft.agent.clone(), limits::WAITS_MAX).await?;
        Ok(rules::wait::met(open, &run.draft.agent, &source))
    }
}

/// The commit that ends a run for good, with what is left of its turn.
pub(crate) fn failing(
    run: &Run,
    failure: RunFailure,
    remains: Closing,
    author: Author,
    now: At,
) -> Commit {
    let ended = failed(run, failure, &remains);
    let Closing { mut writes, guards, audit, .. } = remains;
    writes.extend(ended);
    Commit { guards, audit, ..Commit::new(Domain::Agent, author, now, writes).named(END) }
}

/// The row that ends a run for good, and one more look for what it stood for besides. A look that fails
/// so has another only if that may help; its agent's state says when, if nothing else does.
pub(crate) fn failed(run: &Run, failure: RunFailure, closing: &Closing) -> Vec<Write> {
    let mut writes = ended(run, &RunEnd::Failed(failure), closing.usage);
    let looks_again = match closing.looks_again {
        Again::Once => run.draft.reason_id.as_deref() != Some(AFTER_FAILURE),
        Again::UntilItPasses => true,
        Again::Never => false,
    };
    if looks_again && !planted::is(Fault::NoLookAfterFailure) {
        let key = run.draft.run_key.to_string();
        let cause = Cause::Tick { cause: AFTER_FAILURE, cause_id: &key };
        let look = draft(&run.draft.agent, &cause, Some(AFTER_FAILURE.to_owned()));
        // Words insist on nothing by themselves: what was merged into them that does is still to be had.
        let insist = run.draft.insist && !run.draft.only_looks();
        writes.push(Write::QueueRun(RunDraft { insist, not_before: closing.not_before, ..look }));
    }
    writes
}

fn wait(looked: &Looked, draft: &WaitDraft, state: WaitState) -> Wait {
    Wait {
        agent_id: looked.agent.agent_id.clone(),
        waiting_for: draft.waiting_for.clone(),
        description: draft.description.clone(),
        run_key: looked.run.draft.run_key,
        deadline: draft.deadline,
        state,
    }
}

fn wait_id(looked: &Looked, draft: &WaitDraft) -> WaitId {
    let run = looked.run.draft.run_key.to_string();
    WaitId::from_digest(&hash::fields(["wait", &run, &draft.waiting_for.source()]))
}

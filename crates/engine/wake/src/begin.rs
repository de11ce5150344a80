//! Beginning a run: facts first, and a turn only if there is something to decide.

use dispatch::Claim;
use rules::facts::{self, Finding, Sight};
use rules::{matching, pace, turn};
use serde_json::json;
use store::Briefing;
use types::{
    AgentIdentity, At, Author, Body, ChangeRecord, Continuation, Delta, Domain, Epoch, EventDraft,
    EventKind, FenceScope, Guard, LastTurn, Position, Rest, RestReason, Run, Subscription, Token,
    TriggerKind, WakeReason, Write, limits,
};

use crate::alongside::{alongside, beginning};
use crate::end::{looked_after, seen, unlooked};
use crate::metrics::count;
use crate::steps::{BEGIN, SKIP};
use crate::work::{nothing_merged, state};
use crate::{Error, Waker};

/// What a run has looked at: from where, up to where, and what it found there.
pub(crate) struct Looked {
    pub(crate) run: Run,
    pub(crate) agent: AgentIdentity,
    pub(crate) from: (Position, Position),
    pub(crate) journal: Delta,
    pub(crate) own: Delta,
    pub(crate) hints: Vec<types::Hint>,
    pub(crate) starts: Vec<At>,
    /// Under which claim a turn is taken.
    pub(crate) epoch: Epoch,
    /// The last run of the log when it looked: what is merged later it has not seen.
    pub(crate) newest_run: u64,
    /// How the turn before left the agent, before anything says that it runs.
    before: Option<Box<LastTurn>>,
    /// What it was woken by.
    trigger: TriggerKind,
    /// When it looked: with a prompt of an earlier attempt, when that was made.
    pub(crate) at: At,
    /// When the agent had last looked and come to an end.
    last_look: Option<At>,
}

impl Waker {
    /// Looks, and takes a turn if there is something to decide. Where the agent looks up to is taken
    /// before anything is read, so what comes in meanwhile is in its next look.
    pub(crate) async fn begin(&self, run: Run, briefing: Briefing, now: At) -> Result<(), Error> {
        let before = state(&briefing).and_then(|state| state.last_turn.clone());
        let Some(Body::Agent(agent)) = briefing.identity.map(|record| record.body) else {
            return Ok(());
        };
        let (trigger, only_reports) = self.woken_by(&run).await?;
        let journal = self.news(&briefing.subscriptions, briefing.cursors.0).await?;
        // One whose first turns failed has it still before it.
        let none_was_good = |last: &LastTurn| last.good.is_none();
        let first = briefing.rest.is_none() || before.as_deref().is_some_and(none_was_good);
        let last_look = briefing.rest.as_ref().map(|rest| rest.looked_at.unwrap_or(rest.slept_at));
        let starts = briefing.rest.map(|rest| rest.starts).unwrap_or_default();
        let starts = match run.draft.only_looks() {
            true => pace::begun(&self.settings.policy, &starts, now),
            false => starts,
        };
        let own = wanted(briefing.own, &briefing.subscriptions);
        let (from, hints) = (briefing.cursors, briefing.hints);
        let epoch = briefing.fence.epoch.max(self.store.epoch());
        let newest_run = briefing.newest_run;
        let overtaken = self.is_overtaken(&run, before.as_deref()).await?;
        let looked = Looked {
            run,
            agent,
            from,
            journal,
            own,
            hints,
            starts,
            epoch,
            newest_run,
            before,
            trigger,
            at: now,
            last_look,
        };
        let sight = Sight { overtaken, ..sight(&looked, first) };
        let finding = match only_reports {
            true => Finding::Nothing(facts::receipt(&sight, "only_reports", 0)),
            false => {
                let relevance = (self.settings.relevance)(&looked.agent);
                let found = facts::decide(&sight, &relevance);
                self.or_by_the_clock(found, &looked.agent, &relevance, last_look).await?
            }
        };
        match finding {
            Finding::Nothing(receipt) => {
                let mut writes = looked_after(&looked.run, receipt, &looked.continuation(None));
                match only_reports {
                    // Whoever was only told something has not looked for anything else.
                    true => writes.extend(unlooked(&looked).map(Write::QueueRun)),
                    false => {
                        let rest = self.rest(&looked, RestReason::NothingToDo, None);
                        writes.extend(seen(&looked, rest));
                    }
                }
                let guards = vec![nothing_merged(&looked.run, looked.newest_run)];
                self.write(SKIP, writes, guards).await?;
                self.body.over(&looked.run.draft.run_key);
                count(&self.counters.receipts, 1);
                self.count_wait(&looked.run);
                Ok(())
            }
            Finding::Something(why) => self.take(self.as_prompted(looked).await?, why).await,
        }
    }

    /// What kind of thing a run is woken by, and whether that only reports. What an envelope is follows
    /// from the reason of its run, except where the runtime sent it.
    async fn woken_by(&self, run: &Run) -> Result<(TriggerKind, bool), Error> {
        let from_within = matches!(run.draft.reason, WakeReason::JobResult | WakeReason::Tick);
        let envelope = match run.draft.envelope.as_ref().filter(|_| from_within) {
            Some(id) => self.store.record(Domain::Agent, id.into()).await?,
            None => None,
        };
        let envelope = match envelope.as_ref().map(|record| &record.body) {
            Some(Body::AgentEnvelope(envelope)) => Some(envelope),
            _ => None,
        };
        Ok((turn::trigger(&run.draft, envelope), envelope.is_some_and(turn::only_reports)))
    }

    /// What changed in the journal that this agent listens for.
    async fn news(&self, subscriptions: &[Subscription], after: Position) -> Result<Delta, Error> {
        let tokens: Vec<Token> = subscriptions.iter().flat_map(matching::index_tokens).collect();
        // The store tells how far its log has grown; what has not is not read.
        if tokens.is_empty() || *self.store.watch(Domain::Journal).borrow() <= after {
            return Ok(Delta { head: after, ..Delta::default() });
        }
        let limit = limits::ROWS_PER_READ_MAX;
        let delta = self.store.delta(Domain::Journal, tokens, after, limit).await?;
        Ok(wanted(delta, subscriptions))
    }

    async fn take(&self, looked: Looked, why: &'static str) -> Result<(), Error> {
        let run_key = looked.run.draft.run_key;
        let started = EventDraft {
            agent: looked.agent.agent_id.clone(),
            kind: EventKind::RunStarted,
            body: json!({ "run_key": run_key, "attempt": looked.run.attempt, "why": why }),
        };
        let claim = Claim {
            run: looked.run.clone(),
            agent: looked.agent.clone(),
            epoch: looked.epoch,
            why,
            continuation: looked.continuation(Some(why)),
            journal: looked.journal.clone(),
            own: looked.own.clone(),
            hints: looked.hints.clone(),
        };
        // Who has not come to an end has not looked: what has come to pass by the clock alone is found again.
        let looked_at = looked.last_look;
        let rest = Rest { looked_at, ..self.rest(&looked, RestReason::Done, None) };
        let mut writes =
            vec![Write::StartRun { run_key }, Write::Event(started), Write::Rest(rest)];
        writes.extend(self.body.opening(&claim));
        let at = self.world.now();
        // What a power cut takes back here nobody has relied on: the next thing that has to be on the
        // disk takes it along.
        let commit = types::Commit::new(Domain::Agent, Author::Runtime, at, writes).soon();
        let commit = commit.named(BEGIN).guarded(self.while_not_stopped());
        let commit = commit.guarded(nothing_merged(&looked.run, looked.newest_run));
        let begins = self.commit(commit.guarded(looked.while_claimed()));
        let (tell, begun) = beginning();
        let mut turn = self.body.turn(claim, begun);
        let early = alongside(begins, &mut turn).await?;
        count(&self.counters.turns_started, 1);
        self.count_wait(&looked.run);
        let _ = tell.send(());
        let ending = match early {
            Some(ending) => ending,
            None => turn.await,
        };
        self.end(looked, ending).await
    }

    fn count_wait(&self, run: &Run) {
        let waited = self.world.now().millis().saturating_sub(run.created_at.millis());
        count(&self.counters.queue_wait_ms, u64::try_from(waited).unwrap_or(0));
    }

    pub(crate) fn rest(&self, looked: &Looked, why: RestReason, expects: Option<String>) -> Rest {
        Rest {
            agent_id: looked.agent.agent_id.clone(),
            last_wake_reason: looked.run.draft.reason,
            slept_at: self.world.now(),
            looked_at: Some(looked.at),
            why,
            expects,
            starts: looked.starts.clone(),
        }
    }
}

impl Looked {
    /// In whose name the run ends: what follows from it is the agent's own doing and wakes it no more.
    pub(crate) fn author(&self) -> Author {
        Author::Agent {
            agent: self.agent.agent_id.clone(),
            run: self.run.draft.run_key,
            epoch: self.epoch,
        }
    }

    /// What the wake is to the agent's turn before; `why` is what there is to decide.
    fn continuation(&self, why: Option<&str>) -> Continuation {
        turn::resolve(self.trigger, self.before.as_deref(), why)
    }

    /// The condition that the agent's claim still holds.
    pub(crate) fn while_claimed(&self) -> Guard {
        let scope = FenceScope::Agent(self.agent.agent_id.clone());
        Guard::Fence { scope, epoch: self.epoch }
    }
}

/// Leaves out what carries one of the agent's tokens and yet does not meet any of its predicates.
fn wanted(delta: Delta, subscriptions: &[Subscription]) -> Delta {
    let predicates = subscriptions.iter().any(|s| s.predicate.is_some());
    if !predicates {
        return delta;
    }
    let kept = |change: &ChangeRecord| {
        facts::touches_a_wait(change) || subscriptions.iter().any(|s| matching::hears(s, change))
    };
    Delta { changes: delta.changes.into_iter().filter(kept).collect(), ..delta }
}

pub(crate) fn sight(looked: &Looked, first: bool) -> Sight<'_> {
    Sight {
        agent: &looked.agent.agent_id,
        run: &looked.run,
        first,
        overtaken: false,
        from: looked.from,
        journal: &looked.journal,
        own: &looked.own,
        hints: &looked.hints,
    }
}

//! Working: one run of an agent, from the queue to its end or to where it has to wait.

use dispatch::Closing;
use rules::failures;
use rules::suppress::{self, Standing, Verdict};
use store::Briefing;
use types::{
    AgentId, AgentState, At, Author, Body, Code, Commit, Conflict, Domain, Gate, Guard, Lifecycle,
    Record, Run, RunEnd, RunFailure, Write,
};

use crate::end::ended;
use crate::metrics::count;
use crate::steps::{GATE, SKIP};
use crate::{Error, Waker};

/// When to look again at an agent whose record a newer version wrote: it is kept and not acted on.
pub(crate) const UNREADABLE_MS: i64 = 3_600_000;

impl Waker {
    /// Takes the next run of an agent, if it has one that may begin. The caller is the only one who
    /// works for this agent, so a run that is found begun was left behind and is put back. What was
    /// judged from a look that is no longer true is judged again: nothing is written then.
    pub(crate) async fn work_once(&self, agent: &AgentId) -> Result<(), Error> {
        match self.work_on(agent).await {
            Err(Error::Conflict(
                Conflict::Merged { .. } | Conflict::Revision { .. } | Conflict::Run { .. },
            )) => Ok(()),
            other => other,
        }
    }

    async fn work_on(&self, agent: &AgentId) -> Result<(), Error> {
        let now = self.world.now();
        let briefing = self.store.briefing(agent.clone(), now).await?;
        if briefing.global_fence.closed {
            return Ok(());
        }
        if let Some(left) = &briefing.begun {
            return self.put_back(left).await;
        }
        let Some(run) = briefing.run.clone() else { return Ok(()) };
        let guards = as_judged(&run, &briefing);
        match self.judge(&run, &briefing, now) {
            Verdict::Begin => self.begin(run, briefing, now).await,
            Verdict::Wait(gate) => {
                let writes = vec![Write::GateRun { run_key: run.draft.run_key, gate }];
                self.write(GATE, writes, guards).await?;
                count(&self.counters.runs_gated, 1);
                Ok(())
            }
            Verdict::Skip(end, tick) => {
                let remains = self.skipped(&run, &end).await?;
                let mut writes = remains.writes;
                writes.extend(ended(&run, &end, remains.usage));
                writes.extend(tick.map(Write::QueueRun));
                let mut commit = self.step(SKIP, writes, guards);
                commit.guards.extend(remains.guards);
                self.commit(Commit { audit: remains.audit, ..commit }).await?;
                self.body.over(&run.draft.run_key);
                count(&self.counters.runs_skipped, 1);
                Ok(())
            }
        }
    }

    /// What is left of the turn of a run that had begun and whose agent is over by now.
    async fn skipped(&self, run: &Run, end: &RunEnd) -> Result<Closing, Error> {
        if run.attempt == 0 || *end != RunEnd::SkippedDestroyed {
            return Ok(Closing::default());
        }
        let message = "its agent was destroyed".to_owned();
        let failure = RunFailure { code: Code::AgentDestroyed, message };
        let waits = Guard::Waiting { run_key: run.draft.run_key };
        self.remains(run, &failure, vec![waits]).await
    }

    /// Whether a run may begin, as its agent stands.
    pub(crate) fn judge(&self, run: &Run, briefing: &Briefing, now: At) -> Verdict {
        let unreadable = |record: &Record| matches!(record.body, Body::Unknown { .. });
        if briefing.identity.iter().chain(&briefing.state).any(unreadable) {
            return Verdict::Wait(Gate::Until(now.plus_millis(UNREADABLE_MS)));
        }
        let starts = briefing.rest.as_ref().map_or(&[][..], |rest| &rest.starts);
        let state = state(briefing);
        let standing = Standing {
            lifecycle: lifecycle(briefing),
            fenced_off: briefing.fence.closed,
            sleep_until: state.and_then(|state| state.sleep_until),
            rests_until: state.and_then(|state| failures::resting(state, now)),
            starts,
        };
        suppress::judge(run, &standing, &self.settings.policy, now)
    }

    /// Commits what a step of a run comes to, unless everything has been stopped.
    pub(crate) async fn write(
        &self,
        step: &'static str,
        writes: Vec<Write>,
        guards: Vec<Guard>,
    ) -> Result<(), Error> {
        self.commit(self.step(step, writes, guards)).await?;
        Ok(())
    }

    fn step(&self, name: &'static str, writes: Vec<Write>, guards: Vec<Guard>) -> Commit {
        let now = self.world.now();
        let commit = Commit::new(Domain::Agent, Author::Runtime, now, writes).named(name);
        Commit { guards, ..commit }.guarded(self.while_not_stopped())
    }
}

/// The conditions that what was judged is still so: nobody resumed the agent or moved its barrier
/// meanwhile, and nothing was merged into the run that was not seen.
fn as_judged(run: &Run, briefing: &Briefing) -> Vec<Guard> {
    let records = briefing.identity.iter().chain(&briefing.state);
    records.map(Guard::unchanged).chain([nothing_merged(run, briefing.newest_run)]).collect()
}

/// The condition that nothing was merged into a run since it was looked at.
pub(crate) fn nothing_merged(run: &Run, newest_run: u64) -> Guard {
    Guard::NothingMergedSince { run_key: run.draft.run_key, number: newest_run }
}

/// What the agent durably knows of itself.
pub(crate) fn state(briefing: &Briefing) -> Option<&AgentState> {
    match briefing.state.as_ref().map(|record| &record.body) {
        Some(Body::AgentState(state)) => Some(state),
        _ => None,
    }
}

/// Where the agent stands in its life.
pub(crate) fn lifecycle(briefing: &Briefing) -> Option<Lifecycle> {
    match briefing.identity.as_ref().map(|record| &record.body) {
        Some(Body::Agent(identity)) => Some(identity.lifecycle),
        _ => None,
    }
}

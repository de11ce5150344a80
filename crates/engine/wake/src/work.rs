//! Working: one run of an agent, from the queue to its end or to where it has to wait.

use rules::suppress::{self, Standing, Verdict};
use store::Briefing;
use types::{AgentId, At, Author, Body, Commit, Domain, Gate, Lifecycle, Run, Usage, Write};

use crate::end::ended;
use crate::metrics::count;
use crate::steps::{GATE, SKIP};
use crate::{Error, Waker};

impl Waker {
    /// Takes the next run of an agent, if it has one that may begin. The caller is the only one who
    /// works for this agent, so a run that is found begun was left behind and is put back.
    pub(crate) async fn work_once(&self, agent: &AgentId) -> Result<(), Error> {
        let now = self.world.now();
        let briefing = self.store.briefing(agent.clone(), now).await?;
        if briefing.global_fence.closed {
            return Ok(());
        }
        if let Some(left) = &briefing.begun {
            return self.put_back(left).await;
        }
        let Some(run) = briefing.run.clone() else { return Ok(()) };
        match self.judge(&run, &briefing, now) {
            Verdict::Begin => self.begin(run, briefing, now).await,
            Verdict::Wait(gate) => self.gate(&run, gate).await,
            Verdict::Skip(end, tick) => {
                let mut writes = ended(&run, &end, Usage::default());
                writes.extend(tick.map(Write::QueueRun));
                self.write(SKIP, writes).await?;
                count(&self.counters.runs_skipped, 1);
                Ok(())
            }
        }
    }

    fn judge(&self, run: &Run, briefing: &Briefing, now: At) -> Verdict {
        let starts = briefing.rest.as_ref().map_or(&[][..], |rest| &rest.starts);
        let standing = Standing {
            lifecycle: lifecycle(briefing),
            fenced_off: briefing.fence.closed,
            sleep_until: match briefing.state.as_ref().map(|record| &record.body) {
                Some(Body::AgentState(state)) => state.sleep_until,
                _ => None,
            },
            starts,
        };
        suppress::judge(run, &standing, &self.settings.policy, now)
    }

    async fn gate(&self, run: &Run, gate: Gate) -> Result<(), Error> {
        self.write(GATE, vec![Write::GateRun { run_key: run.draft.run_key, gate }]).await?;
        count(&self.counters.runs_gated, 1);
        Ok(())
    }

    /// Commits what a step of a run comes to, unless everything has been stopped.
    pub(crate) async fn write(&self, step: &'static str, writes: Vec<Write>) -> Result<(), Error> {
        let now = self.world.now();
        let commit = Commit::new(Domain::Agent, Author::Runtime, now, writes).named(step);
        self.commit(commit.guarded(self.while_not_stopped())).await?;
        Ok(())
    }
}

fn lifecycle(briefing: &Briefing) -> Option<Lifecycle> {
    match briefing.identity.as_ref().map(|record| &record.body) {
        Some(Body::Agent(identity)) => Some(identity.lifecycle),
        _ => None,
    }
}

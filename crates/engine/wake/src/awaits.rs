//! What queued runs wait for, as whoever would begin them now finds it.

use std::collections::BTreeMap;

use dispatch::Work;
use rules::suppress::Verdict;
use store::Briefing;
use types::{AgentId, At, Gate, Lifecycle, Problem, Run, RunKey, RunState, limits};

use crate::work::lifecycle;
use crate::{Error, Waker};

/// What a queued run waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaits {
    /// Its turn: whoever runs what is queued runs it.
    Turn,
    /// A time.
    Time(At),
    /// Somebody who lets it go: why its agent is dormant, or `kill_switch`.
    Release(&'static str),
}

impl Waker {
    /// Does what a dispatcher does by itself: matches changes and fires what is due. Says how many
    /// runs a drain would begin now; none while everything is stopped.
    ///
    /// # Errors
    /// If the store cannot. The next start does it.
    pub async fn count_ready(&self) -> Result<usize, Problem> {
        if self.look().await?.ready.is_empty() {
            return Ok(0);
        }
        let mut queued: BTreeMap<AgentId, Vec<Run>> = BTreeMap::new();
        for run in self.store.queued_runs(limits::ROWS_PER_READ_MAX).await? {
            queued.entry(run.draft.agent.clone()).or_default().push(run);
        }
        let mut count = 0;
        for (agent, runs) in queued {
            let awaits = self.awaits(&agent, &runs).await?;
            count += awaits.values().filter(|awaits| **awaits == Awaits::Turn).count();
        }
        Ok(count)
    }

    /// What those of an agent's runs wait for that are queued and will be run. One that was merged into
    /// another waits for what that one does.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn awaits(
        &self,
        agent: &AgentId,
        runs: &[Run],
    ) -> Result<BTreeMap<RunKey, Awaits>, Error> {
        let is_queued = |run: &&Run| matches!(run.state, RunState::Queued { .. });
        let queued: Vec<&Run> = runs.iter().filter(is_queued).collect();
        if queued.is_empty() {
            return Ok(BTreeMap::new());
        }
        let now = self.world.now();
        let briefing = self.store.briefing(agent.clone(), now).await?;
        let (merged, own): (Vec<&Run>, Vec<&Run>) =
            queued.into_iter().partition(|run| run.merged_into.is_some());
        let of = |run: &Run| {
            let verdict = self.judge(run, &briefing, now);
            Some((run.draft.run_key, awaits(run, verdict, &briefing, now)?))
        };
        let mut found: BTreeMap<RunKey, Awaits> = own.into_iter().filter_map(of).collect();
        for run in merged {
            let Some(target) = run.merged_into else { continue };
            if !found.contains_key(&target) {
                found.extend(self.store.run(target).await?.as_ref().and_then(of));
            }
            let awaits = found.get(&target).copied();
            found.extend(awaits.map(|awaits| (run.draft.run_key, awaits)));
        }
        Ok(found)
    }
}

/// What a run waits for that would be judged so if it were to begin. Nothing for one that ends unseen.
fn awaits(run: &Run, verdict: Verdict, briefing: &Briefing, now: At) -> Option<Awaits> {
    let RunState::Queued { gate } = run.state else { return None };
    if briefing.global_fence.closed {
        return Some(Awaits::Release("kill_switch"));
    }
    match (verdict, gate) {
        (Verdict::Wait(Gate::Held), _) | (_, Gate::Held) => {
            Some(Awaits::Release(why(lifecycle(briefing))))
        }
        (Verdict::Wait(Gate::Until(at)), _) => Some(Awaits::Time(at)),
        (_, Gate::Until(at)) if at > now => Some(Awaits::Time(at)),
        (Verdict::Skip(_, tick), _) => tick?.not_before.map(Awaits::Time),
        (Verdict::Begin | Verdict::Wait(Gate::Open), _) => Some(Awaits::Turn),
    }
}

fn why(lifecycle: Option<Lifecycle>) -> &'static str {
    match lifecycle {
        Some(Lifecycle::Dormant { cause }) => cause.as_str(),
        // Its fence is closed and its life not yet: it is being stopped.
        _ => "stopped",
    }
}

//! The dispatcher: looks, and has at most so many agents at work at once.

use std::collections::{BTreeMap, BTreeSet};
use std::task::{Context, Waker};

use dispatch::{Look, Signal};
use rules::order::{self, Served};
use types::{AgentId, At, Priority, ReadyRun};

use crate::boot::POLICY;

/// Dispatches that may pass over an agent in favour of somebody newer and no more urgent, besides
/// one for each run that was waiting.
const PASSED_OVER_MAX: u64 = 30;

/// Where dispatching stands. Gone with a crash.
#[derive(Default)]
pub(crate) struct Driver {
    pub(crate) recovered: bool,
    pub(crate) look_wanted: bool,
    pub(crate) looking: bool,
    pub(crate) signal: Option<Signal>,
    pub(crate) busy: BTreeSet<AgentId>,
    /// When to look again by the clock on the wall, and by time passing.
    pub(crate) next_at: Option<At>,
    pub(crate) next_elapsed_ms: Option<i64>,
    /// When to try again what failed.
    pub(crate) retry_ms: Option<i64>,
    served: Served,
    passed_over: BTreeMap<AgentId, (u64, u64)>,
}

impl Driver {
    /// Whether something has stirred since the last look began.
    pub(crate) fn stirred(&mut self) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        let ready = |signal: &mut Signal| signal.as_mut().poll(&mut context).is_ready();
        let stirred = self.signal.as_mut().is_some_and(ready);
        if stirred {
            self.signal = None;
        }
        stirred
    }

    /// Whom to put to work after a look; the sentence says who was passed over too often.
    pub(crate) fn choose(&mut self, look: &Look) -> (Vec<AgentId>, Option<String>) {
        let ready = &look.ready;
        let room = POLICY.global_max_concurrent_runs.saturating_sub(self.busy.len());
        let chosen = order::choose(ready, &self.busy, &self.served, room);
        let waiting: BTreeSet<&AgentId> = ready.iter().map(|run| &run.agent).collect();
        self.served.keep_only(&waiting);
        let starved = self.passed_over(ready, &chosen);
        let newest = ready.iter().map(|run| run.number).max().unwrap_or(0);
        for agent in &chosen {
            self.served.note(agent.clone(), newest);
            self.busy.insert(agent.clone());
        }
        (chosen, starved)
    }

    fn passed_over(&mut self, ready: &[ReadyRun], chosen: &[AgentId]) -> Option<String> {
        let mut best: BTreeMap<&AgentId, (u64, Priority)> = BTreeMap::new();
        for run in ready.iter().filter(|run| !self.busy.contains(&run.agent)) {
            let first = best.entry(&run.agent).or_insert((run.number, run.priority));
            *first = (*first).min((run.number, run.priority));
        }
        self.passed_over.retain(|agent, _| best.contains_key(agent) && !chosen.contains(agent));
        let mut starved = None;
        for (agent, (number, priority)) in &best {
            if chosen.contains(agent) {
                continue;
            }
            let newer = |other: &&AgentId| {
                best.get(*other).is_some_and(|(n, p)| n > number && p >= priority)
            };
            let times = u64::try_from(chosen.iter().filter(newer).count()).unwrap_or(0);
            let waiting = u64::try_from(ready.len()).unwrap_or(0);
            let entry = self.passed_over.entry((*agent).clone()).or_insert((0, waiting));
            entry.0 += times;
            if entry.0 > entry.1 + PASSED_OVER_MAX {
                starved = Some(format!("{agent} was passed over {} times", entry.0));
            }
        }
        starved
    }
}

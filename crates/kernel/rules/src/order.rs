//! Who runs next: priority that ages, and fairness between agents.
//!
//! A run's rank is its number in the log plus a head start by priority. Numbers only grow, so a
//! rank never changes and ageing needs no clock: a background run is overtaken by at most as many
//! later runs as the head starts differ by, and then it is first, whatever keeps coming.
//!
//! An agent that has just had a turn goes behind all runs that were queued by then, so one with a
//! full mailbox takes turns with the others instead of going first a hundred times.

use std::collections::{BTreeMap, BTreeSet};

use types::{AgentId, Priority, ReadyRun};

/// By how many runs a priority comes sooner (below zero) or later than a normal one.
#[must_use]
pub const fn head_start(priority: Priority) -> i64 {
    match priority {
        Priority::Interject => -4_096,
        Priority::Next => -1_024,
        Priority::Normal => 0,
        Priority::Background => 1_024,
    }
}

/// The rank of a run: its number and its head start.
#[must_use]
pub fn rank(number: u64, priority: Priority) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX).saturating_add(head_start(priority))
}

/// Who has been served lately, and how far the log had grown by then. Kept in memory only: after a
/// restart everybody starts level.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Served(BTreeMap<AgentId, u64>);

impl Served {
    /// Notes that an agent is having a turn, when the log had grown to this number.
    pub fn note(&mut self, agent: AgentId, newest: u64) {
        self.0.insert(agent, newest);
    }

    /// Forgets agents that have nothing waiting: they are level with everybody again.
    pub fn keep_only(&mut self, waiting: &BTreeSet<&AgentId>) {
        self.0.retain(|agent, _| waiting.contains(agent));
    }
}

/// The agents to serve next, at most as many as there is room for, first come first.
#[must_use]
pub fn choose(
    ready: &[ReadyRun],
    busy: &BTreeSet<AgentId>,
    served: &Served,
    room: usize,
) -> Vec<AgentId> {
    let mut best: BTreeMap<&AgentId, i64> = BTreeMap::new();
    for run in ready.iter().filter(|run| !busy.contains(&run.agent)) {
        let behind = served.0.get(&run.agent).map_or(0, |newest| newest + 1);
        let place = rank(run.number.max(behind), run.priority);
        best.entry(&run.agent).and_modify(|b| *b = place.min(*b)).or_insert(place);
    }
    let mut order: Vec<(i64, &AgentId)> = best.into_iter().map(|(agent, at)| (at, agent)).collect();
    order.sort_unstable();
    order.into_iter().take(room).map(|(_, agent)| agent.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(agent: &str, number: u64, priority: Priority) -> ReadyRun {
        ReadyRun { agent: format!("agent_{agent}").parse().unwrap(), number, priority }
    }

    fn names(agents: &[AgentId]) -> Vec<&str> {
        agents.iter().map(|agent| &agent.as_str()[6..]).collect()
    }

    #[test]
    fn the_order_is_by_priority_and_within_one_by_arrival() {
        let ready = [
            run("a", 1, Priority::Background),
            run("b", 2, Priority::Normal),
            run("c", 3, Priority::Normal),
            run("d", 4, Priority::Interject),
            run("e", 5, Priority::Next),
        ];
        let order = choose(&ready, &BTreeSet::new(), &Served::default(), 9);
        assert_eq!(names(&order), ["d", "e", "b", "c", "a"]);
        let busy = BTreeSet::from([ready[3].agent.clone()]);
        assert_eq!(names(&choose(&ready, &busy, &Served::default(), 2)), ["e", "b"]);
    }

    #[test]
    fn a_full_mailbox_takes_turns_with_the_others() {
        let mut ready: Vec<ReadyRun> =
            (1..=50).map(|n| run("flood", n, Priority::Normal)).collect();
        ready.extend([run("x", 51, Priority::Normal), run("y", 52, Priority::Normal)]);
        let mut served = Served::default();
        let mut turns = Vec::new();
        let mut newest = 52;
        while !ready.is_empty() {
            let agent = choose(&ready, &BTreeSet::new(), &served, 1).remove(0);
            served.note(agent.clone(), newest);
            let done = ready.iter().position(|run| run.agent == agent).unwrap();
            ready.remove(done);
            turns.push(agent);
            newest += 1;
        }
        assert_eq!(names(&turns[..4]), ["flood", "x", "y", "flood"]);
    }

    /// Starvation is impossible: however many important runs keep coming, an old background run has
    /// its turn after a bounded number of dispatches.
    #[test]
    fn a_background_run_is_overtaken_only_so_often() {
        let old = run("old", 1, Priority::Background);
        let mut served = Served::default();
        for (dispatches, number) in (2_u64..).enumerate() {
            let newcomer = run(&format!("n{number}"), number, Priority::Interject);
            let ready = [old.clone(), newcomer];
            let next = choose(&ready, &BTreeSet::new(), &served, 1).remove(0);
            served.note(next.clone(), number);
            if next == old.agent {
                let bound = head_start(Priority::Background) - head_start(Priority::Interject);
                assert!(i64::try_from(dispatches).unwrap() <= bound);
                return;
            }
        }
    }
}

//! Who is at work, and who may join: a plain value that the dispatcher moves.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use dispatch::Look;
use rules::order::{self, Served};
use tokio::time::Instant;
use types::AgentId;

use crate::pause;

/// The agents at work, and those that the last look offered.
#[derive(Debug, Default)]
pub(crate) struct Floor {
    room: usize,
    busy: BTreeSet<AgentId>,
    served: Served,
    /// The highest number that a look has shown.
    newest: u64,
    offered: VecDeque<AgentId>,
    /// Agents whose work failed, until it ends well or is not heard of any more.
    failing: BTreeMap<AgentId, Failing>,
}

/// How often an agent's work failed in a row, and until when it is left alone.
#[derive(Debug)]
struct Failing {
    times: u32,
    until: Instant,
}

impl Floor {
    /// A floor with room for so many.
    pub(crate) fn new(room: usize) -> Floor {
        Floor { room: room.max(1), ..Floor::default() }
    }

    /// Takes what a look offers; it replaces what an earlier one did.
    pub(crate) fn offer(&mut self, look: &Look, now: Instant) {
        self.forget(now);
        let ready = &look.ready;
        self.served.keep_only(&ready.iter().map(|run| &run.agent).collect());
        let mut busy = self.busy.clone();
        let left_alone = self.failing.iter().filter(|(_, failing)| failing.until > now);
        busy.extend(left_alone.map(|(agent, _)| agent.clone()));
        self.offered = order::choose(ready, &busy, &self.served, usize::MAX).into();
        self.newest = ready.iter().map(|run| run.number).max().unwrap_or(self.newest);
    }

    /// The next agent to work for, if there is room.
    pub(crate) fn next(&mut self) -> Option<AgentId> {
        if !self.has_room() {
            return None;
        }
        let agent = self.offered.pop_front()?;
        self.served.note(agent.clone(), self.newest);
        self.busy.insert(agent.clone());
        Some(agent)
    }

    /// An agent's work has ended well.
    pub(crate) fn done(&mut self, agent: &AgentId) {
        self.busy.remove(agent);
        self.failing.remove(agent);
    }

    /// An agent's work has failed, and would fail again at once: it is left alone, longer each time. Says until when.
    pub(crate) fn failed(&mut self, agent: AgentId, now: Instant) -> Instant {
        self.busy.remove(&agent);
        let before = self.failing.get(&agent).map_or(0, |failing| failing.times);
        let times = before.saturating_add(1);
        let until = now + pause::after(times);
        self.failing.insert(agent, Failing { times, until });
        until
    }

    /// When the first of those who are left alone may be worked for again.
    pub(crate) fn first_free(&self, now: Instant) -> Option<Instant> {
        self.failing.values().map(|failing| failing.until).filter(|until| *until > now).min()
    }

    /// Forgets those who could have been worked for long ago and were not: there is nothing to do for them any more.
    fn forget(&mut self, now: Instant) {
        let busy = &self.busy;
        self.failing.retain(|agent, failing| {
            busy.contains(agent) || now.saturating_duration_since(failing.until) < pause::LONGEST
        });
    }

    /// Whether somebody else could be worked for at once.
    pub(crate) fn has_room(&self) -> bool {
        self.busy.len() < self.room
    }

    /// Whether the last look has offered more than could be begun.
    pub(crate) fn has_offers(&self) -> bool {
        !self.offered.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::{Priority, ReadyRun};

    fn look(runs: &[(&str, u64)]) -> Look {
        let run = |(name, number): &(&str, u64)| {
            let agent = format!("agent_{name}").parse().unwrap();
            ReadyRun { agent, number: *number, priority: Priority::Normal }
        };
        Look { ready: runs.iter().map(run).collect(), ..Look::default() }
    }

    fn names(floor: &mut Floor) -> Vec<String> {
        std::iter::from_fn(|| floor.next()).map(|agent| agent.to_string()).collect()
    }

    #[test]
    fn nobody_is_worked_for_twice_at_once_and_no_more_than_there_is_room() {
        let mut floor = Floor::new(2);
        floor.offer(&look(&[("a", 1), ("a", 2), ("b", 3), ("c", 4)]), Instant::now());
        assert_eq!(names(&mut floor), ["agent_a", "agent_b"]);
        assert!(!floor.has_room());
        floor.offer(&look(&[("a", 2), ("c", 4)]), Instant::now());
        assert!(names(&mut floor).is_empty());
        floor.done(&"agent_b".parse().unwrap());
        assert_eq!(names(&mut floor), ["agent_c"], "a is still at work");
        assert!(!floor.has_offers());
    }

    #[test]
    fn an_agent_with_many_runs_takes_turns() {
        let mut floor = Floor::new(1);
        let mut turns = Vec::new();
        let mut left = vec![("a", 1), ("a", 2), ("a", 3), ("b", 4)];
        while !left.is_empty() {
            floor.offer(&look(&left), Instant::now());
            let agent = floor.next().unwrap();
            let taken = left.iter().position(|(n, _)| agent.as_str().ends_with(n)).unwrap();
            turns.push(left.remove(taken).0);
            floor.done(&agent);
        }
        assert_eq!(turns, ["a", "b", "a", "a"]);
    }

    #[test]
    fn who_failed_is_left_alone_for_a_while_and_holds_nobody_up() {
        let (mut floor, now) = (Floor::new(2), Instant::now());
        let later = floor.failed("agent_a".parse().unwrap(), now);
        assert_eq!(floor.first_free(now), Some(later));
        floor.offer(&look(&[("a", 1), ("b", 2)]), now);
        assert_eq!(names(&mut floor), ["agent_b"]);
        floor.offer(&look(&[("a", 1)]), later);
        assert_eq!((names(&mut floor), floor.first_free(later)), (vec!["agent_a".into()], None));
    }

    #[test]
    fn who_fails_again_is_left_alone_longer_until_it_ends_well() {
        let (mut floor, start) = (Floor::new(2), Instant::now());
        let a: AgentId = "agent_a".parse().unwrap();
        let mut now = start;
        let mut fail = |floor: &mut Floor| {
            let until = floor.failed(a.clone(), now);
            let pause = until - now;
            now = until;
            floor.offer(&look(&[("a", 1)]), now);
            assert_eq!(names(floor), ["agent_a"]);
            pause.as_secs()
        };
        let pauses: Vec<u64> = (0..9).map(|_| fail(&mut floor)).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        floor.done(&a);
        assert!(floor.failing.is_empty(), "who is well costs nothing");
        assert_eq!(fail(&mut floor), 1);
    }

    #[test]
    fn who_failed_and_is_never_ready_again_is_forgotten() {
        let (mut floor, now) = (Floor::new(2), Instant::now());
        for number in 0..100 {
            floor.failed(format!("agent_{number}").parse().unwrap(), now);
        }
        let after = |seconds| now + std::time::Duration::from_secs(seconds);
        floor.offer(&look(&[]), after(60));
        assert_eq!(floor.failing.len(), 100);
        floor.offer(&look(&[]), after(61));
        assert_eq!(floor.failing.len(), 0);
    }
}

//! Who is at work, and who may join: a plain value that the dispatcher moves.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use dispatch::Look;
use rules::order::{self, Served};
use tokio::time::Instant;
use types::AgentId;

/// The agents at work, and those that the last look offered.
#[derive(Debug, Default)]
pub(crate) struct Floor {
    room: usize,
    busy: BTreeSet<AgentId>,
    served: Served,
    /// The highest number that a look has shown.
    newest: u64,
    offered: VecDeque<AgentId>,
    /// Agents whose work failed, and until when they are left alone.
    left_alone: BTreeMap<AgentId, Instant>,
}

impl Floor {
    /// A floor with room for so many.
    pub(crate) fn new(room: usize) -> Floor {
        Floor { room: room.max(1), ..Floor::default() }
    }

    /// Takes what a look offers; it replaces what an earlier one did.
    pub(crate) fn offer(&mut self, look: &Look, now: Instant) {
        self.left_alone.retain(|_, until| *until > now);
        let ready = &look.ready;
        self.served.keep_only(&ready.iter().map(|run| &run.agent).collect());
        let mut busy = self.busy.clone();
        busy.extend(self.left_alone.keys().cloned());
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

    /// An agent's work has ended.
    pub(crate) fn done(&mut self, agent: &AgentId) {
        self.busy.remove(agent);
    }

    /// Leaves an agent alone until a time: its work failed, and would fail again.
    pub(crate) fn leave_alone(&mut self, agent: AgentId, until: Instant) {
        self.left_alone.insert(agent, until);
    }

    /// When the first of those who are left alone may be worked for again.
    pub(crate) fn first_free(&self) -> Option<Instant> {
        self.left_alone.values().min().copied()
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
        let mut floor = Floor::new(2);
        let later = Instant::now() + std::time::Duration::from_secs(1_000);
        let a = "agent_a".parse().unwrap();
        floor.leave_alone(a, later);
        floor.offer(&look(&[("a", 1), ("b", 2)]), Instant::now());
        assert_eq!(names(&mut floor), ["agent_b"]);
        floor.offer(&look(&[("a", 1)]), later);
        assert_eq!(names(&mut floor), ["agent_a"]);
    }
}

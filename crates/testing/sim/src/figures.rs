//! What was exercised.

use std::collections::BTreeMap;

/// How often the simulator crashed around one step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Crashed {
    /// With the commit handed in and not written.
    pub before: u64,
    /// With the commit written and not answered.
    pub after: u64,
}

/// Counts by name, and crashes by step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    /// Counts.
    pub counts: BTreeMap<&'static str, u64>,
    /// Crashes around each step.
    pub steps: BTreeMap<&'static str, Crashed>,
}

impl Figures {
    /// Counts one.
    pub fn count(&mut self, name: &'static str) {
        self.add(name, 1);
    }

    /// Counts some.
    pub fn add(&mut self, name: &'static str, some: u64) {
        *self.counts.entry(name).or_default() += some;
    }

    /// Takes over the counts of another.
    pub fn join(&mut self, other: &Figures) {
        for (name, some) in &other.counts {
            self.add(name, *some);
        }
        for (step, crashed) in &other.steps {
            let mine = self.steps.entry(step).or_default();
            mine.before += crashed.before;
            mine.after += crashed.after;
        }
    }

    /// A count.
    #[must_use]
    pub fn get(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }
}

/// Steps of rooms that have nothing to do with turns.
pub(crate) fn plain_steps() -> Vec<&'static str> {
    [wake::STEPS, ingress::STEPS, fleet::STEPS].concat()
}

/// Steps of turns. One of the executor's is for what is too much for the commits of a turn: no story changes so
/// much at once.
pub(crate) fn turn_steps() -> Vec<&'static str> {
    let own = |step: &&str| *step != "tool.record";
    [turn::STEPS, tools::STEPS].concat().into_iter().filter(own).collect()
}

/// Every step of the program around which the simulator has to crash.
#[must_use]
pub fn all_steps() -> Vec<&'static str> {
    [plain_steps(), turn_steps(), consent::STEPS.to_vec(), journal::STEPS.to_vec()].concat()
}

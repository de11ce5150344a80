//! Writers at full speed: each a thread with several commits in flight.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::thread;

use store::{Answer, Store, StoreError, wait};
use testkit::Random;
use types::Outcome;

use crate::ledger::{Fate, Ledger};
use crate::plan::{Plan, Step};

/// Writers of one run.
pub const WRITERS: u64 = 6;

/// Commits that a writer has under way at most before it waits for the oldest. Fewer make smaller
/// groups, so that more of the disc's operations are syncs and checkpoints.
pub const IN_FLIGHT: u64 = 8;

/// A plan with the account of how far it got.
#[derive(Debug, Clone)]
pub struct Writer {
    /// Which of the seed's writers.
    pub index: u64,
    /// Commits that it has under way before it waits for the oldest.
    pub in_flight: usize,
    /// What it will do next.
    pub plan: Plan,
    /// What it has done.
    pub ledger: Ledger,
}

impl Writer {
    /// One writer of a seed, who has done nothing yet.
    #[must_use]
    pub fn new(seed: u64, index: u64) -> Writer {
        let in_flight = 1 + Random::seeded(seed).below(IN_FLIGHT);
        Writer {
            index,
            in_flight: usize::try_from(in_flight).expect("a few"),
            plan: Plan::new(seed, index),
            ledger: Ledger::default(),
        }
    }

    /// All writers of a seed.
    #[must_use]
    pub fn crew(seed: u64) -> Vec<Writer> {
        (0..WRITERS).map(|index| Writer::new(seed, index)).collect()
    }

    /// Notes what became of a step of its own plan.
    pub fn note(&mut self, step: Step, fate: Fate) {
        let tag = self.plan.tag.clone();
        self.ledger.note(&tag, step, fate);
    }
}

/// Who is told of each answer, as soon as it is there; a break ends the writer.
pub type Told<'a> = &'a (dyn Fn(u64, u64, &Fate) -> ControlFlow<()> + Sync);

/// Lets all writers write, each at most `steps` commits, until the store no longer applies them.
pub fn run(store: &dyn Store, writers: &mut [Writer], steps: u64, told: Told<'_>) {
    thread::scope(|scope| {
        for writer in writers {
            scope.spawn(move || work(store, writer, steps, told));
        }
    });
}

fn work(store: &dyn Store, writer: &mut Writer, steps: u64, told: Told<'_>) {
    let mut under_way: VecDeque<(Step, Answer<Outcome>)> = VecDeque::new();
    let (mut left, mut going) = (steps, true);
    loop {
        while going && left > 0 && under_way.len() < writer.in_flight {
            let mut step = writer.plan.step();
            let commit = take_commit(&mut step);
            under_way.push_back((step, store.commit(commit)));
            left -= 1;
        }
        // The oldest first, so that answers are told in the order of the plan.
        let Some((step, answer)) = under_way.pop_front() else { return };
        let fate = fate(wait(answer));
        let goes_on = told(writer.index, step.number, &fate);
        going &= matches!(fate, Fate::Acknowledged(_)) && goes_on.is_continue();
        writer.note(step, fate);
    }
}

/// The commit goes to the store; what it must leave stays here.
fn take_commit(step: &mut Step) -> types::Commit {
    let empty =
        types::Commit::new(step.commit.domain, step.commit.author.clone(), step.commit.at, vec![]);
    std::mem::replace(&mut step.commit, empty)
}

fn fate(answer: Result<Outcome, StoreError>) -> Fate {
    match answer {
        Ok(Outcome::Applied(applied)) => Fate::Acknowledged(applied),
        Ok(Outcome::Idempotent(_)) => Fate::Refused("it was done before".to_owned()),
        Ok(Outcome::Conflict(conflict)) => Fate::Refused(conflict.to_string()),
        Err(StoreError::Invalid(invalid)) => Fate::Refused(invalid.to_string()),
        Err(error) => Fate::InDoubt(Some(error)),
    }
}

/// Tells nobody.
pub fn quietly(_writer: u64, _number: u64, _fate: &Fate) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

//! Many seeds, on two threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use rules::planted::{self, Fault};

use crate::figures::Figures;
use crate::plan::Plan;
use crate::seed::run;
use crate::shrink::shrink;
use crate::violation::Violation;

/// Threads at work.
const THREADS: u64 = 2;

/// Runs of smaller plans that a failure is worth.
const TRIES_MAX: u32 = 400;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Campaign {
    /// The first seed.
    pub from: u64,
    /// How many.
    pub seeds: u64,
    /// A fault to plant; then the first failure ends the campaign.
    pub fault: Option<Fault>,
    /// Whether failing plans are made smaller.
    pub shrink: bool,
}

/// A seed that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Which.
    pub seed: u64,
    /// What was found.
    pub violations: Vec<Violation>,
    /// The story of the smallest plan that fails in the same way.
    pub story: Vec<String>,
    /// How many steps that plan has, and how many the whole one had.
    pub steps: (usize, usize),
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Seeds that failed, in their order.
    pub failures: Vec<Failure>,
    /// What was exercised.
    pub figures: Figures,
}

/// Failures that are made smaller; more would be the same over again.
const SHRUNK_MAX: usize = 5;

impl Campaign {
    /// Goes through all seeds.
    #[must_use]
    pub fn run(&self) -> Summary {
        let next = AtomicU64::new(self.from);
        let found = AtomicBool::new(false);
        let summary = Mutex::new(Summary::default());
        thread::scope(|scope| {
            for _ in 0..THREADS.min(self.seeds) {
                scope.spawn(|| self.take_seeds(&next, &found, &summary));
            }
        });
        let mut summary = summary.into_inner().expect("no thread has panicked");
        summary.failures.sort_by_key(|failure| failure.seed);
        if self.fault.is_some() {
            summary.failures.truncate(1);
        }
        if self.shrink {
            planted::plant(self.fault);
            for failure in summary.failures.iter_mut().take(SHRUNK_MAX) {
                make_smaller(failure);
            }
            planted::plant(None);
        }
        summary
    }

    fn take_seeds(&self, next: &AtomicU64, found: &AtomicBool, summary: &Mutex<Summary>) {
        planted::plant(self.fault);
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let enough = self.fault.is_some() && found.load(Ordering::Relaxed);
            if seed >= self.from + self.seeds || enough {
                return;
            }
            let plan = Plan::of(seed);
            let told = run(&plan);
            if self.fault.is_some() && !told.violations.is_empty() && !self.holds_without(&plan) {
                continue;
            }
            let mut summary = summary.lock().expect("no thread has panicked");
            summary.figures.join(&told.figures);
            if !told.violations.is_empty() {
                found.store(true, Ordering::Relaxed);
                let steps = (plan.steps.len(), plan.steps.len());
                let (violations, story) = (told.violations, told.story);
                summary.failures.push(Failure { seed, violations, story, steps });
            }
        }
    }
}

impl Campaign {
    /// Whether a plan holds when nothing is planted: only then it is the fault that was found.
    fn holds_without(&self, plan: &Plan) -> bool {
        planted::plant(None);
        let told = run(plan);
        planted::plant(self.fault);
        told.violations.is_empty()
    }
}

fn make_smaller(failure: &mut Failure) {
    let plan = Plan::of(failure.seed);
    let (small, told) = shrink(&plan, failure.violations[0].property, TRIES_MAX);
    failure.steps.0 = small.steps.len();
    failure.story = told.story;
    failure.violations = told.violations;
}

//! Matching beside raw index look-ups.

use std::sync::Arc;

use host::Machine;
use runtime::{Runtime, Setup, Stay};
use sqlite::Config;
use testkit::ScriptedModel;

use super::changes::{self, Batch};
use super::fleet::{self, Fleet};
use super::raw_matching;
use crate::stopwatch::{self, median};

/// How often each side is measured, in turn.
const ROUNDS: u32 = 15;

/// A page of changes with its times, in microseconds, and the median of the ratios.
pub(super) struct Pair {
    pub(super) ours: f64,
    pub(super) raw: f64,
    pub(super) ratio: f64,
}

/// Pages that hit one, a hundred and ten thousand per change, in this fleet.
pub(super) fn pairs(fleet: &Fleet) -> [Pair; 3] {
    let (store, world) = (fleet::open(fleet.home.path()), Arc::new(Machine));
    let setup = Setup::with(Stay::UntilStopped, ScriptedModel::saying(vec![]));
    let runtime = Runtime::start(store, world, setup);
    let runtime = store::wait(runtime).expect("it starts");
    let size = fleet.size;
    let batches = [changes::one_each(size), changes::few_each(size), changes::many(size)];
    batches.map(|batch| pair(&runtime, fleet, &batch))
}

fn pair(runtime: &Runtime, fleet: &Fleet, batch: &Batch) -> Pair {
    let path = fleet.home.path().join("agent.db");
    let connection = raw_matching::open(&path, Config::default().reader_cache_kib);
    let tokens = raw_matching::tokens(&batch.changes);
    let expected = batch.hits_each * batch.changes.len() as u64;
    let check = |hits: usize| assert_eq!(hits as u64, expected, "a change hits whom it is to hit");
    // One of them takes a fraction of a millisecond, so several are timed together.
    let times: u32 = if batch.hits_each < 1_000 { 20 } else { 5 };
    let ours = || {
        let work = || {
            for _ in 0..times {
                check(store::wait(runtime.waker.count_hits(&batch.changes)).expect("it reads"));
            }
        };
        stopwatch::time(work).1.as_secs_f64() * 1e6 / f64::from(times)
    };
    let raw = || {
        let work =
            || (0..times).for_each(|_| check(raw_matching::count_hits(&connection, &tokens)));
        stopwatch::time(work).1.as_secs_f64() * 1e6 / f64::from(times)
    };
    // Both caches warm.
    ours();
    raw();
    let rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| (ours(), raw())).collect();
    Pair {
        ours: median(rounds.iter().map(|(ours, _)| *ours).collect()),
        raw: median(rounds.iter().map(|(_, raw)| *raw).collect()),
        ratio: median(rounds.iter().map(|(ours, raw)| ours / raw).collect()),
    }
}

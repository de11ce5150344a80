//! What agents cost that sleep: memory, a start, and time while nothing happens. Each is measured in
//! a process of its own that has seen none of the making.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dispatch::Dispatch;
use embedded::Embedded;
use host::Machine;
use runtime::{Runtime, Setup, Stay};
use testkit::ScriptedModel;
use tokio::runtime::Builder;
use types::SchedulerPolicy;

use super::{changes, fleet};
use crate::child::itself;
use crate::stopwatch::median;
use crate::{machine, stopwatch};

/// How often each start is measured, in turn.
const STARTS: u32 = 9;

/// How long everything has to come to rest.
const SETTLE: Duration = Duration::from_millis(500);

/// KiB resident over the smaller and the larger home.
pub(super) fn resident(few: &Path, many: &Path) -> (f64, f64) {
    (asked("wake-memory", few), asked("wake-memory", many))
}

/// Microseconds of a start of the smaller and of the larger home, and the median of the ratios.
pub(super) fn starts(few: &Path, many: &Path) -> (f64, f64, f64) {
    let both = || (asked("wake-start", few), asked("wake-start", many));
    both();
    let rounds: Vec<(f64, f64)> = (0..STARTS).map(|_| both()).collect();
    let of = |pick: fn(&(f64, f64)) -> f64| median(rounds.iter().map(pick).collect());
    (of(|(few, _)| *few), of(|(_, many)| *many), of(|(few, many)| many / few))
}

/// The share of a core that a home takes in which nothing happens.
pub(super) fn idle(folder: &Path, seconds: u64) -> f64 {
    number(&itself(&["wake-idle", &folder.display().to_string(), &seconds.to_string()]))
}

fn asked(what: &str, folder: &Path) -> f64 {
    number(&itself(&[what, &folder.display().to_string()]))
}

fn number(printed: &str) -> f64 {
    printed.trim().parse().expect("the other process prints a number")
}

/// Starts on a home, matches a change that hits nobody, and says how many KiB are resident at rest.
pub(crate) fn resident_asleep(folder: &Path) -> u64 {
    in_a_process(async {
        let (runtime, _dispatcher) = start(folder).await;
        let hits = runtime.waker.count_hits(&changes::nobody()).await.expect("it reads");
        assert_eq!(hits, 0);
        tokio::time::sleep(SETTLE).await;
        machine::resident_kib()
    })
}

/// How many microseconds a start takes, from nothing to the first look.
pub(crate) fn start_us(folder: &Path) -> u128 {
    in_a_process(async {
        let began = stopwatch::start();
        let started = start(folder).await;
        let took = began.elapsed().as_micros();
        drop(started);
        took
    })
}

/// The share of a core that this process takes while nothing happens.
pub(crate) fn idle_share(folder: &Path, seconds: u64) -> f64 {
    in_a_process(async {
        let _started = start(folder).await;
        tokio::time::sleep(SETTLE).await;
        let (before, began) = (machine::processor_seconds(), stopwatch::start());
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        (machine::processor_seconds() - before) / began.elapsed().as_secs_f64()
    })
}

async fn start(folder: &Path) -> (Runtime, Embedded) {
    let (store, world) = (fleet::open(folder), Arc::new(Machine));
    let setup = Setup::with(Stay::UntilStopped, ScriptedModel::saying(vec![]));
    let runtime = Runtime::start(store, world.clone(), setup).await.expect("it starts");
    let room = SchedulerPolicy::DEFAULT.global_max_concurrent_runs;
    let handle = tokio::runtime::Handle::current();
    let dispatcher = Embedded::new(handle, world, room, |problem| eprintln!("{problem:?}"));
    dispatcher.start(Arc::new(runtime.waker.clone()));
    (runtime, dispatcher)
}

fn in_a_process<T>(work: impl Future<Output = T>) -> T {
    Builder::new_current_thread().enable_time().build().expect("an executor").block_on(work)
}

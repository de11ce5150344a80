//! The store, under a number of writers that each wait for their commit before the next.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlite::SqliteStore;
use store::Store;
use tokio::runtime::{Builder, Runtime};
use types::Outcome;

use super::load;
use crate::stopwatch;

/// What a stretch of writing took.
pub(super) struct Stretch {
    pub(super) elapsed: Duration,
    /// The latency of each commit, in microseconds.
    pub(super) latencies: Vec<f64>,
}

pub(super) fn executor() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).build().expect("an executor")
}

/// Writes commits `from..from + commits` with this many writers.
pub(super) fn write(
    executor: &Runtime,
    store: &Arc<SqliteStore>,
    from: u64,
    commits: u64,
    writers: usize,
) -> Stretch {
    let next = Arc::new(AtomicU64::new(from));
    let writer = |_| {
        let (store, next) = (Arc::clone(store), Arc::clone(&next));
        executor.spawn(async move {
            let mut latencies = Vec::new();
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= from + commits {
                    return latencies;
                }
                let commit = load::commit(n);
                let start = stopwatch::start();
                let outcome = store.commit(commit).await.expect("the store writes");
                assert!(matches!(outcome, Outcome::Applied(_)), "{outcome:?}");
                latencies.push(start.elapsed().as_secs_f64() * 1e6);
            }
        })
    };
    let work = || {
        let writers: Vec<_> = (0..writers).map(writer).collect();
        executor.block_on(async {
            let mut latencies = Vec::new();
            for writer in writers {
                latencies.extend(writer.await.expect("a writer ends"));
            }
            latencies
        })
    };
    let (latencies, elapsed) = stopwatch::time(work);
    Stretch { elapsed, latencies }
}

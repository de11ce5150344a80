//! What waking has done since this process started, as counters. Names are those under which they are
//! shown; everything durable is in the run log.

use std::sync::atomic::{AtomicU64, Ordering};

/// One counter each; reading takes no lock and costs the writers nothing.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) wakes_queued: AtomicU64,
    pub(crate) turns_started: AtomicU64,
    pub(crate) turns_completed: AtomicU64,
    pub(crate) receipts: AtomicU64,
    pub(crate) runs_skipped: AtomicU64,
    pub(crate) runs_gated: AtomicU64,
    pub(crate) runs_retried: AtomicU64,
    pub(crate) runs_failed: AtomicU64,
    pub(crate) looks: AtomicU64,
    pub(crate) queue_wait_ms: AtomicU64,
}

/// A reading of the counters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WakeMetrics {
    /// Wakes that matching queued, merged ones included.
    pub wakes_queued: u64,
    /// Turns that began.
    pub turns_started: u64,
    /// Turns that came to a good end.
    pub turns_completed: u64,
    /// Looks that found nothing to do.
    pub receipts: u64,
    /// Runs that ended without a look.
    pub runs_skipped: u64,
    /// Runs that were told to wait.
    pub runs_gated: u64,
    /// Runs that were put back.
    pub runs_retried: u64,
    /// Runs that failed for good.
    pub runs_failed: u64,
    /// Looks of the dispatcher.
    pub looks: u64,
    /// Milliseconds that runs which began had waited in the queue, all together.
    pub queue_wait_ms: u64,
}

impl WakeMetrics {
    /// Runs that came to an end, in whatever way.
    #[must_use]
    pub const fn runs_ended(&self) -> u64 {
        self.turns_completed + self.receipts + self.runs_skipped + self.runs_failed
    }
}

impl Counters {
    pub(crate) fn read(&self) -> WakeMetrics {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        WakeMetrics {
            wakes_queued: get(&self.wakes_queued),
            turns_started: get(&self.turns_started),
            turns_completed: get(&self.turns_completed),
            receipts: get(&self.receipts),
            runs_skipped: get(&self.runs_skipped),
            runs_gated: get(&self.runs_gated),
            runs_retried: get(&self.runs_retried),
            runs_failed: get(&self.runs_failed),
            looks: get(&self.looks),
            queue_wait_ms: get(&self.queue_wait_ms),
        }
    }
}

/// Counts one, or more, of something that is committed.
pub(crate) fn count(counter: &AtomicU64, by: u64) {
    counter.fetch_add(by, Ordering::Relaxed);
}

//! The one place that measures.

use std::time::{Duration, Instant};

/// Runs something and says how long it took.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures")]
pub(crate) fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

/// Starts to measure.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures")]
pub(crate) fn start() -> Instant {
    Instant::now()
}

/// The middle of some measurements.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

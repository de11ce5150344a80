//! How many bytes a commit writes.

use std::fs;
use std::sync::Arc;

use testkit::TempHome;
use tokio::runtime::Runtime;

use super::ours;
use crate::logs::unfolded;

/// Bytes in the write-ahead log per commit, with this many writers.
pub(super) fn per_commit(executor: &Runtime, writers: usize) -> f64 {
    const COMMITS: u64 = 2_000;
    let home = TempHome::new();
    let store = Arc::new(home.open(&unfolded()));
    ours::write(executor, &store, 0, 2_000, 64);
    let length = || fs::metadata(home.path().join("journal.db-log")).map_or(0, |wal| wal.len());
    let before = length();
    ours::write(executor, &store, 2_000, COMMITS, writers);
    let written = length() - before;
    #[expect(clippy::cast_precision_loss, reason = "a few megabytes")]
    let per_commit = written as f64 / COMMITS as f64;
    per_commit
}

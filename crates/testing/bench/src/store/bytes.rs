//! How many bytes a commit writes.

use std::fs;
use std::sync::Arc;

use sqlite::Config;
use testkit::TempHome;
use tokio::runtime::Runtime;

use super::ours;

/// Bytes in the write-ahead log per commit, with this many writers. Nothing is folded back into the
/// file meanwhile, so the log's length is all that was written.
pub(super) fn per_commit(executor: &Runtime, writers: usize) -> f64 {
    const COMMITS: u64 = 2_000;
    let home = TempHome::new();
    let config = Config {
        checkpoint_pages: 1_000_000,
        commits_until_rest: usize::MAX,
        pages_until_rest: u32::MAX,
        ..Config::default()
    };
    let store = Arc::new(home.open(&config));
    ours::write(executor, &store, 0, 2_000, 64);
    let length = || fs::metadata(home.path().join("journal.db-log")).map_or(0, |wal| wal.len());
    let before = length();
    ours::write(executor, &store, 2_000, COMMITS, writers);
    let written = length() - before;
    #[expect(clippy::cast_precision_loss, reason = "a few megabytes")]
    let per_commit = written as f64 / COMMITS as f64;
    per_commit
}

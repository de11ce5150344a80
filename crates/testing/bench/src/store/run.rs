//! The benchmark.

use std::path::Path;
use std::sync::Arc;

use sqlite::Config;
use testkit::TempHome;
use tokio::runtime::Runtime;

use super::{bytes, fsync, memory, ours, raw, report};
use crate::figures::Figures;
use crate::stopwatch::median;

/// How often each side is measured, in turn, so that both meet the same moods of the machine.
const ROUNDS: u64 = 15;

/// One number of writers: commits a second of each side, the median of the ratios, and latencies.
pub(super) struct Pair {
    pub(super) writers: usize,
    pub(super) ours: f64,
    pub(super) raw: f64,
    pub(super) ratio: f64,
    pub(super) latencies: Vec<f64>,
    /// One page appended and synced, in microseconds, measured between the rounds.
    pub(super) floor: f64,
}

pub(crate) fn run(keep: Option<&Path>) -> Figures {
    let executor = ours::executor();
    let mut figures = Figures::new("store");
    let pairs: Vec<Pair> = [(1, 1_000), (8, 3_000), (64, 8_000)]
        .map(|(w, commits)| pair(&executor, w, commits))
        .into();
    let meanings = [
        ("commit_ratio_1", "commits a second, 1 writer, over raw SQLite in groups of 1"),
        ("commit_ratio_8", "commits a second, 8 writers, over raw SQLite in groups of 8"),
        ("commit_ratio_64", "commits a second, 64 writers, over raw SQLite in groups of 64"),
    ];
    for (pair, (name, meaning)) in pairs.iter().zip(meanings) {
        figures.note(name, pair.ratio, meaning);
    }
    let (floor, alone) = (pairs[0].floor, median(pairs[0].latencies.clone()));
    figures.note("commit_p50_over_fsync", alone / floor, "a lone commit over one synced page");
    let rows = rows_per_commit(&executor);
    figures.note("rows_per_commit", rows, "rows of one commit, all tables");
    let lone = bytes::per_commit(&executor, 1);
    figures.note("wal_bytes_per_commit", lone, "bytes logged by a lone commit");
    let crowd = bytes::per_commit(&executor, 64);
    figures.note("wal_bytes_per_commit_64", crowd, "bytes logged by a commit, 64 writers");
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "about ten")]
    let rows = rows as u64;
    let rss = memory::ratio(1_000_000 / rows, 10_000 / rows);
    figures.note("rss_ratio", rss, "memory with 1,000,000 rows of history over 10,000");
    for (pair, name) in pairs.iter().zip(["commits_per_s_1", "commits_per_s_8", "commits_per_s_64"])
    {
        figures.note(name, pair.ours, "commits a second of the store");
    }
    figures.note("fsync_us", floor, "one page appended and synced, median, in microseconds");
    figures.note("commit_p50_us", alone, "a lone commit, median, in microseconds");
    if let Some(folder) = keep {
        report::keep(folder, &figures, &pairs);
    }
    figures
}

fn pair(executor: &Runtime, writers: usize, commits: u64) -> Pair {
    let config = Config::default();
    let (our_home, raw_home) = (TempHome::new(), TempHome::new());
    let store = Arc::new(our_home.open(&config));
    drop(raw_home.open(&config));
    let path = raw_home.path().join("journal.db");
    let connection = raw::open(&path, config.checkpoint_pages, config.cache_kib);
    let (mut ours, mut raws, mut ratios) = (vec![], vec![], vec![]);
    let (mut latencies, mut floors) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let from = round * commits;
        let stretch = ours::write(executor, &store, from, commits, writers);
        let rows: Vec<_> = (from..from + commits).map(|n| raw::rows(n, n + 1)).collect();
        let raw = raw::write(&connection, &rows, writers);
        let (our_s, raw_s) = (stretch.elapsed.as_secs_f64(), raw.as_secs_f64());
        latencies.extend(stretch.latencies);
        floors.push(fsync::floor(raw_home.path()));
        #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
        let commits = commits as f64;
        ours.push(commits / our_s);
        raws.push(commits / raw_s);
        ratios.push(raw_s / our_s);
    }
    let (ours, raw, ratio) = (median(ours), median(raws), median(ratios));
    Pair { writers, ours, raw, ratio, latencies, floor: median(floors) }
}

fn rows_per_commit(executor: &Runtime) -> f64 {
    let home = TempHome::new();
    let store = Arc::new(home.open(&Config::default()));
    ours::write(executor, &store, 0, 100, 1);
    drop(store);
    raw::count_rows(&raw::open(&home.path().join("journal.db"), 4_000, 1_024)) / 100.0
}

//! The benchmark.

use std::path::Path;

use super::matching::Pair;
use super::{asleep, fleet, matching, report, wakes};
use crate::figures::Figures;

/// What was measured besides the figures, for the plots.
pub(super) struct Measured {
    pub(super) matching: Vec<(&'static str, [Pair; 3])>,
    pub(super) wakes: wakes::Pair,
}

const NAMES: [[&str; 3]; 3] = [
    ["match_ratio_1k_1", "match_ratio_1k_100", "match_ratio_1k_10000"],
    ["match_ratio_100k_1", "match_ratio_100k_100", "match_ratio_100k_10000"],
    ["match_ratio_1m_1", "match_ratio_1m_100", "match_ratio_1m_10000"],
];

const MEANINGS: [&str; 3] = [
    "matching 200 changes that hit 1 subscription each, over raw index look-ups",
    "matching 20 changes that hit 100 each, over raw index look-ups",
    "matching 1 change that hits 10,000 (a tenth of 1,000), over raw index look-ups",
];

pub(crate) fn run(keep: Option<&Path>, quick: bool) -> Figures {
    let mut figures = Figures::new("wake");
    let fleets = [1_000, 100_000, 1_000_000].map(fleet::build);
    let [small, _, large] = &fleets;
    let labels = ["1,000 agents", "100,000 agents", "1,000,000 agents"];
    let pairs = fleets.each_ref().map(matching::pairs);
    for (pairs, names) in pairs.iter().zip(NAMES) {
        for ((pair, name), meaning) in pairs.iter().zip(names).zip(MEANINGS) {
            figures.note(name, pair.ratio, meaning);
        }
    }
    let worst = pairs[2].iter().map(|pair| pair.ratio).fold(0.0, f64::max);
    figures.note_against("match_ratio_1m", worst, "<= 2", "the worst of the three at 1,000,000");
    let (few, many) = (small.home.path(), large.home.path());
    let (few_kib, many_kib) = asleep::resident(few, many);
    let meaning = "resident memory with 1,000,000 asleep over 1,000 asleep";
    figures.note_against("rss_ratio_1m", many_kib / few_kib, "<= 1.2", meaning);
    let (_, start_us, ratio) = asleep::starts(few, many);
    let meaning = "a start with 1,000,000 asleep over one with 1,000 asleep";
    figures.note_against("cold_start_ratio_1m", ratio, "<= 2", meaning);
    let wakes = wakes::pair(small);
    let meaning = "durable wakes a second, from hint to receipt, over raw SQLite";
    figures.note_against("wakes_ratio", wakes.ratio, ">= 0.5", meaning);
    let idle = asleep::idle(many, if quick { 5 } else { 60 });
    let meaning = "share of a core with 1,000,000 asleep and nothing happening";
    figures.note_against("idle_cpu_share", idle, "<= 0.001", meaning);
    figures.note("wakes_per_s", wakes.ours, "durable wakes a second of the product");
    figures.note("raw_wakes_per_s", wakes.raw, "the same of raw SQLite");
    figures.note("rows_per_wake", wakes.rows, "rows that stay after one wake, all tables");
    let names = ["match_us_1m_1", "match_us_1m_100", "match_us_1m_10000"];
    for (pair, name) in pairs[2].iter().zip(names) {
        figures.note(name, pair.ours, "one such page of changes, in microseconds");
    }
    figures.note("rss_kib_1m", many_kib, "resident memory with 1,000,000 asleep, in KiB");
    figures.note("cold_start_us_1m", start_us, "a start with 1,000,000 asleep, in microseconds");
    if let Some(folder) = keep {
        let matching = labels.into_iter().zip(pairs).collect();
        report::keep(folder, &figures, &Measured { matching, wakes });
    }
    figures
}

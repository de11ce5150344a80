//! The report that is kept.

use std::fs;
use std::path::Path;

use super::run::Pair;
use crate::figures::Figures;
use crate::machine;
use crate::plot::{self, Bars};
use crate::stopwatch;

pub(super) fn keep(folder: &Path, figures: &Figures, pairs: &[Pair]) {
    let throughput = Bars {
        title: "Durable commits a second",
        unit: "more is better",
        series: &["the store", "raw SQLite"],
        groups: pairs.iter().map(|p| (label(p), vec![p.ours, p.raw])).collect(),
    };
    let latency = Bars {
        title: "Latency of a commit",
        unit: "microseconds, less is better",
        series: &["median", "99 of 100"],
        groups: pairs.iter().map(|p| (label(p), vec![at(p, 50), at(p, 99)])).collect(),
    };
    let report = format!(
        "# The store beside raw SQLite\n\n\
         Machine: {}\n\n\
         Command: `cargo run --release -p bench -- store --keep docs/benchmarks`\n\n\
         {}\n\
         ![throughput](store-throughput.svg)\n\n\
         ![latency](store-latency.svg)\n\n\
         Both sides write the rows of one new task per commit: the record and its indexes, the change \
         with its five tokens, sequence log, outbox, the operation with its result, the audit entry. \
         The store also checks guards, reads what was there before, hashes keys, contents and the \
         audit chain, and answers each writer by itself. It forms groups from whatever waits; raw \
         SQLite is given groups of exactly as many commits as there are writers. Each side is \
         measured fifteen times, in turn; ratios are medians of the fifteen.\n\n\
         ## The code of raw SQLite\n\n```rust\n{}```\n",
        machine::describe(),
        figures.markdown(),
        include_str!("raw.rs"),
    );
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("the report can be written");
    };
    fs::create_dir_all(folder).expect("the folder can be made");
    write("store.md", &report);
    write("store.json", &format!("{:#}\n", figures.json()));
    write("store-throughput.svg", &plot::svg(&throughput));
    write("store-latency.svg", &plot::svg(&latency));
}

fn label(pair: &Pair) -> String {
    match pair.writers {
        1 => "1 writer".to_owned(),
        many => format!("{many} writers"),
    }
}

fn at(pair: &Pair, percent: usize) -> f64 {
    if percent == 50 {
        return stopwatch::median(pair.latencies.clone());
    }
    let mut sorted = pair.latencies.clone();
    sorted.sort_by(f64::total_cmp);
    sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)]
}

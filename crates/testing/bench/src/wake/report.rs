//! The report that is kept.

use std::fs;
use std::path::Path;

use super::run::Measured;
use crate::figures::Figures;
use crate::machine;
use crate::plot::{self, Bars};

pub(super) fn keep(folder: &Path, figures: &Figures, measured: &Measured) {
    let report = format!(
        "# Waking beside raw SQLite\n\n\
         Machine: {}\n\n\
         Command: `cargo run --release -p bench -- wake --keep docs/benchmarks`\n\n\
         {}\n{EXPLANATION}\n\
         ## The code of raw SQLite\n\n\
         Matching:\n\n```rust\n{}```\n\n\
         Wakes:\n\n```rust\n{}```\n",
        machine::describe(),
        figures.markdown(),
        include_str!("raw_matching.rs"),
        include_str!("raw_wakes.rs"),
    );
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("the report can be written");
    };
    fs::create_dir_all(folder).expect("the folder can be made");
    write("wake.md", &report);
    write("wake.json", &format!("{:#}\n", figures.json()));
    let titles = [
        ("wake-match-1.svg", "Matching 200 changes that hit 1 subscription each"),
        ("wake-match-100.svg", "Matching 20 changes that hit 100 each"),
        ("wake-match-10000.svg", "Matching 1 change that hits 10,000"),
    ];
    for (place, (name, title)) in titles.into_iter().enumerate() {
        let groups = measured.matching.iter();
        let groups = groups
            .map(|(label, pairs)| ((*label).to_owned(), vec![pairs[place].ours, pairs[place].raw]));
        let series = &["the product", "raw SQLite"];
        let unit = "microseconds, less is better";
        write(name, &plot::svg(&Bars { title, unit, series, groups: groups.collect() }));
    }
    let wakes = Bars {
        title: "Durable wakes a second, from hint to receipt",
        unit: "more is better",
        series: &["the product", "raw SQLite"],
        groups: vec![("64 clients".to_owned(), vec![measured.wakes.ours, measured.wakes.raw])],
    };
    write("wake-throughput.svg", &plot::svg(&wakes));
}

const EXPLANATION: &str = "\
![wakes](wake-throughput.svg)

![matching 1](wake-match-1.svg)

![matching 100](wake-match-100.svg)

![matching 10,000](wake-match-10000.svg)

**The fleet.** The first agent of a home is made and woken by the product's own services; the others \
are copies of its rows (identity, state, link, cursors, rest) with a subscription of their own. A \
tenth of a million agents watch the tasks of one category by a predicate: 10,000 of them the same \
one, 100 another, each of the others its own. Nine tenths listen for one entity each. With 1,000 \
agents a hundred watch the category of the many.

**Matching.** The product's own matching, nothing written: tokens gathered, the index read on a \
reader's thread, predicates asked. Raw SQLite looks the same tokens up once each and collects \
subscription and agent as texts, each subscription once per change; its statement is kept from being \
planned anew whenever a value is bound. Fifteen rounds of each side in \
turn, caches warm; ratios are medians of the fifteen.

**Asleep.** Memory, start and idling are measured in processes of their own that open the home, start \
the runtime and the embedded dispatcher. A start is timed from before the home is opened until the \
first look is over.

**Wakes.** 64 clients hint at 1,000 agents in turn, none of them twice at once; the embedded \
dispatcher takes each hint to a receipt: facts first, no turn. A round of 4,000 wakes ends when the \
last receipt is durable. The product reads and checks trigger, agent and fences at the door, and \
again when it commits, looks for what could run, briefs the agent, and forms groups from whatever \
waits. Raw SQLite is given groups of 64. Both write the same number of rows into every table, which \
is checked. Nine rounds of each side in turn; the ratio is the median of the nine.
";

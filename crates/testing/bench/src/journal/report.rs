//! The report that is kept.

use std::fs;
use std::path::Path;

use super::looks::Pair;
use crate::figures::Figures;
use crate::machine;
use crate::plot::{self, Bars};

pub(super) fn keep(folder: &Path, figures: &Figures, pairs: [(&str, Pair); 3]) {
    let report = format!(
        "# A year of a journal beside a fiftieth of it\n\n\
         Machine: {}\n\n\
         Command: `cargo run --release -p bench -- journal --keep docs/benchmarks`\n\n\
         {}\n{EXPLANATION}",
        machine::describe(),
        figures.markdown(),
    );
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("the report can be written");
    };
    fs::create_dir_all(folder).expect("the folder can be made");
    write("journal.md", &report);
    write("journal.json", &format!("{:#}\n", figures.json()));
    let groups = pairs.map(|(name, pair)| (name.to_owned(), vec![pair.much, pair.little]));
    let looks = Bars {
        title: "What people look at every day",
        unit: "microseconds, less is better",
        series: &["a year", "a fiftieth of it"],
        groups: groups.to_vec(),
    };
    write("journal-looks.svg", &plot::svg(&looks));
}

const EXPLANATION: &str = "\
![looks](journal-looks.svg)

Both journals come from one seed: 2,000 tasks with 20,000 items, 10,000 entries and 5,000 time entries in
the year, a fiftieth of each in the other, with as much on each day. Both have the same 20 entries with the
word that is searched for. Each look is taken 400 times in turns in both homes, through the same functions
that the commands use; a figure is the ratio of the two medians.
";

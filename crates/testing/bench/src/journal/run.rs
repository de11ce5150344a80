//! The benchmark.

use std::path::Path;

use super::home::Lived;
use super::{looks, report};
use crate::figures::Figures;

pub(crate) fn run(keep: Option<&Path>) -> Figures {
    let (much, little) = (Lived::share(1), Lived::share(50));
    let list = looks::list(&much, &little);
    let search = looks::search(&much, &little);
    let day = looks::day(&much, &little);
    let mut figures = Figures::new("journal");
    let meaning = "a page of 20 open tasks, in a year's journal over a fiftieth of it";
    figures.note_against("list_ratio", list.ratio, "<= 1.5", meaning);
    let meaning = "a full-text search with 20 hits in both";
    figures.note_against("search_ratio", search.ratio, "<= 1.5", meaning);
    let meaning = "the view of a day: plan, due, done, time and notes";
    figures.note_against("day_ratio", day.ratio, "<= 1.5", meaning);
    let meaning = "the same in the year's journal, in microseconds";
    figures.note("list_us", list.much, meaning);
    figures.note("search_us", search.much, meaning);
    figures.note("day_us", day.much, meaning);
    if let Some(folder) = keep {
        report::keep(folder, &figures, [("list", list), ("search", search), ("day", day)]);
    }
    figures
}

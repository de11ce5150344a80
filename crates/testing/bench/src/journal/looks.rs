//! What people look at every day, and how long it takes in each of two homes.

use std::time::Duration;

use runtime::{Find, TaskFilter};
use store::wait;
use testkit::{FINDS, RARE_WORD};

use super::home::Lived;
use crate::stopwatch::{median, time};

/// How often each look is taken, in turns, so that whatever else the machine does meets both.
const TURNS: usize = 400;

/// How many tasks a list shows.
const LISTED: usize = 20;

/// Microseconds in the home with much, in the home with little, and how many times as much.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) much: f64,
    pub(super) little: f64,
    pub(super) ratio: f64,
}

/// A page of open tasks, as `task list` shows it.
pub(super) fn list(much: &Lived, little: &Lived) -> Pair {
    pair(much, little, |home| {
        let filter = TaskFilter { limit: LISTED, ..TaskFilter::default() };
        let tasks = wait(home.runtime.journal.task_list(filter)).expect("tasks are listed");
        assert_eq!(tasks.len(), LISTED);
    })
}

fn find() -> Find {
    Find { words: RARE_WORD.to_owned(), limit: 20, ..Find::default() }
}

/// A search with the same number of hits in both.
pub(super) fn search(much: &Lived, little: &Lived) -> Pair {
    pair(much, little, |home| {
        let found = wait(home.finder.find(find())).expect("a search");
        assert_eq!(found.total as u64, FINDS);
    })
}

/// The day, as `today` shows it.
pub(super) fn day(much: &Lived, little: &Lived) -> Pair {
    pair(much, little, |home| {
        let day = wait(home.runtime.journal.day_get("today")).expect("a day");
        assert!(day.notes.len() > 5);
    })
}

fn pair(much: &Lived, little: &Lived, look: impl Fn(&Lived)) -> Pair {
    let micros = |elapsed: Duration| elapsed.as_secs_f64() * 1e6;
    let (mut large, mut small) = (Vec::new(), Vec::new());
    // The first look of each fills caches and brings the index up to date.
    look(much);
    look(little);
    for _ in 0..TURNS {
        large.push(micros(time(|| look(much)).1));
        small.push(micros(time(|| look(little)).1));
    }
    let (much, little) = (median(large), median(small));
    Pair { much, little, ratio: much / little }
}

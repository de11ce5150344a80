//! Where it stands, and who may move it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use types::Position;

use super::Harness;
use super::given::{check, note, put, query, search};
use crate::Index;

/// A new one has read nothing.
pub fn it_starts_at_zero(harness: &mut impl Harness) {
    let index = harness.open();
    assert_eq!(index.position(), Ok(Position(0)));
    check(&*index, "milk", &[]);
}

/// Steps may be of any width.
pub fn a_put_moves_the_position_with_its_documents(harness: &mut impl Harness) {
    let index = harness.open();
    let moved = index.put(vec![note("a", "One", "milk")], vec![], Position(0), Position(40));
    assert_eq!(moved, Ok(true));
    assert_eq!(index.position(), Ok(Position(40)));
    check(&*index, "milk", &["a"]);
}

/// Neither documents nor removals nor position.
pub fn a_put_from_elsewhere_does_nothing(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, vec![note("a", "One", "milk")]);
    for from in [0, 2] {
        let gone = vec![super::given::id("note_a")];
        let moved = index.put(vec![note("b", "Two", "milk")], gone, Position(from), Position(9));
        assert_eq!(moved, Ok(false));
        assert_eq!(index.position(), Ok(Position(1)));
        check(&*index, "milk", &["a"]);
    }
}

/// Whether it is noticed as one that was done, or done again.
pub fn the_same_put_twice_is_harmless(harness: &mut impl Harness) {
    let index = harness.open();
    let again = |from, to| {
        let documents = vec![note("a", "One", "milk"), note("b", "Two", "milk")];
        index.put(documents, vec![super::given::id("note_b")], Position(from), Position(to))
    };
    assert_eq!((again(0, 5), again(0, 5)), (Ok(true), Ok(false)));
    assert_eq!((again(5, 5), again(5, 5)), (Ok(true), Ok(true)));
    assert_eq!(index.position(), Ok(Position(5)));
    check(&*index, "milk", &["a"]);
}

/// Most changes are about nothing that can be found.
pub fn an_empty_put_moves_on(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, vec![note("a", "One", "milk")]);
    put(&*index, vec![]);
    assert_eq!(index.position(), Ok(Position(2)));
    check(&*index, "milk", &["a"]);
}

/// The others are told, and nothing of theirs is there.
pub fn of_writers_at_once_one_moves_on(harness: &mut impl Harness) {
    let index = harness.open();
    let moved = AtomicUsize::new(0);
    thread::scope(|scope| {
        for name in ["a", "b", "c", "d"] {
            let (index, moved) = (&*index, &moved);
            scope.spawn(move || {
                let documents = vec![note(name, "One", "milk")];
                let done = index.put(documents, vec![], Position(0), Position(1));
                moved.fetch_add(done.expect("it is written").into(), Ordering::Relaxed);
            });
        }
    });
    assert_eq!(moved.load(Ordering::Relaxed), 1);
    assert_eq!(search(&*index, &query("milk")).total, 1);
}

/// And see each put whole or not at all.
pub fn searches_go_on_while_it_is_fed(harness: &mut impl Harness) {
    const ROUNDS: usize = 20;
    const EACH: usize = 10;
    let index: Box<dyn Index> = harness.open();
    thread::scope(|scope| {
        let readers: Vec<_> =
            (0..2).map(|_| scope.spawn(|| watch(&*index, ROUNDS * EACH))).collect();
        for round in 0..ROUNDS {
            let name = |n| format!("r{round}n{n}");
            put(&*index, (0..EACH).map(|n| note(&name(n), "Shopping", "milk")).collect());
        }
        for reader in readers {
            let totals = reader.join().expect("a reader goes on");
            assert!(totals.is_sorted(), "{totals:?}");
            assert!(totals.iter().all(|total| total % EACH == 0), "{totals:?}");
        }
    });
}

/// The totals that a reader sees until there are so many.
fn watch(index: &dyn Index, last: usize) -> Vec<usize> {
    let mut totals = Vec::new();
    while totals.last() != Some(&last) {
        let found = search(index, &query("milk"));
        assert_eq!(found.hits.len(), found.total.min(100));
        totals.push(found.total);
    }
    totals
}

//! What goes in and what comes out.

use types::Position;

use super::Harness;
use super::given::{change, check, elsewhere, note, put, query, search, within};
use crate::{Document, Hit, Index};

/// With all that a hit says.
pub fn a_document_is_found_by_the_words_of_its_title_and_text(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, vec![note("a", "Shopping", "oat milk and bread"), note("b", "Taxes", "by May")]);
    let found = search(&*index, &query("milk"));
    let expected = Hit {
        id: super::given::id("note_a"),
        kind: "note".to_owned(),
        title: "Shopping".to_owned(),
        excerpt: "oat «milk» and bread".to_owned(),
        score: 1.0,
    };
    assert_eq!(found.hits, [expected]);
    check(&*index, "shopping", &["a"]);
    check(&*index, "may", &["b"]);
    check(&*index, "nobody", &[]);
}

/// The old words are gone, the words that stayed are found once.
pub fn a_replaced_document_is_found_by_its_present_words_only(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, vec![note("a", "Shopping", "oat milk"), note("b", "Other", "oat")]);
    put(&*index, vec![note("a", "Groceries", "oat bread")]);
    check(&*index, "milk", &[]);
    check(&*index, "shopping", &[]);
    check(&*index, "groceries bread", &["a"]);
    check(&*index, "oat", &["a", "b"]);
    put(&*index, vec![note("a", "Groceries", "rye bread")]);
    check(&*index, "oat", &["b"]);
    check(&*index, "rye", &["a"]);
    // Its words may stay and all else change.
    let later = note("a", "Groceries", "rye bread");
    put(&*index, vec![Document { kind: "task".to_owned(), ..later }]);
    assert_eq!(search(&*index, &query("bread")).hits[0].kind, "task");
}

/// And its neighbours are.
pub fn a_removed_document_is_found_no_more(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, vec![note("a", "One", "milk"), note("b", "Two", "milk")]);
    change(&*index, vec![], &["a"]);
    check(&*index, "milk", &["b"]);
    put(&*index, vec![note("a", "Three", "bread")]);
    check(&*index, "one", &[]);
    check(&*index, "three bread", &["a"]);
}

/// Removals come from a log that may speak of what never had words.
pub fn removing_what_is_not_there_does_nothing(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, vec![note("a", "One", "milk")]);
    change(&*index, vec![], &["b", "b"]);
    check(&*index, "milk", &["a"]);
}

/// Leaving out is the safe side.
pub fn what_is_put_and_removed_at_once_is_gone(harness: &mut impl Harness) {
    let index = harness.open();
    change(&*index, vec![note("a", "One", "milk"), note("b", "Two", "milk")], &["a"]);
    check(&*index, "milk", &["b"]);
}

/// As if they had come one after the other.
pub fn of_a_document_that_comes_twice_the_last_counts(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, vec![note("a", "One", "milk"), note("a", "Two", "bread")]);
    check(&*index, "milk", &[]);
    check(&*index, "bread", &["a"]);
}

/// Who may find it goes by where it is, not by where it was.
pub fn a_moved_document_is_found_where_it_is(harness: &mut impl Harness) {
    let index = harness.open();
    let document = note("a", "One", "milk");
    put(&*index, vec![document.clone()]);
    put(&*index, vec![elsewhere("work", document)]);
    assert_eq!(search(&*index, &within(&["home"], "milk")).total, 0);
    assert_eq!(search(&*index, &within(&["work"], "milk")).total, 1);
}

/// Nothing that a text can hold stops it from being found by its other words.
pub fn any_text_can_be_put(harness: &mut impl Harness) {
    let index = harness.open();
    let long = "word ".repeat(50_000);
    let documents = vec![
        note("empty", "", ""),
        note("nul", "zero\0title", "before\0milk\0after"),
        note("marks", "«quoted»", "\u{2}«milk»\u{3} 🥛 \"'%*"),
        note("long", "long", &format!("{long} milk {long}")),
    ];
    put(&*index, documents);
    check(&*index, "milk", &["long", "marks", "nul"]);
    check(&*index, "after", &["nul"]);
    check(&*index, "quoted", &["marks"]);
}

/// A closed index is a whole one.
pub fn what_was_put_is_there_after_reopening(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, vec![note("a", "One", "milk")]);
    drop(index);
    let index = harness.open();
    assert_eq!(index.position(), Ok(Position(1)));
    check(&*index, "milk", &["a"]);
    change(&*index, vec![], &["a"]);
    drop(index);
    check(&*harness.open(), "milk", &[]);
}

/// And it can be fed again from the start, also by the next process.
pub fn clearing_forgets_everything(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, vec![note("a", "One", "milk"), note("b", "Two", "milk")]);
    index.clear().expect("it is cleared");
    assert_eq!(index.position(), Ok(Position(0)));
    check(&*index, "milk", &[]);
    put(&*index, vec![note("b", "Two", "milk")]);
    check(&*index, "milk", &["b"]);
    index.clear().expect("it is cleared again");
    drop(index);
    let index: Box<dyn Index> = harness.open();
    assert_eq!(index.position(), Ok(Position(0)));
    check(&*index, "milk", &[]);
}

//! Which comes first, how many are shown, and what is shown of them.

use types::limits;

use super::Harness;
use super::given::{NOON, names, note, put, query, search};
use crate::{Document, Query};

/// Even that of a long note against a short one that mentions the word.
pub fn a_title_counts_for_more_than_a_text(harness: &mut impl Harness) {
    let index = harness.open();
    let mut documents = vec![
        note("mentioned", "Shopping", "milk"),
        note("titled", "Milk", &"many other words ".repeat(300)),
    ];
    documents.extend((0..20).map(|n| note(&format!("x{n}"), "Other", "bread")));
    put(&*index, documents);
    assert_eq!(names(&search(&*index, &query("milk"))), ["titled", "mentioned"]);
    put(&*index, vec![note("often", "Shopping", "milk, milk and milk")]);
    let found = search(&*index, &query("milk -many"));
    assert_eq!(names(&found), ["often", "mentioned"], "of texts the one that has it more often");
}

/// The order is total, so that the same search shows the same.
pub fn of_equals_the_newer_comes_first_and_then_the_lower_id(harness: &mut impl Harness) {
    let index = harness.open();
    let document = |name: &str, millis| Document {
        at: NOON.plus_millis(millis),
        ..note(name, "Shopping", "milk")
    };
    put(&*index, vec![document("d", 5), document("b", 5), document("a", 0), document("c", 9)]);
    assert_eq!(names(&search(&*index, &query("milk"))), ["c", "b", "d", "a"]);
    put(&*index, vec![document("a", 20)]);
    assert_eq!(names(&search(&*index, &query("milk"))), ["a", "c", "b", "d"]);
}

/// The others have less, in the order of the hits.
pub fn the_best_hit_has_the_score_of_one(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, vec![note("a", "milk", "milk"), note("b", "x", "milk in a longer text")]);
    let scores: Vec<f64> =
        search(&*index, &query("milk")).hits.iter().map(|hit| hit.score).collect();
    assert_eq!(scores[0].to_bits(), 1.0_f64.to_bits());
    assert!(scores[1] > 0.0 && scores[1] < 1.0, "{scores:?}");
}

/// The best are shown, all are counted.
pub fn a_limit_cuts_the_hits_and_not_the_total(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, (0..7).map(|n| note(&format!("n{n}"), "Shopping", "milk")).collect());
    let limited = |limit| search(&*index, &Query { limit, ..query("milk") });
    let all = limited(7);
    assert_eq!((all.hits.len(), all.total, all.more), (7, 7, false));
    let some = limited(3);
    assert_eq!((some.total, some.more), (7, true));
    assert_eq!(some.hits, all.hits[..3]);
    let none = limited(0);
    assert_eq!((none.hits.len(), none.total, none.more), (0, 7, true));
}

/// Whatever limit is asked for.
pub fn an_answer_is_a_page(harness: &mut impl Harness) {
    let index = harness.open();
    let count = limits::ROWS_PER_READ_MAX + 1;
    put(&*index, (0..count).map(|n| note(&format!("n{n}"), "Shopping", "milk")).collect());
    let found = search(&*index, &Query { limit: usize::MAX, ..query("milk") });
    assert_eq!((found.hits.len(), found.total, found.more), (count - 1, count, true));
}

/// In the text if it is there, else in the title, and near the match.
pub fn an_excerpt_marks_what_fits(harness: &mut impl Harness) {
    let index = harness.open();
    let far = "other words ".repeat(500);
    let documents = vec![
        note("a", "Oat milk", "Müller sells oat milk"),
        note("b", "About cheese", "nothing to see"),
        note("c", "Far", &format!("{far} cream {far}")),
    ];
    put(&*index, documents);
    let excerpt = |text: &str| search(&*index, &query(text)).hits[0].excerpt.clone();
    assert_eq!(excerpt("muller mil"), "«Müller» sells oat «milk»");
    assert_eq!(excerpt("\"oat milk\""), "Müller sells «oat milk»");
    assert_eq!(excerpt("cheese"), "About «cheese»");
    let cream = excerpt("cream");
    assert!(cream.contains("«cream»") && cream.len() < 500, "{cream}");
}

/// Whatever the text holds.
pub fn an_excerpt_is_one_line_with_marks_of_its_own(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, vec![note("a", "x", "a «b»\r\n\t milk\u{2}\0\u{1b}[31m  end")]);
    let excerpt = search(&*index, &query("milk")).hits[0].excerpt.clone();
    assert_eq!(excerpt, "a ‹b› «milk» [31m end");
}

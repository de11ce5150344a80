//! Small values for the cases.

use types::{At, Position};

use crate::{Document, Found, Index, Query};

pub(super) const NOON: At = At::from_millis(1_800_000_000_000);

/// Parses a value that the case spells out.
pub(super) fn id<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("the case spells ids right")
}

/// A note in `category_home`.
pub(super) fn note(name: &str, title: &str, text: &str) -> Document {
    Document {
        id: id(&format!("note_{name}")),
        kind: "note".to_owned(),
        category: Some(id("category_home")),
        title: title.to_owned(),
        text: text.to_owned(),
        at: NOON,
    }
}

/// The same in another category.
pub(super) fn elsewhere(category: &str, document: Document) -> Document {
    Document { category: Some(id(&format!("category_{category}"))), ..document }
}

/// Everything that fits.
pub(super) fn query(text: &str) -> Query {
    Query { text: text.to_owned(), kinds: Vec::new(), categories: None, limit: 100 }
}

/// The same, in some categories only.
pub(super) fn within(categories: &[&str], text: &str) -> Query {
    let ids = categories.iter().map(|name| id(&format!("category_{name}")));
    Query { categories: Some(ids.collect()), ..query(text) }
}

/// Moves on by one position with these documents.
pub(super) fn put(index: &dyn Index, documents: Vec<Document>) {
    change(index, documents, &[]);
}

/// The same, leaving some out.
pub(super) fn change(index: &dyn Index, documents: Vec<Document>, gone: &[&str]) {
    let from = index.position().expect("the index is read");
    let gone = gone.iter().map(|name| id(&format!("note_{name}"))).collect();
    let moved = index.put(documents, gone, from, Position(from.0 + 1));
    assert!(moved.expect("the index is written"), "nobody else feeds it");
}

pub(super) fn search(index: &dyn Index, query: &Query) -> Found {
    index.search(query).expect("the search is one")
}

/// The names of what fits, best first.
pub(super) fn names(found: &Found) -> Vec<&str> {
    found.hits.iter().map(|hit| hit.id.as_str().trim_start_matches("note_")).collect()
}

/// Who is found by a search, in the order of their names.
pub(super) fn check(index: &dyn Index, text: &str, expected: &[&str]) {
    let found = search(index, &query(text));
    let mut names = names(&found);
    names.sort_unstable();
    assert_eq!(names, expected, "{text:?}");
    assert_eq!((found.total, found.more), (expected.len(), false), "{text:?}");
}

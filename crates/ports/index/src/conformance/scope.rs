//! Who finds what.

use std::collections::BTreeSet;

use super::Harness;
use super::given::{elsewhere, names, note, put, query, search, within};
use crate::{Document, Query};

/// Any of them; none named means all.
pub fn kinds_are_filtered(harness: &mut impl Harness) {
    let index = harness.open();
    let of = |name: &str, kind: &str| Document {
        kind: kind.to_owned(),
        ..note(name, "Shopping", "milk")
    };
    put(&*index, vec![of("a", "note"), of("b", "task"), of("c", "it's \"odd\"")]);
    for (kinds, expected) in [
        (vec![], vec!["a", "b", "c"]),
        (vec!["task"], vec!["b"]),
        (vec!["task", "it's \"odd\"", "task"], vec!["b", "c"]),
        (vec!["plan"], vec![]),
    ] {
        let kinds = kinds.into_iter().map(str::to_owned).collect();
        let found = search(&*index, &Query { kinds, ..query("milk") });
        assert_eq!(names(&found), expected);
        assert_eq!(found.total, expected.len());
    }
}

/// Neither by a word, a phrase, a beginning nor with other filters.
pub fn another_category_is_neither_found_nor_counted(harness: &mut impl Harness) {
    let index = harness.open();
    let mut documents = vec![note("home", "Shopping", "oat milk")];
    documents.push(elsewhere("work", note("work", "Oat milk", "oat milk, oat milk")));
    documents.push(elsewhere("club", note("club", "Shopping", "oat milk")));
    put(&*index, documents);
    for typed in ["milk", "\"oat milk\"", "mi", "oat m* -soy"] {
        for (categories, expected) in [
            (&["home"][..], &["home"][..]),
            (&["work"], &["work"]),
            (&["club", "home"], &["club", "home"]),
            (&["nowhere"], &[]),
        ] {
            let asked = Query { kinds: vec!["note".to_owned()], ..within(categories, typed) };
            let found = search(&*index, &Query { limit: 1, ..asked.clone() });
            assert_eq!((found.total, found.more), (expected.len(), expected.len() > 1));
            assert_eq!(names(&search(&*index, &asked)), expected, "{typed:?} in {categories:?}");
        }
    }
    assert_eq!(search(&*index, &query("milk")).total, 3);
}

/// It belongs to nobody in particular.
pub fn without_a_category_a_document_is_found_only_by_who_finds_all(harness: &mut impl Harness) {
    let index = harness.open();
    let document = Document { category: None, ..note("a", "Shopping", "milk") };
    put(&*index, vec![document]);
    assert_eq!(search(&*index, &query("milk")).total, 1);
    assert_eq!(search(&*index, &within(&["home", "work"], "milk")).total, 0);
}

/// Being admitted nowhere is not being admitted everywhere.
pub fn no_category_at_all_finds_nothing(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, vec![note("a", "Shopping", "milk")]);
    let nowhere = Query { categories: Some(BTreeSet::new()), ..query("milk") };
    assert_eq!(search(&*index, &nowhere), crate::Found::default());
}

/// Somebody who may look into one category sees the same, whatever lies in the others.
pub fn what_others_hold_changes_no_hit_and_no_count(harness: &mut impl Harness) {
    let index = harness.open();
    let mut documents = vec![note("a", "Milk", "bread"), note("b", "Shopping", "milk")];
    documents.extend((0..5).map(|n| note(&format!("x{n}"), "Other", "cheese")));
    put(&*index, documents);
    let alone = search(&*index, &within(&["home"], "milk"));
    assert_eq!(names(&alone), ["a", "b"]);
    let crowd = |n| elsewhere("work", note(&format!("w{n}"), "Milk", "milk and milk"));
    put(&*index, (0..50).map(crowd).collect());
    let beside = search(&*index, &within(&["home"], "milk"));
    assert_eq!((names(&beside), beside.total, beside.more), (names(&alone), 2, false));
    let excerpts = |found: &crate::Found| -> Vec<String> {
        found.hits.iter().map(|hit| hit.excerpt.clone()).collect()
    };
    assert_eq!(excerpts(&beside), excerpts(&alone));
}

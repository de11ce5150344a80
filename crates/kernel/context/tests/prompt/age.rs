//! An agent that has lived for years is asked with as few words as a young one.

use context::{Bounds, Prompt, Who};
use types::{Author, BlockKind, EntryKind};

use crate::given::Given;
use crate::parts::body;

/// An agent that has done everything so many times.
fn aged(times: usize) -> Prompt {
    let mut given = Given::fresh().checklist("checklist_c", "All");
    given.first = false;
    given.report = Some("It stands.".to_owned());
    for n in 0..times {
        let minute = i64::try_from(n).unwrap();
        given.item("checklist_c", n, &format!("Board number {n:06}"), n % 3 == 0);
        given.entry(n, EntryKind::Text, &format!("Painted board {n:06}, twice."));
        given.note(minute, &format!("Board {n:06} took two coats."));
        given.said(Who::Operator, minute, &format!("And board {n:06}?"));
        given.change(Author::Operator, &format!("item_{n:06}"), "CHECKLIST_ITEM", &["checked"]);
    }
    given.prompt()
}

#[test]
fn ten_thousand_of_everything_take_no_more_words_than_a_hundred() {
    let (young, old) = (aged(100), aged(10_000));
    assert!(old.tokens * 10 <= young.tokens * 11, "{} against {}", old.tokens, young.tokens);
    assert!(old.tokens <= Bounds::default().tokens);
}

#[test]
fn what_there_was_no_room_for_is_counted_where_it_is_missing() {
    let old = aged(10_000);
    let left_out = |kind: BlockKind| {
        let body = body(&old, kind);
        body.as_array().unwrap().last().unwrap()["left_out"].as_u64().unwrap()
    };
    let kept = |kind: BlockKind| body(&old, kind).as_array().unwrap().len() as u64 - 1;
    for kind in [BlockKind::Observations, BlockKind::History, BlockKind::Delta] {
        assert_eq!(left_out(kind) + kept(kind), 10_000, "{kind:?}");
    }
    let task = body(&old, BlockKind::Task);
    let entries = task["entries"].as_array().unwrap().len() as u64;
    assert_eq!(task["left_out"]["entries"].as_u64().unwrap() + entries, 10_000);
    let newest = body(&old, BlockKind::Observations);
    let at = usize::try_from(kept(BlockKind::Observations)).unwrap() - 1;
    assert_eq!(newest[at]["text"], "Board 009999 took two coats.");
}

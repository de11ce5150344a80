//! What was done, in the order in which it was, and what is needed to put it back.

use types::{
    Commit, Digest, Domain, LinkDraft, OperationDraft, OperationId, Position, PreImage, Relation,
    RunKey, Token, Write,
};

use super::Harness;
use super::given::{apply, id, journal, put_task, read};

fn named(first: u8) -> OperationId {
    let mut bytes = [0; 32];
    bytes[0] = first;
    OperationId(Digest::from_bytes(bytes))
}

/// An operation that writes a task.
fn does(first: u8, name: &str, run_key: Option<RunKey>) -> Commit {
    Commit {
        operation: Some(OperationDraft {
            id: named(first),
            verb: "create_task",
            subject: id(&format!("task_{name}")),
            run_key,
            result: serde_json::json!({}),
        }),
        ..journal(vec![put_task(name)])
    }
}

fn ids(found: Vec<types::Operation>) -> Vec<OperationId> {
    found.into_iter().map(|operation| operation.id).collect()
}

/// History reads backwards, page by page.
pub fn operations_are_read_in_the_order_in_which_they_were_done(harness: &mut dyn Harness) {
    let store = harness.open();
    for (first, name) in [(9, "a"), (3, "b"), (7, "c")] {
        apply(&*store, does(first, name, None));
    }
    apply(&*store, journal(vec![put_task("no_operation")]));
    let newest = read(store.operations(Domain::Journal, None, 2));
    assert_eq!(ids(newest.clone()), [named(7), named(3)]);
    let before = newest.last().expect("two").position;
    assert_eq!(ids(read(store.operations(Domain::Journal, before, 5))), [named(9)]);
}

/// Undo is told an operation, the beginning of one, or a run.
pub fn an_operation_is_found_by_its_change_its_run_and_its_first_digits(harness: &mut dyn Harness) {
    let store = harness.open();
    let run = RunKey(Digest::ZERO);
    apply(&*store, does(0xab, "a", Some(run)));
    apply(&*store, does(0xac, "b", None));
    apply(&*store, does(0x01, "c", Some(run)));
    assert_eq!(ids(read(store.operations_of_run(Domain::Journal, run))), [named(1), named(0xab)]);
    let at = vec![Position(2), Position(99)];
    assert_eq!(ids(read(store.operations_at(Domain::Journal, at))), [named(0xac)]);
    let starting =
        |digits: &str| ids(read(store.operations_starting(Domain::Journal, digits.to_owned(), 5)));
    assert_eq!(starting("a"), [named(0xab), named(0xac)]);
    assert_eq!(starting("ab0"), [named(0xab)]);
    assert!(starting("zz").is_empty() && starting("ab1").is_empty());
}

/// A record's own history, page by page.
pub fn the_newest_changes_about_a_record_come_first(harness: &mut dyn Harness) {
    let store = harness.open();
    for name in ["a", "b", "a", "a"] {
        apply(&*store, journal(vec![put_task(name)]));
    }
    let about = |before, limit| {
        let token = Token::entity(&id("task_a"));
        let found = read(store.newest_changes(Domain::Journal, token, before, limit));
        found.into_iter().map(|change| change.position.0).collect::<Vec<_>>()
    };
    assert_eq!(about(None, 2), [4, 3]);
    assert_eq!(about(Some(Position(3)), 5), [1]);
}

/// A link that was not there and one that was are both put back.
pub fn an_operation_keeps_the_links_it_replaced(harness: &mut dyn Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("a"), put_task("b")]));
    let link = |deleted| {
        Write::Link(LinkDraft {
            id: id("link_1"),
            from: id("task_a"),
            to: id("task_b"),
            relation: Relation::Blocks,
            hidden: false,
            body: serde_json::Map::new(),
            deleted,
        })
    };
    let mut before = Vec::new();
    for (first, deleted) in [(1, false), (2, true)] {
        let commit = Commit { writes: vec![link(deleted)], ..does(first, "a", None) };
        apply(&*store, commit);
        let done = read(store.operation(Domain::Journal, named(first))).expect("it was done");
        let at = done.pre_image.expect("a link was touched");
        let content = read(store.content(Domain::Journal, at)).expect("it is kept");
        let image: PreImage = serde_json::from_slice(&content.bytes).expect("an image");
        assert!(image.records.is_empty());
        before.push(image.links[0].was.as_ref().map(|link| link.deleted_at.is_none()));
    }
    assert_eq!(before, [None, Some(true)]);
}

//! Operations are done once.

use serde_json::json;
use types::{Commit, Domain, Guard, Outcome, Position, PreImage, Relation};

use super::Harness;
use super::given::{apply, conflict, id, journal, operation, put_link, put_task, read};
use crate::{Store, wait};

fn again(store: &dyn Store, commit: Commit) -> serde_json::Value {
    match wait(store.commit(commit)).expect("the store takes the commit") {
        Outcome::Idempotent(recorded) => recorded.result,
        other => panic!("expected the first answer, got {other:?}"),
    }
}

/// However often and whenever it comes again.
pub fn an_operation_is_done_once_and_answers_the_same(harness: &mut impl Harness) {
    let draft = operation(1, "task_a", json!({"id": "task_a", "n": 1}));
    let commit = Commit { operation: Some(draft.clone()), ..journal(vec![put_task("a")]) };
    let store = harness.open();
    apply(&*store, commit.clone());
    let head = read(store.head(Domain::Journal));
    // The repetition may answer differently if it is asked to; the first answer stands.
    let other = operation(1, "task_a", json!({"id": "task_b"}));
    let other = Commit { operation: Some(other), ..journal(vec![put_task("b")]) };
    assert_eq!(again(&*store, commit.clone()), draft.result);
    assert_eq!(again(&*store, other), draft.result);
    drop(store);
    let store = harness.open();
    assert_eq!(again(&*store, commit), draft.result);
    assert_eq!(read(store.head(Domain::Journal)), head);
    assert!(read(store.record(Domain::Journal, id("task_b"))).is_none());
}

/// What is needed to undo it lies beside it.
pub fn an_operation_keeps_the_records_it_replaced(harness: &mut impl Harness) {
    let store = harness.open();
    let create = operation(1, "task_a", json!(null));
    apply(&*store, Commit { operation: Some(create.clone()), ..journal(vec![put_task("a")]) });
    let first = read(store.record(Domain::Journal, id("task_a"))).expect("there");
    let change = operation(2, "task_a", json!(null));
    apply(&*store, Commit { operation: Some(change.clone()), ..journal(vec![put_task("a")]) });
    let created = read(store.operation(Domain::Journal, create.id)).expect("kept");
    assert_eq!(created.pre_image, None, "there was nothing before");
    let changed = read(store.operation(Domain::Journal, change.id)).expect("kept");
    let image = changed.pre_image.expect("there was something before");
    let content = read(store.content(Domain::Journal, image)).expect("kept");
    let image: PreImage = serde_json::from_slice(&content.bytes).expect("records");
    assert_eq!(image, PreImage { records: vec![first], links: vec![] });
    assert!(changed.position > created.position);
}

/// The answer to a repetition does not depend on how the world has moved since.
pub fn an_operation_done_before_is_not_stopped_by_guards(harness: &mut impl Harness) {
    let store = harness.open();
    let draft = operation(1, "task_a", json!(7));
    let guards = vec![Guard::Revision { record: id("task_a"), expected: 0 }];
    let commit = Commit { operation: Some(draft), guards, ..journal(vec![put_task("a")]) };
    apply(&*store, commit.clone());
    assert_eq!(again(&*store, commit), json!(7));
}

/// A conflict is no answer: the operation can still be done.
pub fn a_conflict_leaves_the_operation_to_be_done(harness: &mut impl Harness) {
    let store = harness.open();
    let draft = operation(1, "task_a", json!(7));
    let stale = Commit {
        operation: Some(draft.clone()),
        guards: vec![Guard::Revision { record: id("task_a"), expected: 4 }],
        ..journal(vec![put_task("a")])
    };
    conflict(&*store, stale.clone());
    assert!(read(store.operation(Domain::Journal, draft.id)).is_none());
    apply(&*store, Commit { guards: vec![], ..stale });
}

/// As it would be read again; nobody has to. With a link there is more to tell than what was written.
pub fn an_operation_says_what_it_wrote(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("b")]));
    let done = |number, writes| {
        let operation = Some(operation(number, "task_a", json!(1)));
        apply(&*store, Commit { operation, ..journal(writes) })
    };
    let applied = done(1, vec![put_task("b"), put_task("a"), put_task("b")]);
    let wrote = applied.wrote.expect("it wrote nothing but records");
    let ids: Vec<&str> = wrote.records.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, ["task_a", "task_b"]);
    for one in wrote.records {
        let record = read(store.record(Domain::Journal, one.id)).expect("it was written");
        assert_eq!(one.clock, record.clock);
    }
    let (position, _, _) = applied.change.expect("it is synced");
    let change = read(store.changes(Domain::Journal, Position(position.0 - 1), 1)).remove(0);
    assert_eq!(wrote.tokens, change.tokens.into_iter().collect::<Vec<_>>());
    let link = put_link("link_a", "task_a", "task_b", Relation::Blocks);
    assert_eq!(done(2, vec![put_task("a"), link]).wrote, None);
    assert_eq!(apply(&*store, journal(vec![put_task("a")])).wrote, None);
}

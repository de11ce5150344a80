//! Commits that need not be on the disk before they are answered. What a power cut may take back is for
//! the tests that can cut the power.

use types::{Domain, Guard};

use super::Harness;
use super::given::{apply, conflict, id, journal, put_task, read};

/// Whoever comes next finds it, and is judged by it.
pub fn a_soon_commit_is_read_and_guarded_against_at_once(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("a")]).soon());
    let found = read(store.record(Domain::Journal, id("task_a"))).expect("it is there");
    assert_eq!(found.revision, 1);
    let new = Guard::Revision { record: id("task_a"), expected: 0 };
    conflict(&*store, journal(vec![put_task("a")]).guarded(new));
    assert_eq!(read(store.head(Domain::Journal)).0, 1);
}

/// Closing a store loses nothing, whatever was promised.
pub fn a_soon_commit_is_there_after_reopening(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("a")]));
    apply(&*store, journal(vec![put_task("b")]).soon());
    drop(store);
    let store = harness.open();
    for task in ["task_a", "task_b"] {
        assert!(read(store.record(Domain::Journal, id(task))).is_some(), "{task}");
    }
}

/// Soon or now, they are one stream without gaps.
pub fn soon_commits_keep_their_place_in_the_log(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("a")]).soon());
    apply(&*store, journal(vec![put_task("b")]));
    apply(&*store, journal(vec![put_task("c")]).soon());
    let changes = read(store.changes(Domain::Journal, types::Position(0), 10));
    let counters: Vec<u64> = changes.iter().map(|change| change.counter.0).collect();
    assert_eq!(counters, [1, 2, 3]);
}

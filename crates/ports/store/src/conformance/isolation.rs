//! Commits that are written together do not touch each other.

use std::collections::BTreeSet;
use std::thread;

use types::{Commit, Domain, Guard, Outcome, Position};

use super::Harness;
use super::atomicity::message_without_content;
use super::given::{agent, id, journal, put_agent, put_task, read};
use crate::{Listing, wait};

/// Half of them fail while they are being written, after their first writes.
pub fn one_that_fails_leaves_its_neighbours_untouched(harness: &mut impl Harness) {
    let store = harness.open();
    let commit = |n: usize| {
        let mut writes = put_agent(&format!("n{n}"));
        if n % 2 == 1 {
            writes.push(message_without_content());
        }
        agent(writes)
    };
    // All are on their way before the first is awaited, so that they meet in groups.
    let answers: Vec<_> = (0..40).map(|n| store.commit(commit(n))).collect();
    for (n, answer) in answers.into_iter().enumerate() {
        let applied = matches!(wait(answer), Ok(Outcome::Applied(_)));
        assert_eq!(applied, n % 2 == 0, "commit {n}");
        let agent = read(store.record(Domain::Agent, id(&format!("agent_n{n}"))));
        assert_eq!(agent.is_some(), n % 2 == 0, "agent {n}");
    }
    assert_eq!(read(store.head(Domain::Agent)), Position(20));
    let events = read(store.audit(Domain::Agent, 0, 10));
    assert!(events.is_empty());
}

/// A guard sees what the neighbour before it in the group has done.
pub fn of_two_with_the_same_revision_one_is_applied(harness: &mut impl Harness) {
    let store = harness.open();
    let guards = vec![Guard::Revision { record: id("task_a"), expected: 0 }];
    let commit = Commit { guards, ..journal(vec![put_task("a")]) };
    let answers: Vec<_> = (0..10).map(|_| store.commit(commit.clone())).collect();
    let outcomes: Vec<_> = answers.into_iter().map(|answer| wait(answer).expect("taken")).collect();
    let applied = outcomes.iter().filter(|o| matches!(o, Outcome::Applied(_))).count();
    let conflicts = outcomes.iter().filter(|o| matches!(o, Outcome::Conflict(_))).count();
    assert_eq!((applied, conflicts), (1, 9));
}

/// Many threads, one stream without gaps.
pub fn writers_at_once_all_get_through(harness: &mut impl Harness) {
    const WRITERS: usize = 8;
    const EACH: usize = 25;
    let store = harness.open();
    let counters: Vec<u64> = thread::scope(|scope| {
        let store = &*store;
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                scope.spawn(move || -> Vec<u64> {
                    let one = |n: usize| {
                        let commit = journal(vec![put_task(&format!("w{writer}n{n}"))]);
                        super::given::apply(store, commit).change.expect("synced").1.0
                    };
                    (0..EACH).map(one).collect()
                })
            })
            .collect();
        writers.into_iter().flat_map(|writer| writer.join().expect("no panic")).collect()
    });
    let total = (WRITERS * EACH) as u64;
    assert_eq!(counters.into_iter().collect::<BTreeSet<_>>(), (1..=total).collect());
    assert_eq!(read(store.head(Domain::Journal)), Position(total));
}

/// Losing interest does not take a commit back.
pub fn an_answer_that_nobody_awaits_is_written_all_the_same(harness: &mut impl Harness) {
    let store = harness.open();
    drop(store.commit(journal(vec![put_task("a")])));
    drop(store);
    let store = harness.open();
    let listing = Listing::of("category_home", types::BodyType::Task, 10);
    assert_eq!(read(store.records(Domain::Journal, listing)).len(), 1);
}

//! The change log, and what hangs on it.

use types::{
    At, Author, Counter, CursorMove, CursorName, Domain, EventDraft, EventKind, Position,
    RecordDraft, TaskStatus, Token, Write, limits,
};

use super::Harness;
use super::given::{
    agent, agent_id, apply, audited, id, journal, put_agent, put_link, put_task, read, task,
};

/// Everything in a commit shares one counter, and the log has one row for it.
pub fn a_commit_is_one_change_with_one_counter(harness: &mut impl Harness) {
    let store = harness.open();
    let commit = journal(vec![put_task("a"), put_task("b")]);
    let (position, counter, key) = apply(&*store, commit).change.expect("synced");
    assert_eq!((position, counter), (Position(1), Counter(1)));
    let changes = read(store.changes(Domain::Journal, Position(0), 10));
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].logical_change_key, key);
    assert_eq!(changes[0].author, Author::Operator);
    assert_eq!(&changes[0].host, store.host());
    for name in ["task_a", "task_b"] {
        let record = read(store.record(Domain::Journal, id(name))).expect("written");
        assert_eq!(record.clock.get(store.host()), counter);
    }
}

/// A stream has no gaps, whatever restarts lie in between.
pub fn counters_are_contiguous_across_reopening(harness: &mut impl Harness) {
    for round in 0..3_u64 {
        let store = harness.open();
        let name = format!("t{round}");
        let (_, counter, _) =
            apply(&*store, journal(vec![put_task(&name)])).change.expect("synced");
        assert_eq!(counter, Counter(round + 1));
    }
}

/// Cursors, events and runs concern this host only.
pub fn local_rows_make_no_change(harness: &mut impl Harness) {
    let store = harness.open();
    let event = EventDraft { agent: agent_id("a"), kind: EventKind::AgentCreated, body: 1.into() };
    let applied = apply(&*store, agent(vec![Write::Event(event)]));
    assert_eq!(applied.change, None);
    assert_eq!(read(store.head(Domain::Agent)), Position(0));
    let (_, counter, _) = apply(&*store, agent(put_agent("a"))).change.expect("synced");
    assert_eq!(counter, Counter(1), "a local commit took a counter");
}

/// The index by token finds what carries it, in order, within the range asked for.
pub fn a_change_is_found_by_any_of_its_tokens(harness: &mut impl Harness) {
    let store = harness.open();
    for name in ["a", "b", "c"] {
        apply(&*store, journal(vec![put_task(name)]));
    }
    let about = |tokens: Vec<Token>, after: u64, up_to: u64| -> Vec<u64> {
        let (after, up_to) = (Position(after), Position(up_to));
        let found = read(store.changes_about(Domain::Journal, tokens, after, up_to, 10));
        found.iter().map(|change| change.position.0).collect()
    };
    let kind = Token::semantic("TASK").expect("a good token");
    let one = Token::entity(&id("task_b"));
    assert_eq!(about(vec![kind.clone()], 0, 3), [1, 2, 3]);
    assert_eq!(about(vec![kind.clone()], 1, 2), [2]);
    assert_eq!(about(vec![one.clone()], 0, 3), [2]);
    assert_eq!(about(vec![one, kind], 0, 3), [1, 2, 3], "a change found twice is one change");
    assert!(about(vec![Token::semantic("DREAM").expect("a good token")], 0, 3).is_empty());
}

/// What matches, and up to where that was looked for; a page that is full ends where it ends.
pub fn a_delta_holds_what_matches_and_how_far_it_looked(harness: &mut impl Harness) {
    let store = harness.open();
    let work = task("c", "category_work", TaskStatus::Open);
    apply(&*store, journal(vec![put_task("a")]));
    apply(&*store, journal(vec![put_task("b")]));
    let record: types::RecordId = id("task_c");
    apply(&*store, journal(vec![Write::Record(RecordDraft::live(record, work))]));
    apply(&*store, journal(vec![put_task("d")]));
    let delta = |token: &Token, after: u64, limit: usize| -> (u64, Vec<u64>) {
        let tokens = vec![token.clone()];
        let found = read(store.delta(Domain::Journal, tokens, Position(after), limit));
        (found.head.0, found.changes.iter().map(|change| change.position.0).collect())
    };
    let kind = Token::semantic("TASK").expect("a good token");
    let home = Token::subtype("TASK", "category=category_home").expect("a good token");
    let dream = Token::semantic("DREAM").expect("a good token");
    assert_eq!(delta(&kind, 0, 10), (4, vec![1, 2, 3, 4]));
    assert_eq!(delta(&home, 0, 10), (4, vec![1, 2, 4]));
    assert_eq!(delta(&dream, 0, 10), (4, vec![]), "what does not match was looked at too");
    assert_eq!(delta(&home, 4, 10), (4, vec![]));
    assert_eq!(delta(&home, 0, 2), (2, vec![1, 2]));
    assert_eq!(delta(&home, 2, 2), (4, vec![4]));
    assert_eq!(delta(&kind, 3, 1), (4, vec![4]));
}

/// However much is asked for: what did not fit is not taken for seen.
pub fn a_delta_is_a_page(harness: &mut impl Harness) {
    let store = harness.open();
    let many = limits::ROWS_PER_READ_MAX + 5;
    let answers: Vec<_> =
        (0..many).map(|n| store.commit(journal(vec![put_task(&format!("n{n}"))]))).collect();
    for answer in answers {
        crate::wait(answer).expect("the store takes the commit");
    }
    let mut at = Position(0);
    let mut seen = 0;
    for _ in 0..2 {
        let kind = Token::semantic("TASK").expect("a good token");
        let delta = read(store.delta(Domain::Journal, vec![kind], at, usize::MAX));
        seen += delta.changes.len();
        at = delta.head;
    }
    assert_eq!((seen, at), (many, Position(many as u64)));
}

/// What is let go is gone wherever it was, the rest is as it was, and the log goes on.
pub fn a_trimmed_log_begins_later_and_goes_on_where_it_was(harness: &mut impl Harness) {
    let store = harness.open();
    let (kind, first) = (Token::semantic("TASK").expect("a good token"), id("task_a"));
    for name in ["a", "b", "c", "d", "e"] {
        apply(&*store, journal(vec![put_task(name)]));
    }
    let applied = apply(&*store, journal(vec![Write::Trim { up_to: Position(3) }]));
    assert_eq!((applied.change, *store.watch(Domain::Journal).borrow()), (None, Position(5)));
    drop(store);
    let store = harness.open();
    let all = |after: u64| -> Vec<u64> {
        let found = read(store.changes(Domain::Journal, Position(after), 10));
        found.iter().map(|change| change.position.0).collect()
    };
    assert_eq!((all(0), all(4)), (vec![4, 5], vec![5]));
    let delta = |after| {
        let found = store.delta(Domain::Journal, vec![kind.clone()], Position(after), 10);
        let found = read(found);
        (found.changes.len(), found.trimmed)
    };
    assert_eq!([delta(2), delta(3), delta(4)], [(2, true), (2, false), (1, false)]);
    assert_eq!(delta(5), (0, false), "who has seen everything has missed nothing");
    let about = Token::entity(&first);
    assert!(read(store.newest_changes(Domain::Journal, about, None, 10)).is_empty());
    assert!(read(store.record(Domain::Journal, first)).is_some(), "the record itself stays");
    assert_eq!(read(store.outbox(Domain::Journal, Position(0), 10)), [Position(4), Position(5)]);
    let sequence = read(store.sequence(Domain::Journal, store.host().clone(), Counter(0), 10));
    assert_eq!(sequence.first().map(|entry| entry.counter), Some(Counter(4)));
    // Twice, and more than there is.
    apply(&*store, journal(vec![Write::Trim { up_to: Position(3) }]));
    apply(&*store, journal(vec![Write::Trim { up_to: Position(99) }]));
    assert_eq!(all(0), [5], "the log has an end to go on from");
    drop(store);
    let store = harness.open();
    let applied = apply(&*store, journal(vec![put_task("f")]));
    let (position, counter, _) = applied.change.expect("synced");
    assert_eq!((position, counter), (Position(6), Counter(6)));
}

/// A task that leaves a category is a change in both.
pub fn a_moved_record_is_found_under_what_it_was_and_is(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("a")]));
    let moved = task("a", "category_work", TaskStatus::Open);
    let record: types::RecordId = id("task_a");
    apply(&*store, journal(vec![Write::Record(RecordDraft::live(record, moved))]));
    for (category, expected) in [("category_home", 2), ("category_work", 1)] {
        let token = Token::subtype("TASK", &format!("category={category}")).expect("a good token");
        let found = store.changes_about(Domain::Journal, vec![token], Position(0), Position(9), 10);
        assert_eq!(read(found).len(), expected, "{category}");
    }
}

/// What others have to know is on its way to them in the same commit.
pub fn every_synced_record_is_in_outbox_and_sequence_log(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(put_agent("a")));
    let outbox = read(store.outbox(Domain::Agent, Position(0), 10));
    assert_eq!(outbox, [Position(1)]);
    let host = store.host().clone();
    let sequence = read(store.sequence(Domain::Agent, host, Counter(0), 10));
    let kinds: Vec<&str> = sequence.iter().map(|entry| entry.payload_type.as_str()).collect();
    assert_eq!(kinds, ["agent", "agentLink", "agentState"]);
    assert!(sequence.iter().all(|entry| entry.counter == Counter(1)));
    let link = put_link("link_again", "agent_a", "state_a", types::Relation::AgentState);
    apply(&*store, agent(vec![link]));
    let host = store.host().clone();
    assert_eq!(read(store.sequence(Domain::Agent, host, Counter(1), 10)).len(), 1);
}

/// A consumer goes on where it was.
pub fn cursors_are_durable_and_start_at_zero(harness: &mut impl Harness) {
    let store = harness.open();
    let name = CursorName::of_service("case");
    let at =
        |store: &dyn crate::Store| read(store.cursor(Domain::Agent, name.clone(), Domain::Journal));
    assert_eq!(at(&*store), Position(0));
    let tasks = ["a", "b"].map(|name| apply(&*store, journal(vec![put_task(name)])));
    let (to, _, _) = tasks[1].change.expect("synced");
    let cursor = CursorMove { name: name.clone(), log: Domain::Journal, from: Position(0), to };
    apply(&*store, agent(vec![Write::Cursor(cursor)]));
    drop(store);
    let store = harness.open();
    assert_eq!(at(&*store), to);
    let other_log = read(store.cursor(Domain::Agent, name.clone(), Domain::Agent));
    assert_eq!(other_log, Position(0), "a cursor belongs to one log");
}

/// The signal comes after the commit, with the place up to which there is something to read.
pub fn whoever_watches_is_told_after_the_commit(harness: &mut impl Harness) {
    let store = harness.open();
    let mut watch = store.watch(Domain::Journal);
    assert_eq!(*watch.borrow(), Position(0));
    apply(&*store, journal(vec![put_task("a")]));
    assert_eq!(*watch.borrow(), Position(1), "whoever asks hears it before the caller does");
    crate::wait(watch.changed()).expect("the store is open");
    drop(store);
    let store = harness.open();
    assert_eq!(*store.watch(Domain::Journal).borrow(), Position(1), "a scan at start sees it too");
}

/// The chain goes on where it was.
pub fn audit_entries_are_numbered_without_gaps(harness: &mut impl Harness) {
    for round in 1..=3_u64 {
        let store = harness.open();
        let subject = format!("task_t{round}");
        apply(&*store, audited(journal(vec![put_task(&format!("t{round}"))]), &subject));
        let entries = read(store.audit(Domain::Journal, round - 1, 10));
        assert_eq!(entries.len(), 1);
        assert_eq!((entries[0].number, entries[0].subject.as_str()), (round, subject.as_str()));
        assert!(entries[0].at > At::EPOCH && entries[0].hash != types::Digest::ZERO);
    }
}

//! The run log, listeners and events.

use std::slice::from_ref;

use types::{
    Code, Conflict, Digest, EventDraft, EventKind, RunEnd, RunFailure, RunKey, RunState, Token,
    Usage, Write,
};

use super::Harness;
use super::given::{
    self, NOON, agent, agent_id, apply, conflict, end, key, later, put_subscription, read, word,
};
use crate::Store;

fn queue(number: u16, name: &str) -> Write {
    given::queue(word(number, name))
}

/// The same cause wakes once, in one commit or in many.
pub fn a_run_is_queued_once_per_key(harness: &mut impl Harness) {
    let store = harness.open();
    let first = apply(&*store, agent(vec![queue(1, "a"), queue(1, "a"), queue(2, "a")]));
    assert_eq!(first.runs_queued, 2);
    apply(&*store, agent(vec![end(1, RunEnd::SkippedSleeping)]));
    drop(store);
    let store = harness.open();
    assert_eq!(apply(&*store, agent(vec![queue(1, "a")])).runs_queued, 0, "an ended run is known");
    assert_eq!(read(store.queued_runs(10)).len(), 1);
}

/// A second end is a conflict, and so is the end of what never was.
pub fn a_run_ends_once(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(1, "a")]));
    apply(&*store, agent(vec![end(1, RunEnd::SkippedDestroyed)]));
    let again = conflict(&*store, agent(vec![end(1, RunEnd::SkippedSleeping)]));
    assert_eq!(again, Conflict::Run { run_key: key(1) });
    conflict(&*store, agent(vec![end(9, RunEnd::SkippedSleeping)]));
    let run = read(store.run(key(1))).expect("logged");
    assert_eq!(run.state.as_str(), "skipped_destroyed");
}

/// Each end with exactly its data.
pub fn every_end_comes_back_as_it_was(harness: &mut impl Harness) {
    let store = harness.open();
    let failure = RunFailure { code: Code::DiskFull, message: "full".to_owned() };
    let ends = [
        RunEnd::Done,
        RunEnd::NothingToDo(given::receipt()),
        RunEnd::SkippedSleeping,
        RunEnd::SkippedDestroyed,
        RunEnd::Failed(failure),
    ];
    for (number, expected) in (1..).zip(ends) {
        apply(&*store, agent(vec![queue(number, "a")]));
        apply(&*store, later(agent(vec![end(number, expected.clone())]), 5));
        let run = read(store.run(key(number))).expect("logged");
        assert_eq!(run.state, RunState::Ended { at: NOON.plus_millis(5), end: expected });
        assert_eq!(run.usage, Usage { model_calls: 1, tokens_in: 2, tokens_out: 3 });
        assert_eq!(run.draft.reason_id.as_deref(), Some("subscription_a"));
        assert_eq!(run.draft.logical_change_key, Some(Digest::ZERO));
    }
}

/// What each attempt spent is added to what the ones before it did, however the run ends.
pub fn a_run_keeps_what_it_spent_before_it_was_put_back(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(1, "a")]));
    let usage = Usage { model_calls: 3, tokens_in: 40, tokens_out: 5 };
    for failed in [true, false] {
        apply(&*store, agent(vec![given::start(1)]));
        let again = Write::RetryRun { run_key: key(1), not_before: None, failed, usage };
        apply(&*store, agent(vec![again]));
    }
    let so_far = |store: &dyn Store| read(store.run(key(1))).expect("logged").usage;
    assert_eq!(so_far(&*store), Usage { model_calls: 6, tokens_in: 80, tokens_out: 10 });
    apply(&*store, agent(vec![end(1, RunEnd::SkippedDestroyed)]));
    assert_eq!(so_far(&*store), Usage { model_calls: 7, tokens_in: 82, tokens_out: 13 });
}

/// People read backwards, workers forwards.
pub fn runs_list_newest_first_and_queued_oldest_first(harness: &mut impl Harness) {
    let store = harness.open();
    for number in 1..=3_u16 {
        apply(&*store, later(agent(vec![queue(number, "a")]), i64::from(number)));
    }
    apply(&*store, agent(vec![queue(4, "b")]));
    let keys = |runs: Vec<types::Run>| -> Vec<RunKey> {
        runs.into_iter().map(|run| run.draft.run_key).collect()
    };
    assert_eq!(keys(read(store.runs(agent_id("a"), 10))), [key(3), key(2), key(1)]);
    assert_eq!(keys(read(store.runs(agent_id("a"), 1))), [key(3)]);
    assert_eq!(keys(read(store.queued_runs(10))), [key(1), key(2), key(3), key(4)]);
}

fn listeners(store: &dyn Store, token: &Token) -> Vec<String> {
    let found = read(store.subscribers(vec![token.clone()]));
    found.into_iter().flat_map(|(_, all)| all).map(|one| one.agent.to_string()).collect()
}

/// Paused and removed ones hear nothing.
pub fn only_active_living_subscriptions_listen(harness: &mut impl Harness) {
    let store = harness.open();
    let token = Token::semantic("TASK").expect("a good token");
    for name in ["a", "b"] {
        apply(&*store, agent(vec![put_subscription(name, from_ref(&token), true)]));
    }
    assert_eq!(listeners(&*store, &token), ["agent_a", "agent_b"]);
    apply(&*store, agent(vec![put_subscription("a", from_ref(&token), false)]));
    assert_eq!(listeners(&*store, &token), ["agent_b"]);
    let Write::Record(draft) = put_subscription("b", from_ref(&token), true) else {
        unreachable!("put_subscription makes records")
    };
    apply(&*store, agent(vec![Write::Record(types::RecordDraft { deleted: true, ..draft })]));
    assert!(listeners(&*store, &token).is_empty());
}

/// An id again replaces, and never doubles.
pub fn a_changed_subscription_listens_for_its_new_tokens_only(harness: &mut impl Harness) {
    let store = harness.open();
    let [old, kept, new] =
        ["OLD", "KEPT", "NEW"].map(|value| Token::semantic(value).expect("a good token"));
    apply(&*store, agent(vec![put_subscription("a", &[old.clone(), kept.clone()], true)]));
    apply(&*store, agent(vec![put_subscription("a", &[kept.clone(), new.clone()], true)]));
    assert!(listeners(&*store, &old).is_empty());
    assert_eq!(listeners(&*store, &kept), ["agent_a"]);
    assert_eq!(listeners(&*store, &new), ["agent_a"]);
}

/// That a run of an agent ended, with a number to know it by.
fn event(name: &str, n: i32) -> Write {
    let (agent, kind) = (agent_id(name), EventKind::RunEnded);
    Write::Event(EventDraft { agent, kind, body: n.into() })
}

/// The one cursor that replay goes by.
pub fn events_are_numbered_per_agent(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![event("a", 1), event("b", 1), event("a", 2)]));
    drop(store);
    let store = harness.open();
    apply(&*store, agent(vec![event("a", 3)]));
    let numbers = |name: &str, after: Option<u64>, limit: usize| -> Vec<(u64, serde_json::Value)> {
        let events = read(store.events(agent_id(name), after, limit));
        events.into_iter().map(|event| (event.event_seq, event.body)).collect()
    };
    assert_eq!(numbers("a", Some(0), 10), [(1, 1.into()), (2, 2.into()), (3, 3.into())]);
    assert_eq!(numbers("a", Some(0), 2), [(1, 1.into()), (2, 2.into())]);
    assert_eq!(numbers("a", Some(2), 10), [(3, 3.into())]);
    assert_eq!(numbers("a", None, 2), [(2, 2.into()), (3, 3.into())], "the newest");
    assert_eq!(numbers("b", None, 10), [(1, 1.into())]);
    assert_eq!(numbers("c", None, 10), []);
}

/// Whoever watches all agents is told in the order of the commits, and goes on where the last page ended.
pub fn events_of_all_agents_are_read_in_the_order_of_their_commits(harness: &mut impl Harness) {
    let store = harness.open();
    assert_eq!(read(store.happenings(None, 1)), []);
    apply(&*store, agent(vec![event("a", 1), event("b", 2)]));
    apply(&*store, agent(vec![event("a", 3)]));
    let told = |after: Option<u64>, limit: usize| -> (Vec<serde_json::Value>, Option<u64>) {
        let found = read(store.happenings(after, limit));
        let last = found.last().map(|(number, _)| *number);
        (found.into_iter().map(|(_, event)| event.body).collect(), last)
    };
    assert_eq!(told(Some(0), 10).0, [1, 2, 3]);
    let (first, last) = told(Some(0), 2);
    assert_eq!((first, told(last, 2).0), (vec![1.into(), 2.into()], vec![3.into()]));
    let (newest, last) = told(None, 1);
    assert_eq!((newest, told(last, 10).0), (vec![3.into()], vec![]), "that was all");
    apply(&*store, agent(vec![event("b", 4)]));
    assert_eq!(told(last, 10).0, [4]);
}

//! What a run waits for, and whether it may begin.

use types::{
    Commit, Conflict, Domain, Epoch, FenceMove, FenceScope, Gate, Guard, RunDraft, RunEnd, RunKey,
    RunState, Usage, Write,
};

use super::Harness;
use super::given::{
    NOON, agent, agent_id, apply, conflict, end, key, later, letter, logged, look, queue, read,
    ready, start, word,
};
use crate::Store;

fn retry(number: u16, millis: Option<i64>) -> Write {
    let not_before = millis.map(|millis| NOON.plus_millis(millis));
    Write::RetryRun { run_key: key(number), not_before, failed: true, usage: Usage::default() }
}

fn gate(number: u16, gate: Gate) -> Write {
    Write::GateRun { run_key: key(number), gate }
}

fn until(millis: i64) -> Gate {
    Gate::Until(NOON.plus_millis(millis))
}

/// An envelope with a delivery time.
fn posted(number: u16, name: &str, millis: i64) -> Write {
    let not_before = Some(NOON.plus_millis(millis));
    queue(RunDraft { not_before, ..letter(number, name) })
}

fn stands(store: &dyn Store, number: u16) -> RunState {
    logged(store, number).state
}

fn next(store: &dyn Store, name: &str, millis: i64) -> Option<RunKey> {
    let briefing = read(store.briefing(agent_id(name), NOON.plus_millis(millis)));
    briefing.run.map(|run| run.draft.run_key)
}

/// Single flight: the others wait until it has ended or was put back.
pub fn an_agent_has_one_run_begun_at_a_time(harness: &mut impl Harness) {
    let store = harness.open();
    let runs = vec![queue(word(1, "a")), queue(word(2, "a")), queue(word(3, "b"))];
    apply(&*store, agent(runs));
    apply(&*store, agent(vec![start(1)]));
    let busy = Conflict::Busy { agent: agent_id("a") };
    assert_eq!(conflict(&*store, agent(vec![start(2)])), busy);
    apply(&*store, agent(vec![start(3)]));
    let begun: Vec<u64> = read(store.begun_runs(10)).iter().map(|run| run.number).collect();
    assert_eq!(begun, [1, 3]);
    apply(&*store, agent(vec![end(1, RunEnd::Done)]));
    apply(&*store, agent(vec![start(2)]));
    apply(&*store, agent(vec![retry(2, None), queue(word(4, "a"))]));
    apply(&*store, agent(vec![start(4)]));
    assert_eq!(conflict(&*store, agent(vec![start(2)])), busy);
}

/// Single flight within a commit, too.
pub fn two_runs_of_an_agent_do_not_begin_together(harness: &mut impl Harness) {
    let store = harness.open();
    let runs = vec![queue(word(1, "a")), queue(word(2, "a")), queue(word(3, "b"))];
    apply(&*store, agent(runs));
    let found = conflict(&*store, agent(vec![start(1), start(2)]));
    assert_eq!(found, Conflict::Busy { agent: agent_id("a") });
    assert!(read(store.begun_runs(10)).is_empty());
    apply(&*store, agent(vec![start(1), start(3)]));
}

/// Not one that never was, has begun or is over.
pub fn only_a_queued_run_begins(harness: &mut impl Harness) {
    let store = harness.open();
    let not_there = |number| Conflict::Run { run_key: key(number) };
    assert_eq!(conflict(&*store, agent(vec![start(1)])), not_there(1));
    apply(&*store, agent(vec![queue(word(1, "a"))]));
    apply(&*store, later(agent(vec![start(1)]), 5));
    let run = logged(&*store, 1);
    assert_eq!(run.state, RunState::Started { at: NOON.plus_millis(5) });
    assert_eq!(run.started_at, Some(NOON.plus_millis(5)));
    assert!(ready(&*store, NOON).is_empty());
    assert_eq!(conflict(&*store, agent(vec![start(1)])), not_there(1));
    apply(&*store, agent(vec![end(1, RunEnd::Done)]));
    assert_eq!(conflict(&*store, agent(vec![start(1)])), not_there(1));
}

/// With one more attempt, and not before its time.
pub fn a_retried_run_waits_again(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(word(1, "a"))]));
    let not_begun = conflict(&*store, agent(vec![retry(1, None)]));
    assert_eq!(not_begun, Conflict::Run { run_key: key(1) });
    apply(&*store, agent(vec![start(1)]));
    apply(&*store, agent(vec![retry(1, Some(50))]));
    let run = logged(&*store, 1);
    assert_eq!((run.attempt, run.state), (1, RunState::Queued { gate: until(50) }));
    assert!(ready(&*store, NOON.plus_millis(49)).is_empty());
    assert_eq!(ready(&*store, NOON.plus_millis(50)), [1]);
    apply(&*store, later(agent(vec![start(1)]), 50));
    apply(&*store, agent(vec![retry(1, None)]));
    let run = logged(&*store, 1);
    assert_eq!((run.attempt, run.state), (2, RunState::Queued { gate: Gate::Open }));
    assert_eq!(run.started_at, Some(NOON.plus_millis(50)), "when it was last begun");
    assert_eq!(ready(&*store, NOON), [1]);
}

/// Neither the queue nor its agent's briefing offers it before.
pub fn a_gated_run_is_hidden_until_its_time(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(word(1, "a"))]));
    apply(&*store, agent(vec![gate(1, until(10))]));
    assert_eq!(stands(&*store, 1), RunState::Queued { gate: until(10) });
    for (millis, shown) in [(0, false), (9, false), (10, true), (11, true)] {
        assert_eq!(ready(&*store, NOON.plus_millis(millis)).len(), usize::from(shown), "{millis}");
        assert_eq!(next(&*store, "a", millis).is_some(), shown, "{millis}");
    }
    apply(&*store, agent(vec![gate(1, Gate::Held)]));
    assert_eq!(stands(&*store, 1), RunState::Queued { gate: Gate::Held });
    assert!(ready(&*store, NOON.plus_millis(1_000_000)).is_empty());
    assert_eq!(next(&*store, "a", 1_000_000), None);
    apply(&*store, agent(vec![gate(1, Gate::Open)]));
    assert_eq!(stands(&*store, 1), RunState::Queued { gate: Gate::Open });
    assert_eq!((ready(&*store, NOON), next(&*store, "a", 0)), (vec![1], Some(key(1))));
    apply(&*store, agent(vec![start(1)]));
    let begun = conflict(&*store, agent(vec![gate(1, Gate::Held)]));
    assert_eq!(begun, Conflict::Run { run_key: key(1) });
}

/// Held ones and those that waited for a time; an envelope that nobody has tried keeps its own.
pub fn releasing_lets_one_agents_runs_go(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(letter(1, "a"))]));
    apply(&*store, agent(vec![start(1)]));
    apply(&*store, agent(vec![retry(1, Some(70))]));
    apply(&*store, agent(vec![queue(word(2, "a")), queue(word(3, "a")), posted(4, "a", 80)]));
    apply(&*store, agent(vec![queue(word(5, "b")), queue(word(6, "b"))]));
    let gates = [(2, Gate::Held), (3, until(90)), (5, Gate::Held), (6, until(90))];
    apply(&*store, agent(gates.map(|(number, to)| gate(number, to)).to_vec()));
    assert!(ready(&*store, NOON).is_empty());
    apply(&*store, agent(vec![Write::ReleaseRuns { agent: agent_id("a") }]));
    for number in 1..=3 {
        assert_eq!(stands(&*store, number), RunState::Queued { gate: Gate::Open }, "{number}");
    }
    assert_eq!(stands(&*store, 4), RunState::Queued { gate: until(80) }, "an envelope came early");
    assert_eq!(stands(&*store, 5), RunState::Queued { gate: Gate::Held });
    assert_eq!(stands(&*store, 6), RunState::Queued { gate: until(90) });
}

/// When the clock was set back, nobody waits until it has caught up; what is held stays held.
pub fn reopening_lets_every_run_go_that_waits_for_a_time(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(letter(1, "a"))]));
    apply(&*store, agent(vec![start(1)]));
    apply(&*store, agent(vec![retry(1, Some(70))]));
    apply(&*store, agent(vec![queue(word(2, "a")), queue(word(3, "b")), queue(word(4, "c"))]));
    apply(&*store, agent(vec![posted(5, "c", 80)]));
    let gates = [(2, until(90)), (3, until(95)), (4, Gate::Held)];
    apply(&*store, agent(gates.map(|(number, to)| gate(number, to)).to_vec()));
    assert!(ready(&*store, NOON).is_empty());
    apply(&*store, agent(vec![Write::ReopenRuns]));
    for number in 1..=3 {
        assert_eq!(stands(&*store, number), RunState::Queued { gate: Gate::Open }, "{number}");
    }
    assert_eq!(stands(&*store, 4), RunState::Queued { gate: Gate::Held });
    assert_eq!(stands(&*store, 5), RunState::Queued { gate: until(80) }, "an envelope came early");
}

/// Only unread envelopes count, and only its own.
pub fn a_full_mailbox_takes_no_more(harness: &mut impl Harness) {
    let store = harness.open();
    let post = |number: u16, max: usize| -> Commit {
        let guard = Guard::Mailbox { agent: agent_id("a"), max };
        agent(vec![queue(letter(number, "a"))]).guarded(guard)
    };
    apply(&*store, agent(vec![queue(letter(1, "b")), queue(word(2, "a")), queue(word(3, "a"))]));
    apply(&*store, post(4, 1));
    apply(&*store, post(5, 2));
    let full = Conflict::MailboxFull { agent: agent_id("a"), unread: 2, max: 2 };
    assert_eq!(conflict(&*store, post(6, 2)), full);
    assert!(read(store.run(key(6))).is_none());
    apply(&*store, post(6, 3));
    apply(&*store, agent(vec![end(4, RunEnd::Done), end(5, RunEnd::SkippedSleeping)]));
    apply(&*store, post(7, 2));
    assert_eq!(conflict(&*store, post(8, 2)), full);
}

/// Whoever ends what waits does not end what was begun meanwhile.
pub fn what_has_begun_does_not_wait(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(word(1, "a")), queue(word(2, "b"))]));
    let give_up = |number| {
        agent(vec![end(number, RunEnd::SkippedSleeping)])
            .guarded(Guard::Waiting { run_key: key(number) })
    };
    apply(&*store, agent(vec![Write::StartRun { run_key: key(1) }]));
    assert_eq!(conflict(&*store, give_up(1)), Conflict::Run { run_key: key(1) });
    assert!(matches!(stands(&*store, 1), RunState::Started { .. }));
    apply(&*store, give_up(2));
    assert!(matches!(stands(&*store, 2), RunState::Ended { .. }));
}

/// Whoever looked before something was merged does not end what it has not seen.
pub fn what_is_merged_after_a_look_is_not_ended_with_it(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(look(1, "a")), queue(look(2, "a"))]));
    let seen = read(store.briefing(agent_id("a"), NOON)).newest_run;
    let guard = |number| Guard::NothingMergedSince { run_key: key(1), number };
    apply(&*store, agent(vec![queue(word(3, "b")), queue(look(4, "a"))]));
    let late = agent(vec![end(1, RunEnd::Done)]).guarded(guard(seen));
    assert_eq!(conflict(&*store, late), Conflict::Merged { run_key: key(1) });
    assert!(matches!(stands(&*store, 4), RunState::Queued { .. }));
    let seen = read(store.briefing(agent_id("a"), NOON)).newest_run;
    apply(&*store, agent(vec![end(1, RunEnd::Done)]).guarded(guard(seen)));
    assert!(matches!(stands(&*store, 4), RunState::Ended { .. }));
}

/// A failure counts and being stopped does not; both are tries.
pub fn only_failures_count_as_failures(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(word(1, "a"))]));
    for failed in [true, false, true] {
        apply(&*store, agent(vec![start(1)]));
        let (run_key, usage) = (key(1), Usage::default());
        let again = Write::RetryRun { run_key, not_before: None, failed, usage };
        apply(&*store, agent(vec![again]));
    }
    let run = logged(&*store, 1);
    assert_eq!((run.attempt, run.failures), (3, 2));
    assert!(!read(store.any_gated()));
    apply(&*store, agent(vec![gate(1, until(9))]));
    assert!(read(store.any_gated()));
}

/// Raising a fence is no word on whether it is open.
pub fn raising_a_fence_leaves_it_as_open_as_it_stands(harness: &mut impl Harness) {
    let store = harness.open();
    let scope = FenceScope::Agent(agent_id("a"));
    let raise =
        |attempt| Write::RaiseFence { scope: scope.clone(), epoch: Epoch { boot: 9, attempt } };
    for (attempt, closed) in [(1, false), (3, true)] {
        let epoch = Epoch { boot: 9, attempt };
        apply(
            &*store,
            agent(vec![Write::Fence(FenceMove { scope: scope.clone(), epoch, closed })]),
        );
        apply(&*store, agent(vec![raise(attempt + 1)]));
        let fence = read(store.fence(Domain::Agent, scope.clone()));
        assert_eq!((fence.epoch.attempt, fence.closed), (attempt + 1, closed));
    }
    for not_higher in [1, 4] {
        let refused = conflict(&*store, agent(vec![raise(not_higher)]));
        assert!(matches!(refused, Conflict::Fenced { .. }), "{not_higher}: {refused}");
    }
}

//! Looks that are merged, and words that are not.

use types::{Code, Conflict, Gate, Priority, RunDraft, RunEnd, RunFailure, RunKey, Usage};
use types::{WakeReason, Write};

use super::Harness;
use super::given::{
    NOON, agent, agent_id, apply, conflict, end, key, later, letter, logged, look, put_back, queue,
    read, ready, receipt, start, word,
};
use crate::Store;

/// Into which run one was merged.
fn target(store: &dyn Store, number: u16) -> Option<RunKey> {
    logged(store, number).merged_into
}

/// Whatever the reason is: one look serves all of them, and a word is a look too.
pub fn a_look_merges_into_the_oldest_queued_run(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(word(1, "a")), queue(word(2, "a"))]));
    let looks =
        [WakeReason::Subscription, WakeReason::Timer, WakeReason::CatchUp, WakeReason::Tick];
    for (number, reason) in (3..).zip(looks) {
        let draft = RunDraft { reason, ..look(number, "a") };
        assert_eq!(apply(&*store, agent(vec![queue(draft)])).runs_queued, 1, "{reason:?}");
        assert_eq!(target(&*store, number), Some(key(1)), "{reason:?}");
    }
    let keys = |runs: Vec<types::Run>| -> Vec<RunKey> {
        runs.into_iter().map(|run| run.draft.run_key).collect()
    };
    assert_eq!(keys(read(store.queued_runs(10))), [key(1), key(2)]);
    assert_eq!(keys(read(store.open_runs(agent_id("a"), 10))), [key(1), key(2)]);
    assert_eq!(read(store.runs(agent_id("a"), 10)).len(), 6, "the log keeps them all");
    assert_eq!(ready(&*store, NOON), [1], "the first of its agent's");
}

/// A merged run is nobody's target, in one commit or in many.
pub fn many_looks_merge_into_one(harness: &mut impl Harness) {
    let store = harness.open();
    let looks = (1..=3).map(|number| queue(look(number, "a"))).collect();
    assert_eq!(apply(&*store, agent(looks)).runs_queued, 3);
    drop(store);
    let store = harness.open();
    apply(&*store, agent(vec![queue(look(4, "a"))]));
    let targets: Vec<_> = (1..=4).map(|number| target(&*store, number)).collect();
    assert_eq!(targets, [None, Some(key(1)), Some(key(1)), Some(key(1))]);
}

/// The operator's choice of a model is the run's own, however often it is tried.
pub fn a_run_keeps_the_model_that_was_chosen_for_it(harness: &mut impl Harness) {
    let store = harness.open();
    let chosen = RunDraft { model: Some("local/other".parse().expect("a model")), ..word(1, "a") };
    apply(&*store, agent(vec![queue(chosen.clone()), queue(look(2, "a")), queue(word(3, "b"))]));
    drop(store);
    let store = harness.open();
    assert_eq!(logged(&*store, 1).draft, chosen);
    assert_eq!(logged(&*store, 3).draft.model, None);
    assert_eq!(
        target(&*store, 2),
        None,
        "a look is not for a model that was chosen for other words"
    );
    apply(&*store, agent(vec![start(1)]));
    assert_eq!(logged(&*store, 1).draft.model, chosen.model);
}

/// The same cause again is known, although it never had a turn of its own.
pub fn a_merged_run_is_queued_once_per_key(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(look(1, "a")), queue(look(2, "a"))]));
    assert_eq!(apply(&*store, agent(vec![queue(look(2, "a"))])).runs_queued, 0);
    apply(&*store, agent(vec![end(1, RunEnd::Done)]));
    let again = apply(&*store, agent(vec![queue(look(1, "a")), queue(look(2, "a"))]));
    assert_eq!(again.runs_queued, 0);
    assert!(read(store.queued_runs(10)).is_empty());
}

/// What somebody said is heard by itself, for whatever reason and in an envelope always.
pub fn a_word_is_never_merged(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(look(1, "a"))]));
    let words =
        [WakeReason::UserInitiated, WakeReason::Manual, WakeReason::JobResult, WakeReason::Trigger];
    for (number, reason) in (2..).zip(words) {
        apply(&*store, agent(vec![queue(RunDraft { reason, ..word(number, "a") })]));
        assert_eq!(target(&*store, number), None, "{reason:?}");
    }
    let enveloped = RunDraft { reason: WakeReason::Timer, ..letter(6, "a") };
    apply(&*store, agent(vec![queue(enveloped)]));
    assert_eq!(target(&*store, 6), None, "an envelope");
    assert_eq!(read(store.queued_runs(10)).len(), 6);
}

/// One that has begun may have looked already, and so may one that was tried.
pub fn a_look_never_merges_into_what_may_have_looked(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(look(1, "a"))]));
    apply(&*store, agent(vec![start(1)]));
    apply(&*store, agent(vec![queue(look(2, "a"))]));
    assert_eq!(target(&*store, 2), None, "the other one had begun");
    apply(&*store, agent(vec![put_back(1)]));
    apply(&*store, agent(vec![queue(look(3, "a"))]));
    assert_eq!(target(&*store, 3), Some(key(2)), "the oldest one was tried");
    apply(&*store, agent(vec![end(2, RunEnd::Done)]));
    apply(&*store, agent(vec![queue(look(4, "a"))]));
    assert_eq!(target(&*store, 4), None, "the only one was tried");
    apply(&*store, agent(vec![end(1, RunEnd::Done), end(4, RunEnd::Done)]));
    apply(&*store, agent(vec![queue(look(5, "a"))]));
    assert_eq!(target(&*store, 5), None, "all others had ended");
}

/// Nobody's look waits for an envelope's time, nor for another agent.
pub fn a_look_waits_for_no_delivery_time_and_no_other_agent(harness: &mut impl Harness) {
    let store = harness.open();
    let not_before = Some(NOON.plus_millis(1_000));
    apply(&*store, agent(vec![queue(RunDraft { not_before, ..letter(1, "a") })]));
    apply(&*store, agent(vec![queue(look(2, "a")), queue(look(3, "b"))]));
    assert_eq!((target(&*store, 2), target(&*store, 3)), (None, None));
    apply(&*store, agent(vec![queue(letter(4, "c")), queue(look(5, "c"))]));
    assert_eq!(target(&*store, 5), Some(key(4)), "an envelope that may be read now");
    apply(&*store, agent(vec![queue(word(6, "d"))]));
    apply(&*store, agent(vec![Write::GateRun { run_key: key(6), gate: Gate::Held }]));
    apply(&*store, agent(vec![queue(look(7, "d"))]));
    assert_eq!(target(&*store, 7), Some(key(6)), "a pause holds looks as well");
}

/// The same end at the same time with the same receipt; what it cost is counted once.
pub fn merged_runs_end_with_their_target(harness: &mut impl Harness) {
    let store = harness.open();
    let failure = RunFailure { code: Code::DiskFull, message: "full".to_owned() };
    let ends = [
        RunEnd::Done,
        RunEnd::NothingToDo(receipt()),
        RunEnd::SkippedSleeping,
        RunEnd::SkippedDestroyed,
        RunEnd::Failed(failure),
    ];
    for (round, expected) in (0..).zip(ends) {
        let [first, second, third] = [1, 2, 3].map(|number| round * 3 + number);
        apply(&*store, agent(vec![queue(word(first, "a")), queue(look(second, "a"))]));
        apply(&*store, agent(vec![queue(look(third, "a"))]));
        apply(&*store, agent(vec![start(first)]));
        apply(&*store, later(agent(vec![end(first, expected.clone())]), 5));
        let spent = Usage { model_calls: 1, tokens_in: 2, tokens_out: 3 };
        let done = logged(&*store, first);
        assert_eq!(done.usage, spent, "{expected:?}");
        for number in [second, third] {
            let merged = logged(&*store, number);
            assert_eq!(merged.state, done.state, "{expected:?}");
            assert_eq!(merged.usage, Usage::default(), "{expected:?}");
        }
        assert!(read(store.open_runs(agent_id("a"), 10)).is_empty());
    }
}

/// Its target takes them for it.
pub fn a_merged_run_takes_no_steps_of_its_own(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![queue(look(1, "a")), queue(look(2, "a"))]));
    let run_key = key(2);
    let steps = [
        start(2),
        end(2, RunEnd::Done),
        Write::GateRun { run_key, gate: Gate::Held },
        Write::GateRun { run_key, gate: Gate::Open },
        put_back(2),
    ];
    let refused = |step: &Write| {
        let found = conflict(&*store, agent(vec![step.clone()]));
        assert_eq!(found, Conflict::Run { run_key }, "{step:?}");
    };
    steps.iter().for_each(refused);
    apply(&*store, agent(vec![start(1)]));
    steps.iter().for_each(refused);
    apply(&*store, agent(vec![put_back(1)]));
    apply(&*store, agent(vec![end(1, RunEnd::Done)]));
    steps.iter().for_each(refused);
}

/// What was merged lost nothing by it; and it takes nothing from its target.
pub fn merging_raises_urgency_and_insistence(harness: &mut impl Harness) {
    let store = harness.open();
    let slow = RunDraft { priority: Priority::Background, ..look(1, "a") };
    apply(&*store, agent(vec![queue(slow.clone()), queue(word(2, "b"))]));
    assert_eq!(ready(&*store, NOON), [2, 1]);
    let next = |store: &dyn Store| read(store.briefing(agent_id("a"), NOON)).run.expect("queued");
    assert!(!next(&*store).draft.insist);
    let urgent = RunDraft { priority: Priority::Next, insist: true, ..look(3, "a") };
    apply(&*store, agent(vec![queue(urgent)]));
    assert_eq!(ready(&*store, NOON), [1, 2]);
    assert!(next(&*store).draft.insist);
    let first = super::given::ready_runs(&*store, NOON, 1).remove(0);
    assert_eq!(first.priority, Priority::Next, "whoever orders further has to know");
    apply(&*store, agent(vec![queue(RunDraft { run_key: key(4), ..slow })]));
    assert_eq!(target(&*store, 4), Some(key(1)));
    assert_eq!(ready(&*store, NOON), [1, 2], "a merge made a run less urgent");
    assert!(next(&*store).draft.insist, "a merge took insistence away");
}

//! What became of the slots of schedules.

use types::{
    Code, ConcurrencyDecision, Occurrence, OccurrenceState, RunEnd, RunFailure, ScheduleId,
    SkipReason, SlotName, TriggerSource, Write,
};

use super::Harness;
use super::given::{
    NOON, agent, apply, end, id, key, later, logged, look, put_back, queue, read, receipt, start,
    word,
};
use crate::Store;

fn schedule(name: &str) -> ScheduleId {
    id(&format!("schedule_{name}"))
}

/// An occurrence whose run has not ended.
fn of_run(name: &str, slot: &str, run: u16) -> Occurrence {
    let slot = SlotName::named(slot.to_owned());
    Occurrence {
        schedule: schedule(name),
        first_slot: slot.clone(),
        last_slot: slot,
        count: 1,
        due_at: NOON,
        source: TriggerSource::CronTick,
        decision: None,
        run_key: Some(key(run)),
        state: OccurrenceState::InFlight,
        started_at: NOON,
        ended_at: None,
    }
}

fn skip(name: &str, slot: &str, why: SkipReason) -> Write {
    let slot = SlotName::named(slot.to_owned());
    Write::SkipOccurrence { schedule: schedule(name), slot, why }
}

fn slots(occurrences: &[Occurrence]) -> Vec<&str> {
    occurrences.iter().map(|one| one.last_slot.as_str()).collect()
}

/// The one occurrence of a schedule.
fn only(store: &dyn Store, name: &str) -> Occurrence {
    let mut all = read(store.occurrences(schedule(name), 10));
    assert_eq!(all.len(), 1, "{name}");
    all.remove(0)
}

/// In one commit or in many, whatever brings it again; each schedule has slots of its own.
pub fn a_slot_is_recorded_once(harness: &mut impl Harness) {
    let store = harness.open();
    let first = of_run("s", "1", 1);
    let again = Occurrence { source: TriggerSource::Manual, ..of_run("s", "1", 2) };
    apply(&*store, agent(vec![Write::Occur(first.clone()), Write::Occur(again.clone())]));
    drop(store);
    let store = harness.open();
    apply(&*store, agent(vec![Write::Occur(again)]));
    assert_eq!(only(&*store, "s"), first);
    let wider = Occurrence { first_slot: first.first_slot.clone(), ..of_run("s", "3", 3) };
    apply(&*store, agent(vec![Write::Occur(wider), Write::Occur(of_run("t", "1", 4))]));
    assert_eq!(slots(&read(store.occurrences(schedule("s"), 10))), ["3", "1"], "newest first");
    assert_eq!(slots(&read(store.occurrences(schedule("s"), 1))), ["3"]);
    assert_eq!(only(&*store, "t").run_key, Some(key(4)));
}

/// Each state, source and decision with exactly its data.
pub fn every_occurrence_comes_back_as_it_was(harness: &mut impl Harness) {
    let store = harness.open();
    let mut states = vec![
        OccurrenceState::InFlight,
        OccurrenceState::Succeeded,
        OccurrenceState::Failed,
        OccurrenceState::Missed,
    ];
    states.extend(SkipReason::ALL.map(OccurrenceState::Skipped));
    let mut sources = TriggerSource::ALL.into_iter().cycle();
    let mut decisions = [None].into_iter().chain(ConcurrencyDecision::ALL.map(Some)).cycle();
    for (n, state) in (1..).zip(states) {
        let name = format!("n{n}");
        let expected = Occurrence {
            first_slot: SlotName::named("0".to_owned()),
            count: u64::from(n),
            source: sources.next().expect("it goes round"),
            decision: decisions.next().expect("it goes round"),
            run_key: (n % 2 == 0).then_some(key(n)),
            state,
            started_at: NOON.plus_millis(1),
            ended_at: (state != OccurrenceState::InFlight).then_some(NOON.plus_millis(2)),
            ..of_run(&name, "1", n)
        };
        apply(&*store, agent(vec![Write::Occur(expected.clone())]));
        assert_eq!(only(&*store, &name), expected);
        let open = expected.ended_at.is_none();
        assert_eq!(read(store.in_flight(schedule(&name))).len(), usize::from(open));
    }
}

/// As its run ends, so does it.
pub fn an_occurrence_ends_with_its_run(harness: &mut impl Harness) {
    let store = harness.open();
    let failure = RunFailure { code: Code::DiskFull, message: "full".to_owned() };
    let ends = [
        (RunEnd::Done, OccurrenceState::Succeeded),
        (RunEnd::NothingToDo(receipt()), OccurrenceState::Succeeded),
        (RunEnd::Failed(failure), OccurrenceState::Failed),
        (RunEnd::SkippedSleeping, OccurrenceState::Skipped(SkipReason::Sleeping)),
        (RunEnd::SkippedDestroyed, OccurrenceState::Skipped(SkipReason::Destroyed)),
    ];
    apply(&*store, agent(vec![queue(word(100, "b")), Write::Occur(of_run("other", "1", 100))]));
    for (number, (how, expected)) in (1..).zip(ends) {
        let name = format!("n{number}");
        let begun = of_run(&name, "1", number);
        apply(&*store, agent(vec![queue(word(number, "a")), Write::Occur(begun.clone())]));
        assert_eq!(read(store.in_flight(schedule(&name))), std::slice::from_ref(&begun));
        assert_eq!(read(store.occurrences_of(key(number))), [begun]);
        apply(&*store, later(agent(vec![end(number, how)]), 5));
        let ended = only(&*store, &name);
        assert_eq!((ended.state, ended.ended_at), (expected, Some(NOON.plus_millis(5))));
        assert!(read(store.in_flight(schedule(&name))).is_empty());
        assert!(read(store.occurrences_of(key(number))).is_empty());
    }
    assert_eq!(only(&*store, "other").state, OccurrenceState::InFlight);
}

/// A retry ends nothing; the end of the run that serves them ends all.
pub fn an_occurrence_of_a_merged_run_ends_with_the_target(harness: &mut impl Harness) {
    let store = harness.open();
    let queued = (1..=3).map(|number| queue(look(number, "a")));
    let occurred = [("s", 1), ("s", 2), ("t", 3)];
    let occurred = occurred.map(|(name, run)| Write::Occur(of_run(name, &run.to_string(), run)));
    apply(&*store, agent(queued.chain(occurred).collect()));
    assert_eq!(slots(&read(store.occurrences_of(key(1)))), ["1", "2", "3"]);
    apply(&*store, agent(vec![start(1)]));
    apply(&*store, agent(vec![put_back(1)]));
    assert_eq!(slots(&read(store.in_flight(schedule("s")))), ["1", "2"]);
    assert_eq!(slots(&read(store.in_flight(schedule("t")))), ["3"]);
    apply(&*store, agent(vec![start(1)]));
    apply(&*store, later(agent(vec![end(1, RunEnd::Done)]), 5));
    for name in ["s", "t"] {
        assert!(read(store.in_flight(schedule(name))).is_empty(), "{name}");
        for one in read(store.occurrences(schedule(name), 10)) {
            assert_eq!(one.state, OccurrenceState::Succeeded);
            assert_eq!(one.ended_at, Some(NOON.plus_millis(5)));
        }
    }
    assert!(read(store.occurrences_of(key(1))).is_empty());
}

/// It is over at once; its run goes on for others and ends it no second time.
pub fn a_skipped_occurrence_is_over_and_its_run_goes_on(harness: &mut impl Harness) {
    let store = harness.open();
    let occurred = ["1", "2"].map(|slot| Write::Occur(of_run("s", slot, 1)));
    apply(&*store, agent([queue(word(1, "a"))].into_iter().chain(occurred).collect()));
    let replaced = skip("s", "1", SkipReason::ConcurrencyReplace);
    apply(&*store, later(agent(vec![replaced]), 3));
    assert_eq!(slots(&read(store.in_flight(schedule("s")))), ["2"]);
    assert_eq!(slots(&read(store.occurrences_of(key(1)))), ["2"]);
    assert_eq!(logged(&*store, 1).state.as_str(), "queued");
    apply(&*store, later(agent(vec![end(1, RunEnd::Done)]), 5));
    apply(&*store, later(agent(vec![skip("s", "2", SkipReason::ConcurrencyForbid)]), 7));
    let all = read(store.occurrences(schedule("s"), 10));
    let ends: Vec<_> = all.iter().map(|one| (one.state, one.ended_at)).collect();
    let skipped = OccurrenceState::Skipped(SkipReason::ConcurrencyReplace);
    let at = |millis| Some(NOON.plus_millis(millis));
    assert_eq!(ends, [(OccurrenceState::Succeeded, at(5)), (skipped, at(3))]);
}

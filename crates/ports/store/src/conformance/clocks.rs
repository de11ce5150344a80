//! The clocks of schedules, and what time will make due.

use types::{
    ArmMove, Arming, Commit, Conflict, EventDraft, EventKind, Gate, Occurrence, OccurrenceState,
    RunDraft, RunEnd, ScheduleId, SlotName, Wait, WaitFor, WaitState, Write,
};

use super::Harness;
use super::given::{
    NOON, agent, agent_id, apply, conflict, end, id, key, look, queue, read, start, word,
};
use super::waits::{put_wait, wait_for};
use crate::Store;

fn schedule(name: &str) -> ScheduleId {
    id(&format!("schedule_{name}"))
}

fn slot(name: &str) -> SlotName {
    SlotName::named(name.to_owned())
}

/// A clock that has dealt with a slot and comes round after so many milliseconds.
fn clock(name: &str, last: &str, millis: Option<i64>) -> Arming {
    Arming {
        schedule: schedule(name),
        agent: agent_id("a"),
        last_slot: Some(slot(last)),
        next_at: millis.map(|millis| NOON.plus_millis(millis)),
        local_zone: None,
    }
}

fn arm(from: Option<&str>, to: Arming) -> Write {
    Write::Arm(ArmMove { from: from.map(slot), to })
}

fn names(armings: &[Arming]) -> Vec<&str> {
    armings.iter().map(|arming| &arming.schedule.as_str()["schedule_".len()..]).collect()
}

/// Two that fire the same slot cannot both believe to have done it.
pub fn a_clock_moves_only_from_where_it_was_seen(harness: &mut impl Harness) {
    let store = harness.open();
    let armed = Conflict::Armed { schedule: schedule("s") };
    let never = conflict(&*store, agent(vec![arm(Some("1"), clock("s", "2", None))]));
    assert_eq!(never, armed);
    assert_eq!(read(store.arming(schedule("s"))), None);
    let unfired = Arming { last_slot: None, ..clock("s", "", Some(10)) };
    apply(&*store, agent(vec![arm(None, unfired.clone())]));
    assert_eq!(read(store.arming(schedule("s"))), Some(unfired));
    apply(&*store, agent(vec![arm(None, clock("s", "1", Some(20)))]));
    for stale in [None, Some("0"), Some("2")] {
        let late = arm(stale, clock("s", "9", Some(90)));
        let event = EventDraft { agent: agent_id("a"), kind: EventKind::RunEnded, body: 1.into() };
        assert_eq!(conflict(&*store, agent(vec![Write::Event(event), late])), armed);
    }
    assert!(read(store.events(agent_id("a"), None, 10)).is_empty(), "a conflict left something");
    let zoned = Arming { local_zone: Some("Europe/Berlin".to_owned()), ..clock("s", "2", None) };
    apply(&*store, agent(vec![arm(Some("1"), zoned.clone())]));
    drop(store);
    let store = harness.open();
    assert_eq!(read(store.arming(schedule("s"))), Some(zoned));
}

/// Those whose time has come, as many as asked for.
pub fn due_schedules_come_earliest_first(harness: &mut impl Harness) {
    let store = harness.open();
    let clocks = [("late", Some(30)), ("soon", Some(10)), ("mid", Some(20)), ("never", None)];
    let arms = clocks.map(|(name, millis)| arm(None, clock(name, "1", millis)));
    apply(&*store, agent(arms.to_vec()));
    let due =
        |millis: i64, limit: usize| read(store.due_schedules(NOON.plus_millis(millis), limit));
    assert!(due(9, 10).is_empty());
    assert_eq!(names(&due(10, 10)), ["soon"]);
    assert_eq!(names(&due(29, 10)), ["soon", "mid"]);
    assert_eq!(names(&due(1_000, 10)), ["soon", "mid", "late"]);
    assert_eq!(names(&due(1_000, 2)), ["soon", "mid"]);
    apply(&*store, agent(vec![arm(Some("1"), clock("soon", "2", Some(40)))]));
    assert_eq!(names(&due(30, 10)), ["mid", "late"]);
}

/// Of gated runs, clocks and deadlines; what is held or merged waits for no time.
pub fn the_next_due_is_the_nearest_of_all(harness: &mut impl Harness) {
    let store = harness.open();
    let due =
        |store: &dyn Store| read(store.outlook(NOON, 9)).next.map(|at| at.millis() - NOON.millis());
    assert_eq!(due(&*store), None);
    apply(&*store, agent(vec![arm(None, clock("s", "1", None)), queue(word(1, "a"))]));
    assert_eq!(due(&*store), None, "what may begin now waits for no time");
    apply(&*store, agent(vec![arm(Some("1"), clock("s", "2", Some(30)))]));
    assert_eq!(due(&*store), Some(30));
    let gate = |gate| agent(vec![Write::GateRun { run_key: key(1), gate }]);
    apply(&*store, gate(Gate::Until(NOON.plus_millis(20))));
    assert_eq!(due(&*store), Some(20));
    let open = wait_for("a", WaitFor::Operator, 10);
    apply(&*store, agent(vec![put_wait("w", &open)]));
    assert_eq!(due(&*store), Some(10));
    let not_before = Some(NOON.plus_millis(5));
    apply(&*store, agent(vec![queue(RunDraft { not_before, ..look(2, "a") })]));
    assert_eq!(logged_target(&*store), Some(key(1)));
    assert_eq!(due(&*store), Some(10), "a merged run has no time of its own");
    apply(&*store, agent(vec![put_wait("w", &Wait { state: WaitState::Met, ..open })]));
    assert_eq!(due(&*store), Some(20));
    apply(&*store, gate(Gate::Held));
    assert_eq!(due(&*store), Some(30));
    apply(&*store, gate(Gate::Until(NOON.plus_millis(25))));
    assert_eq!(due(&*store), Some(25));
    apply(&*store, agent(vec![start(1)]));
    assert_eq!(due(&*store), Some(30));
    apply(&*store, agent(vec![end(1, RunEnd::Done), arm(Some("2"), clock("s", "3", None))]));
    assert_eq!(due(&*store), None);
}

fn logged_target(store: &dyn Store) -> Option<types::RunKey> {
    super::given::logged(store, 2).merged_into
}

/// After travel, the clocks that go by where the host is; others go by no such thing.
pub fn clocks_armed_in_other_zones_are_found(harness: &mut impl Harness) {
    let store = harness.open();
    let zones = [
        ("berlin", Some("Europe/Berlin")),
        ("tokyo", Some("Asia/Tokyo")),
        ("vienna", Some("Europe/Vienna")),
        ("fixed", None),
    ];
    for (name, zone) in zones {
        let local_zone = zone.map(str::to_owned);
        let to = Arming { local_zone, ..clock(name, "1", Some(10)) };
        apply(&*store, agent(vec![arm(None, to)]));
    }
    let elsewhere = |zone: &str, limit: usize| -> Vec<String> {
        let found = read(store.armed_elsewhere(zone.to_owned(), limit));
        let mut found: Vec<String> = names(&found).into_iter().map(str::to_owned).collect();
        found.sort();
        found
    };
    assert_eq!(elsewhere("Europe/Berlin", 10), ["tokyo", "vienna"]);
    assert_eq!(elsewhere("Africa/Cairo", 10), ["berlin", "tokyo", "vienna"]);
    assert_eq!(elsewhere("Europe/Berlin", 1).len(), 1);
    let to = Arming { local_zone: Some("Asia/Tokyo".to_owned()), ..clock("berlin", "2", None) };
    apply(&*store, agent(vec![arm(Some("1"), to)]));
    assert_eq!(elsewhere("Asia/Tokyo", 10), ["vienna"]);
}

/// All that were set after a time, by whatever clock and however many; what has no time is not among them.
pub fn clocks_that_were_set_later_are_found_page_by_page(harness: &mut impl Harness) {
    let store = harness.open();
    let set = |name: &str, from: Option<&str>, next: Option<i64>, millis: i64| {
        let commit = agent(vec![arm(from, clock(name, "1", next))]);
        apply(&*store, Commit { at: NOON.plus_millis(millis), ..commit });
    };
    let clocks = [("c", 20), ("a", 20), ("b", 21), ("d", 10)];
    for (name, millis) in clocks {
        set(name, None, Some(1), millis);
    }
    set("e", None, None, 20);
    let later = |millis: i64, after: Option<&str>, limit: usize| -> Vec<String> {
        let (than, after) = (NOON.plus_millis(millis), after.map(schedule));
        let found = read(store.armed_later(than, after, limit));
        assert!(found.iter().all(|(at, _)| *at >= than));
        let found: Vec<Arming> = found.into_iter().map(|(_, clock)| clock).collect();
        names(&found).into_iter().map(str::to_owned).collect()
    };
    assert_eq!(later(9, None, 10), ["d", "a", "c", "b"]);
    assert_eq!(later(9, None, 2), ["d", "a"]);
    assert_eq!(later(20, Some("a"), 10), ["c", "b"]);
    assert_eq!(later(10, None, 10), ["a", "c", "b"]);
    assert_eq!(later(20, None, 10), ["b"]);
    assert!(later(21, None, 10).is_empty());
    set("b", Some("1"), Some(9), 5);
    assert!(later(20, None, 10).is_empty(), "it was set anew, by a clock that shows less");
}

/// By name and not by when it was recorded; what somebody asked for is no slot of the clock's.
pub fn the_last_slot_that_a_clock_brought_about_is_found_by_name(harness: &mut impl Harness) {
    use types::TriggerSource::{CronTick, IntervalTick, Manual};
    let store = harness.open();
    let recorded =
        [("s", "9", CronTick), ("s", "2", IntervalTick), ("s", "4", Manual), ("t", "3", CronTick)];
    for (name, last, source) in recorded.into_iter().chain([("s", "manual:1", Manual)]) {
        let one = Occurrence {
            schedule: schedule(name),
            first_slot: slot("1"),
            last_slot: slot(last),
            count: 1,
            due_at: NOON,
            source,
            decision: None,
            run_key: None,
            state: OccurrenceState::Missed,
            started_at: NOON,
            ended_at: Some(NOON),
        };
        apply(&*store, agent(vec![Write::Occur(one)]));
    }
    let last = |name: &str, up_to: &str| read(store.last_ticked(schedule(name), slot(up_to)));
    assert_eq!(last("s", "1"), None);
    assert_eq!(last("s", "2"), Some(slot("2")));
    assert_eq!(last("s", "8"), Some(slot("2")));
    assert_eq!(last("s", "9"), Some(slot("9")));
    assert_eq!(last("t", "8"), Some(slot("3")));
    assert_eq!(last("nobody", "8"), None);
}

/// Whoever has to stop is told when a fence moves, and can see it before whoever moved it is answered.
pub fn whoever_may_be_stopped_is_told_when_a_fence_moves(harness: &mut impl Harness) {
    let store = harness.open();
    let close = |closed| {
        let (scope, epoch) = (types::FenceScope::Agent(agent_id("a")), store.epoch());
        apply(&*store, agent(vec![Write::Fence(types::FenceMove { scope, epoch, closed })]));
    };
    let mut fenced = store.fenced();
    let before = *fenced.borrow();
    apply(&*store, agent(vec![queue(word(1, "a"))]));
    assert_eq!(*fenced.borrow(), before, "a wake is no stop");
    close(true);
    assert_ne!(*fenced.borrow(), before);
    crate::wait(fenced.changed()).expect("the store is open");
}

/// A look is due after whatever may have made something due, and after nothing else.
pub fn whoever_looks_is_stirred_by_runs_clocks_and_waits(harness: &mut impl Harness) {
    let store = harness.open();
    let stirred = store.stirred();
    let moves = |write: Write| -> bool {
        let before = *stirred.borrow();
        apply(&*store, agent(vec![write]));
        *stirred.borrow() != before
    };
    assert!(moves(queue(word(1, "a"))));
    assert!(!moves(queue(word(1, "a"))), "a run that is known stirred somebody");
    assert!(moves(Write::GateRun { run_key: key(1), gate: Gate::Held }));
    assert!(moves(Write::ReleaseRuns { agent: agent_id("a") }));
    assert!(!moves(start(1)), "nothing becomes due by a run's beginning");
    assert!(moves(end(1, RunEnd::Done)));
    assert!(moves(arm(None, clock("s", "1", Some(10)))));
    assert!(moves(put_wait("w", &wait_for("a", WaitFor::Operator, 10))));
    let event = EventDraft { agent: agent_id("a"), kind: EventKind::RunEnded, body: 1.into() };
    assert!(!moves(Write::Event(event)));
    let state = types::AgentState::newborn(agent_id("a"));
    let state = Write::Record(types::RecordDraft::live(id::<types::RecordId>("state_a"), state));
    assert!(!moves(state), "an agent's own workings wake nobody");
}

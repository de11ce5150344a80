//! Failures, crashes in the middle, and the runs they leave.

use dispatch::{Closing, Ending};
use store::{ReadRuns, wait};
use types::{AgentId, At, Code, Gate, RunEnd, RunFailure, RunState, TaskStatus};

use crate::house::House;

fn failure() -> RunFailure {
    RunFailure { code: Code::StoreIo, message: "the other side was away".to_owned() }
}

#[test]
fn a_failed_turn_is_tried_again_later_under_the_same_key_and_a_new_claim() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house.script.endings.lock().unwrap().push_back(Ending::Failed(failure(), Closing::default()));
    house.edit("a", "t", TaskStatus::Done);
    house.drain();
    let run = house.runs(&agent).pop().unwrap();
    assert_eq!(run.attempt, 1);
    assert!(matches!(run.state, RunState::Queued { gate: Gate::Until(_) }), "{:?}", run.state);
    house.drain();
    assert_eq!(house.turns(), 1, "not before its time");
    house.world.advance_ms(60_000);
    house.drain();
    let claims = house.script.claims.lock().unwrap();
    assert_eq!(claims[0].run.draft.run_key, claims[1].run.draft.run_key);
    assert_eq!(claims[0].run.draft.thread, claims[1].run.draft.thread);
    assert!(claims[1].epoch > claims[0].epoch);
    assert_eq!(
        claims[1].journal.changes, claims[0].journal.changes,
        "it sees what it had not done"
    );
    assert_eq!(house.log(&agent), ["subscription completed"]);
}

/// A house in which a run failed and waits for a minute.
fn put_off() -> (House, AgentId, At) {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    let later = house.now().plus_millis(60_000);
    let closing = Closing { not_before: Some(later), ..Closing::default() };
    house.script.endings.lock().unwrap().push_back(Ending::Failed(failure(), closing));
    house.edit("a", "t", TaskStatus::Done);
    house.drain();
    (house, agent, later)
}

#[test]
fn a_run_that_waits_for_a_time_waits_for_it_over_every_start() {
    let (mut house, agent, later) = put_off();
    for _ in 0..4 {
        house = house.restart();
        house.drain();
        assert_eq!(house.turns(), 0, "not before its time");
    }
    let run = house.runs(&agent).pop().unwrap();
    assert_eq!((run.state, run.attempt), (RunState::Queued { gate: Gate::Until(later) }, 1));
    house.world.set(later);
    let house = house.restart();
    house.drain();
    assert_eq!((house.turns(), house.log(&agent)), (1, vec!["subscription completed".to_owned()]));
}

#[test]
fn a_clock_that_was_set_back_while_nobody_was_there_delays_no_run() {
    let (house, agent, _) = put_off();
    house.world.advance_ms(-86_400_000);
    let house = house.restart();
    house.drain();
    assert_eq!((house.turns(), house.log(&agent)), (1, vec!["subscription completed".to_owned()]));
}

#[test]
fn a_turn_that_always_fails_ends_with_one_more_look_and_the_agent_lives_on() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house
        .script
        .endings
        .lock()
        .unwrap()
        .extend(vec![Ending::Failed(failure(), Closing::default()); 99]);
    house.edit("a", "t", TaskStatus::Done);
    for _ in 0..60 {
        house.drain();
        house.world.advance_ms(400_000);
    }
    let failed = ["subscription failed_terminal", "tick failed_terminal"];
    assert_eq!(house.log(&agent), failed);
    // None of them leaves word of how it failed: they are borne as often as interruptions.
    assert_eq!(house.turns(), 40);
    house.script.endings.lock().unwrap().clear();
    house.edit("a", "t", TaskStatus::Open);
    house.drain();
    assert_eq!(house.log(&agent)[2..], ["subscription completed"]);
    let last = house.script.claims.lock().unwrap().pop().unwrap();
    assert_eq!(last.journal.changes.len(), 2, "what failed before is still to be seen");
}

#[test]
fn a_turn_that_cannot_succeed_is_not_tried_again() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house
        .script
        .endings
        .lock()
        .unwrap()
        .push_back(Ending::FailedForGood(failure(), Closing::default()));
    house.edit("a", "t", TaskStatus::Done);
    house.drain();
    let run = house.runs(&agent).remove(1);
    let RunState::Ended { end: RunEnd::Failed(kept), .. } = run.state else { panic!("{run:?}") };
    assert_eq!(kept, failure());
}

#[test]
fn a_run_that_was_begun_when_the_process_died_is_taken_up_again() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house.edit("a", "t", TaskStatus::Done);
    wait(house.waker.match_changes()).unwrap();
    let run = house.runs(&agent).pop().unwrap();
    let begin = types::Write::StartRun { run_key: run.draft.run_key };
    let commit =
        types::Commit::new(types::Domain::Agent, types::Author::Runtime, house.now(), vec![begin]);
    wait(store::Store::commit(&*house.store, commit)).unwrap();
    let house = house.restart();
    assert!(wait(house.store.begun_runs(9)).unwrap().is_empty());
    house.drain();
    assert_eq!(house.turns(), 1);
    assert_eq!(house.script.claims.lock().unwrap()[0].run.draft.run_key, run.draft.run_key);
    assert_eq!(house.log(&agent), ["subscription completed"]);
}

#[test]
fn a_wake_does_not_merge_into_a_run_that_has_looked_already() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house.script.endings.lock().unwrap().push_back(Ending::Failed(failure(), Closing::default()));
    house.edit("a", "t", TaskStatus::Done);
    house.drain();
    house.edit("a", "t", TaskStatus::Open);
    wait(house.waker.match_changes()).unwrap();
    let newest = house.runs(&agent).pop().unwrap();
    assert_eq!(newest.merged_into, None);
    for _ in 0..2 {
        house.world.advance_ms(60_000);
        house.drain();
    }
    assert_eq!(house.log(&agent), ["subscription completed", "subscription completed"]);
}

#[test]
fn the_counters_say_what_waking_has_done() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    let before = house.waker.metrics();
    house.script.endings.lock().unwrap().push_back(Ending::Failed(failure(), Closing::default()));
    house.edit("a", "t", TaskStatus::Done);
    wait(house.waker.match_changes()).unwrap();
    house.world.advance_ms(500);
    house.drain();
    house.world.advance_ms(60_000);
    house.drain();
    house.edit("a", "another title", TaskStatus::Done);
    house.world.advance_ms(60_000);
    house.drain();
    let after = house.waker.metrics();
    assert_eq!(after.wakes_queued - before.wakes_queued, 2);
    assert_eq!(after.turns_started - before.turns_started, 2);
    assert_eq!(after.turns_completed - before.turns_completed, 1);
    assert_eq!((after.runs_retried, after.receipts), (1, 1));
    assert!(after.queue_wait_ms - before.queue_wait_ms >= 500);
    assert_eq!(house.log(&agent).len(), 2);
}

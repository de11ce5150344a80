//! Many changes, few wakes: merging, pace, own writes, and what comes in during a turn.

use std::task::Context;

use dispatch::Work;
use store::{ReadChanges, Store, wait};
use types::{
    Author, Compare, Condition, Domain, Predicate, RunState, SchedulerPolicy, TaskStatus, Token,
};

use wake::Debounce;

use crate::house::House;

#[test]
fn a_burst_of_edits_is_one_look_and_every_edit_has_its_row() {
    let house = House::new();
    let agent = house.agent("watcher", "home");
    for n in 0..5 {
        house.edit("a", &format!("title {n}"), TaskStatus::Open);
    }
    assert_eq!(house.drain(), 1);
    let runs = house.runs(&agent).split_off(1);
    assert_eq!(runs.len(), 5);
    let target = runs[0].draft.run_key;
    assert!(runs[0].merged_into.is_none());
    for merged in &runs[1..] {
        assert_eq!(merged.merged_into, Some(target));
        assert_eq!(merged.state, runs[0].state, "a merged run ends with its target");
    }
    assert_eq!(house.turns(), 0);
}

/// Edits a task, and waits until whoever listens has been told.
fn edit_and_tell(house: &House, status: TaskStatus) {
    let mut grown = house.store.watch(Domain::Journal);
    grown.mark_unchanged();
    house.edit("a", "t", status);
    wait(grown.changed()).unwrap();
}

#[test]
fn while_changes_gather_a_look_is_due_and_more_of_them_are_no_reason_for_another() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    let waker = house.waiting_for(Debounce::USUAL);
    let signal = waker.stirred();
    house.edit("a", "t", TaskStatus::Open);
    // The first of them is told.
    wait(signal);
    let due = wait(waker.look()).unwrap().next.expect("they gather");
    let mut signal = waker.stirred();
    edit_and_tell(&house, TaskStatus::Done);
    let stirs = signal.as_mut().poll(&mut Context::from_waker(std::task::Waker::noop()));
    assert!(stirs.is_pending(), "it is looked at with the first");
    // Whoever is called is called at once.
    wait(house.ingress.wake(&agent, "now")).unwrap();
    wait(signal);
    let signal = waker.stirred();
    while house.now() < due {
        house.world.advance_ms(10);
    }
    house.edit("a", "t", TaskStatus::Open);
    // They have gathered.
    wait(signal);
    house.world.advance_ms(1_000);
    assert!(!wait(waker.look()).unwrap().ready.is_empty());
    assert!(wait(waker.look()).unwrap().next.is_none(), "nothing is left of them");
    let signal = waker.stirred();
    house.edit("a", "t", TaskStatus::Done);
    // The first of others.
    wait(signal);
}

#[test]
fn a_burst_goes_on_for_as_long_as_it_likes_and_wakes_every_two_seconds() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    for n in 0..40 {
        let status = if n % 2 == 0 { TaskStatus::Done } else { TaskStatus::Open };
        house.edit("a", "t", status);
        house.drain();
        house.world.advance_ms(250);
    }
    house.world.advance_ms(5_000);
    house.drain();
    assert!((5..=7).contains(&house.turns()), "{} turns in ten seconds", house.turns());
    let open = |run: &types::Run| !matches!(run.state, RunState::Ended { .. });
    assert!(!house.runs(&agent).iter().any(open));
}

#[test]
fn no_agent_wakes_of_its_own_more_often_than_its_rate() {
    let house = House::with(SchedulerPolicy { per_agent_wake_rate_per_hour: 6, ..House::policy() });
    house.agent("keeper", "home");
    for n in 0..200 {
        let status = if n % 2 == 0 { TaskStatus::Done } else { TaskStatus::Open };
        house.edit("a", "t", status);
        house.drain();
        house.world.advance_ms(18_000);
    }
    assert!((5..=7).contains(&house.turns()), "{} turns in an hour", house.turns());
}

#[test]
fn what_an_agent_writes_does_not_wake_it_and_a_later_edit_by_another_does() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house.edit("a", "t", TaskStatus::Open);
    house.drain();
    let claim = house.script.claims.lock().unwrap().pop().unwrap();
    house.world.advance_ms(10_000);
    let before = house.log(&agent).len();
    house.put(claim.author(), "a", "t", TaskStatus::Done);
    assert_eq!(house.drain(), 0);
    assert_eq!(house.log(&agent).len(), before, "its own write woke it");
    house.edit("a", "t", TaskStatus::Open);
    house.drain();
    let seen = house.script.claims.lock().unwrap().pop().unwrap();
    let authors: Vec<&Author> = seen.journal.changes.iter().map(|c| &c.author).collect();
    assert!(authors.contains(&&Author::Operator));
}

#[test]
fn what_changes_during_a_turn_is_in_the_next_look() {
    let house = House::new();
    house.agent("keeper", "home");
    let store = std::sync::Arc::clone(&house.store);
    let now = house.now();
    let home = house.category("home");
    *house.script.during.lock().unwrap() = Some(Box::new(move |claim| {
        if claim.journal.changes.len() == 1 {
            let status = TaskStatus::Done;
            let task = types::Task { status, ..types::Task::new("meanwhile", home.clone()) };
            let id: types::TaskId = "task_b".parse().unwrap();
            let write = types::Write::Record(types::RecordDraft::live(id, task));
            let commit = types::Commit::new(Domain::Journal, Author::Operator, now, vec![write]);
            wait(store.commit(commit)).unwrap();
        }
    }));
    house.edit("a", "t", TaskStatus::Done);
    house.drain();
    *house.script.during.lock().unwrap() = None;
    house.world.advance_ms(5_000);
    house.drain();
    let seen: Vec<Vec<u64>> = house
        .script
        .claims
        .lock()
        .unwrap()
        .iter()
        .map(|claim| claim.journal.changes.iter().map(|c| c.position.0).collect())
        .collect();
    let head = wait(house.store.head(Domain::Journal)).unwrap().0;
    assert_eq!(seen, [vec![head - 1], vec![head]], "each change is shown once");
}

#[test]
fn a_predicate_sees_what_was_and_what_is_and_wakes_nobody_else() {
    let house = House::new();
    let agent = house.agent("watcher", "work");
    let condition = |property: &str, compare, value: &str| Condition {
        property: property.to_owned(),
        compare,
        value: value.to_owned(),
    };
    let home = house.category("home").to_string();
    let predicate = Predicate {
        kind: "TASK".to_owned(),
        all: vec![
            condition("category", Compare::Equal, &home),
            condition("status", Compare::NotEqual, "done"),
        ],
    };
    let tokens = vec![Token::semantic("TASK").unwrap()];
    let put = house.fleet.subscription_put(&agent, "open", tokens, Some(predicate), true);
    wait(put).unwrap();
    house.drain();
    let count = |house: &House| {
        house.world.advance_ms(5_000);
        house.drain();
        house.log(&agent).iter().filter(|line| line.starts_with("subscription")).count()
    };
    let before = count(&house);
    house.edit("a", "t", TaskStatus::Open);
    assert_eq!(count(&house), before + 1);
    house.edit("a", "t", TaskStatus::Done);
    assert_eq!(count(&house), before + 2, "it was open before");
    house.edit("a", "another title", TaskStatus::Done);
    assert_eq!(count(&house), before + 2, "it was done and is done");
}

#[test]
fn a_changed_subscription_is_followed_by_one_look() {
    let house = House::new();
    let agent = house.agent("watcher", "work");
    let token = House::tasks_of(&house.category("home"));
    let put = |active| {
        let tokens = vec![token.clone()];
        wait(house.fleet.subscription_put(&agent, "more", tokens, None, active)).unwrap();
        house.world.advance_ms(5_000);
        house.drain();
    };
    put(true);
    put(false);
    assert_eq!(house.log(&agent), ["tick completed", "tick completed"]);
}

impl House {
    pub(crate) fn policy() -> SchedulerPolicy {
        SchedulerPolicy::DEFAULT
    }
}

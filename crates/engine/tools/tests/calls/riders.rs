//! What rides along: the plan that asked for calls, in one commit with the intents.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use store::{ReadRecords, Store, wait};
use tool::Call;
use tools::{Error, Left, Rider};
use types::{
    AgentState, AuditDraft, Author, Code, Commit, Conflict, Domain, FenceMove, FenceScope, Guard,
    Outcome, RecordDraft, RecordId, Write,
};

use crate::house::{House, agent, id, rights};
use crate::own::move_notebook;

/// The plan of a turn, as a record that is not there yet.
fn rider() -> Rider {
    let record: RecordId = id("state_plan");
    let audit =
        AuditDraft { action: "turn.plan", subject: "state_plan".to_owned(), detail: String::new() };
    Rider {
        writes: vec![Write::Record(RecordDraft::live(
            record.clone(),
            AgentState::newborn(agent()),
        ))],
        guards: vec![Guard::Revision { record, expected: 0 }],
        audit: vec![audit],
    }
}

fn is_planned(house: &House) -> bool {
    wait(house.store().record(Domain::Agent, id("state_plan"))).unwrap().is_some()
}

fn keep(house: &House) -> Call {
    house.named("keep_note", json!({ "text": "the ferns like mist" }))
}

/// What whoever called writes in the end.
fn write(house: &House, left: Left) -> Outcome {
    let call = house.call("list_tasks", json!({}));
    let author = Author::Agent { agent: agent(), run: call.run, epoch: call.epoch };
    let Left { writes, guards, audit } = left;
    let commit = Commit::new(Domain::Agent, author, types::At::EPOCH, writes).named("turn.end");
    wait(house.door.commit(Commit { guards, audit, ..commit })).unwrap()
}

fn steps(house: &House) -> Vec<&'static str> {
    house.door.steps.lock().unwrap().clone()
}

#[test]
fn a_plan_and_the_intents_it_led_to_are_one_commit() {
    let house = House::new();
    let calls = vec![house.set_title("ferns", "mist the ferns"), keep(&house)];
    let (receipts, left) = wait(house.executor.execute(calls, vec![], &rights(), rider())).unwrap();
    assert_eq!(steps(&house), ["tool.intend", "tool.effect"]);
    assert!(is_planned(&house) && receipts.iter().all(|receipt| receipt.result.is_ok()));
    assert!(left.guards.is_empty() && !left.writes.is_empty());
    assert!(matches!(write(&house, left), Outcome::Applied(_)));
    let audited: Vec<String> = house.audited().into_iter().map(|(action, _)| action).collect();
    let expected =
        ["turn.plan", "tool.allow", "tool.allow", "tool.done", "tool.done"].map(str::to_owned);
    assert_eq!(audited, expected);
}

#[test]
fn where_the_journal_is_not_touched_everything_is_left_to_the_caller() {
    let groups: [fn(&House) -> Vec<Call>; 4] = [
        |_| vec![],
        |house| vec![house.call("list_tasks", json!({}))],
        |house| vec![house.set_title("taxes", "evade")],
        |house| {
            vec![keep(house), house.call("list_tasks", json!({})), house.call("none", json!({}))]
        },
    ];
    for calls in groups {
        let house = House::new();
        let calls = calls(&house);
        let (receipts, left) =
            wait(house.executor.execute(calls.clone(), vec![], &rights(), rider())).unwrap();
        assert_eq!((steps(&house), is_planned(&house)), (vec![], false));
        assert_eq!(receipts.len(), calls.len());
        assert!(matches!(write(&house, left), Outcome::Applied(_)));
        assert_eq!((steps(&house), is_planned(&house)), (vec!["turn.end"], true));
        for receipt in receipts {
            let invocation = house.invocation(&receipt);
            let kept: Value = house.content(invocation.state.result().unwrap());
            assert_eq!(kept, receipt.to_json());
        }
        assert_eq!(house.audited()[0].0, "turn.plan");
    }
}

#[test]
fn what_was_left_and_lost_is_as_if_it_had_never_been_asked_for() {
    let house = House::new();
    let calls = vec![keep(&house)];
    let lost = wait(house.executor.execute(calls.clone(), vec![], &rights(), rider())).unwrap();
    drop(lost);
    let (receipts, left) = wait(house.executor.execute(calls, vec![], &rights(), rider())).unwrap();
    assert!(!receipts[0].repeated);
    assert!(matches!(write(&house, left), Outcome::Applied(_)));
}

#[test]
fn if_somebody_is_faster_than_the_caller_the_calls_are_made_again() {
    let house = House::new();
    let calls = vec![keep(&house)];
    let made = || wait(house.executor.execute(calls.clone(), vec![], &rights(), rider()));
    let (_, left) = made().unwrap();
    move_notebook(house.store());
    assert!(matches!(write(&house, left), Outcome::Conflict(Conflict::Revision { .. })));
    assert!(!is_planned(&house), "all of it or nothing");
    let (receipts, left) = made().unwrap();
    assert!(matches!(write(&house, left), Outcome::Applied(_)));
    assert_eq!(receipts[0].result.as_ref().unwrap().payload["before"], 1);
    let (again, left) =
        wait(house.executor.execute(calls.clone(), vec![], &rights(), Rider::default())).unwrap();
    assert!(again[0].repeated && left.is_empty());
}

/// Names a call, lets something happen, and carries it out by what was drafted then or by a plan of its own.
/// Says what was answered, and how often anything was read meanwhile.
fn named_and_done(drafted: bool, meanwhile: fn(&House)) -> (Value, usize) {
    let house = House::new();
    let arguments = json!({ "task": "task_ferns", "title": "mist the ferns" });
    let call = house.call("set_title", arguments);
    let named = wait(house.executor.name(&call)).unwrap();
    let calls = vec![Call { operation: Some(named.operation), ..call }];
    let drafts = named.drafted.into_iter().filter(|_| drafted).collect();
    meanwhile(&house);
    let before = house.door.reads.load(Ordering::SeqCst);
    let rights = rights();
    let done = house.executor.execute(calls, drafts, &rights, rider());
    let (receipts, _) = wait(done).unwrap();
    let reads = house.door.reads.load(Ordering::SeqCst) - before;
    assert_eq!(house.task("ferns").0.title, "mist the ferns");
    (receipts[0].result.as_ref().unwrap().payload.clone(), reads)
}

#[test]
fn what_was_drafted_for_the_name_is_not_planned_again() {
    let (drafted, fewer) = named_and_done(true, |_| {});
    let (planned, reads) = named_and_done(false, |_| {});
    assert_eq!((drafted, fewer), (planned, reads - 1));
}

#[test]
fn a_draft_that_rests_on_what_has_moved_is_planned_anew() {
    let moves = |house: &House| house.put("ferns", "drown the ferns", "home");
    let (answer, _) = named_and_done(true, moves);
    assert_eq!(answer["was"], "drown the ferns");
}

#[test]
fn a_draft_about_what_has_left_the_scope_is_refused() {
    let house = House::new();
    let arguments = json!({ "task": "task_ferns", "title": "mist the ferns" });
    let call = house.call("set_title", arguments);
    let named = wait(house.executor.name(&call)).unwrap();
    let call = Call { operation: Some(named.operation), ..call };
    house.put("ferns", "water the ferns", "work");
    let drafts = named.drafted.into_iter().collect();
    let rights = rights();
    let done = house.executor.execute(vec![call], drafts, &rights, rider());
    let (receipts, _) = wait(done).unwrap();
    assert_eq!(receipts[0].result.as_ref().unwrap_err().kind, Code::OutOfScope);
    assert_eq!(house.task("ferns").0.title, "water the ferns");
}

#[test]
fn a_plan_that_somebody_else_has_recorded_does_nothing_to_the_journal() {
    let house = House::new();
    let calls = vec![house.set_title("ferns", "mist the ferns")];
    let Rider { writes, .. } = rider();
    let first = Left { writes, ..Left::default() };
    assert!(matches!(write(&house, first), Outcome::Applied(_)));
    let before = house.journal();
    let refused = wait(house.executor.execute(calls, vec![], &rights(), rider())).unwrap_err();
    assert!(matches!(refused, Error::Conflict(Conflict::Revision { .. })), "{refused:?}");
    assert_eq!(house.journal(), before);
}

#[test]
fn of_the_stopped_only_the_stop_is_written() {
    let house = House::new();
    let calls = vec![house.set_title("ferns", "mist the ferns"), keep(&house)];
    let epoch = calls[0].epoch;
    house.door.meanwhile("tool.intend", move |store| {
        for domain in Domain::ALL {
            let scope = FenceScope::Agent(agent());
            let write = Write::Fence(FenceMove { scope, epoch, closed: true });
            let commit = Commit::new(domain, Author::Operator, types::At::EPOCH, vec![write]);
            wait(store.commit(commit)).unwrap();
        }
    });
    let (receipts, left) = wait(house.executor.execute(calls, vec![], &rights(), rider())).unwrap();
    assert_eq!(steps(&house), ["tool.intend", "tool.deny"]);
    let kinds: Vec<Code> =
        receipts.iter().map(|receipt| receipt.result.as_ref().unwrap_err().kind).collect();
    assert_eq!((kinds, is_planned(&house)), (vec![Code::Fenced; 2], false));
    assert!(matches!(write(&house, left), Outcome::Conflict(Conflict::Fenced { .. })));
}

//! Tools that do not answer: they are given up, and all else goes on.

use std::future::poll_fn;
use std::pin::pin;

use serde_json::json;
use store::{Store, wait};
use tool::{Call, Failure};
use tools::{Receipt, Rider};
use types::{
    At, Author, Code, Commit, Domain, InvocationState, Outcome, RecordDraft, RecordId, Task, Write,
};
use world::World;

use crate::house::{House, id, rights};
use crate::workshop::STUCK_MS;

/// Waits for what comes; whenever somebody waits for time to pass, it does.
fn patiently<T>(house: &House, coming: impl Future<Output = T>) -> T {
    let mut coming = pin!(coming);
    wait(poll_fn(|context| {
        let came = coming.as_mut().poll(context);
        if let (true, Some(millis)) = (came.is_pending(), house.world.next_ms()) {
            house.world.pass_ms(millis);
        }
        came
    }))
}

fn stuck(house: &House, task: &str, title: &str) -> Call {
    house.call("stuck", json!({ "task": format!("task_{task}"), "title": title }))
}

/// Names the calls as a turn does, and carries them out.
fn together(house: &House, mut calls: Vec<Call>) -> Vec<Receipt> {
    patiently(house, async {
        let mut drafts = Vec::new();
        let names = house.executor.name_all(&calls).await;
        for (call, named) in calls.iter_mut().zip(names) {
            call.operation = named.as_ref().map(|named| named.operation);
            drafts.extend(named.and_then(|named| named.drafted));
        }
        let (rights, rider) = (rights(), Rider::default());
        let done = house.executor.execute(calls, drafts, &rights, rider).await;
        let (receipts, left) = done.unwrap();
        let author = house.call("stuck", json!({})).author();
        house.executor.write_left(author, left).await.unwrap();
        receipts
    })
}

fn failure(receipt: &Receipt) -> &Failure {
    receipt.result.as_ref().unwrap_err()
}

fn passed(house: &House, began: At) -> i64 {
    house.world.now().millis() - began.millis()
}

#[test]
fn a_tool_that_does_not_answer_is_given_up_and_the_calls_beside_it_are_carried_out() {
    let house = House::new();
    house.put("ferns", "stuck", "home");
    let (before, began) = (house.journal(), house.world.now());
    let title = json!({ "task": "task_moss", "title": "B" });
    let calls = vec![
        house.call("set_title", title),
        stuck(&house, "ferns", "A"),
        stuck(&house, "ferns", "C"),
        house.call("list_tasks", json!({})),
    ];
    let receipts = together(&house, calls);
    assert!(receipts[0].result.is_ok() && receipts[3].result.is_ok(), "{receipts:?}");
    for receipt in &receipts[1..3] {
        let given_up = failure(receipt);
        assert_eq!((given_up.kind, given_up.retryable), (Code::ToolTimedOut, true));
        let said = receipt.model_text();
        for part in ["tool_timed_out", "stuck", "5000 ms", "nothing was done"] {
            assert!(said.contains(part), "{said}");
        }
        let state = house.invocation(receipt).state;
        assert!(matches!(state, InvocationState::Failed { .. }), "{state:?}");
    }
    assert_eq!(passed(&house, began), 5_000, "both at once, and neither a second time");
    assert_eq!(house.task("ferns").0.title, "stuck", "nothing of it was written");
    assert_eq!(house.task("moss").0.title, "B");
    assert_eq!(house.journal().1, before.1 + 1, "one operation");
    let audited = house.audited();
    let failed = ("tool.failed".to_owned(), "tool_timed_out:stuck".to_owned());
    assert_eq!(audited.iter().filter(|entry| **entry == failed).count(), 2, "{audited:?}");
}

#[test]
fn whoever_asks_again_is_another_and_is_done_if_the_tool_answers() {
    let house = House::new();
    house.put("ferns", "stuck", "home");
    let call = |id: &str| Call { id: id.to_owned(), ..stuck(&house, "ferns", "A") };
    let first = together(&house, vec![call("0:call_0")]).remove(0);
    let second = together(&house, vec![call("1:call_0")]).remove(0);
    assert_eq!(
        (failure(&first).kind, failure(&second).kind),
        (Code::ToolTimedOut, Code::ToolTimedOut)
    );
    assert_ne!(first.tool_action_id, second.tool_action_id);
    house.put("ferns", "free", "home");
    let third = together(&house, vec![call("2:call_0")]).remove(0);
    assert!(third.result.is_ok() && !third.repeated, "{third:?}");
    assert_eq!(house.task("ferns").0.title, "A");
}

#[test]
fn a_plan_that_has_to_be_made_anew_may_take_no_longer() {
    let house = House::new();
    let call = stuck(&house, "ferns", "A");
    let named = patiently(&house, house.executor.name(&call)).unwrap();
    let call = Call { operation: Some(named.operation), ..call };
    // Somebody changes what it rests on, in a way that it cannot get over.
    house.door.meanwhile("tool.effect", |store| {
        let task = Task::new("stuck", id("category_home"));
        let write = Write::Record(RecordDraft::live(id::<RecordId>("task_ferns"), task));
        let commit = Commit::new(Domain::Journal, Author::Operator, At::EPOCH, vec![write]);
        assert!(matches!(wait(store.commit(commit)).unwrap(), Outcome::Applied(_)));
    });
    let receipt = patiently(&house, house.one(call, &rights())).unwrap();
    assert_eq!(failure(&receipt).kind, Code::ToolTimedOut);
    assert!(matches!(house.invocation(&receipt).state, InvocationState::Failed { .. }));
    assert_eq!(house.task("ferns").0.title, "stuck");
    assert_eq!(house.world.next_ms(), None, "nobody waits any more");
}

#[test]
fn a_tool_has_its_whole_time_whatever_people_do_to_the_clock() {
    let house = House::new();
    house.put("ferns", "stuck", "home");
    let call = stuck(&house, "ferns", "A");
    let mut naming = pin!(house.executor.name(&call));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(naming.as_mut().poll(&mut context).is_pending());
    house.world.pass_ms(STUCK_MS - 1);
    assert!(naming.as_mut().poll(&mut context).is_pending(), "it has its whole time");
    house.world.advance_ms(3_600_000);
    assert!(naming.as_mut().poll(&mut context).is_pending(), "whatever people do to the clock");
    house.world.pass_ms(1);
    assert!(naming.as_mut().poll(&mut context).is_ready());
}

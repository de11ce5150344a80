//! How often tools may be called.

use std::thread;

use serde_json::json;
use store::wait;
use tool::Call;
use tools::Receipt;
use types::{Code, InvocationState, Quota};

use crate::door::Fault;
use crate::house::{House, one, rights_with};

const HOUR_MS: i64 = 60 * 60 * 1_000;

fn two_a_session() -> Quota {
    Quota { max_per_session: Some(2), max_per_day: None }
}

fn two_a_day() -> Quota {
    Quota { max_per_session: None, max_per_day: Some(2) }
}

fn exceeded(receipt: &Receipt) -> bool {
    matches!(&receipt.result, Err(failure) if failure.kind == Code::ToolQuotaExceeded)
}

#[test]
fn a_call_beyond_its_quota_is_refused_before_the_effect_and_audited() {
    let house = House::new();
    let rights = rights_with("set_title", two_a_session());
    let call = |title: &str| wait(house.one(house.set_title("ferns", title), &rights)).unwrap();
    assert!(call("A").result.is_ok() && call("B").result.is_ok());
    let before = house.journal();
    let third = call("C");
    assert!(exceeded(&third));
    assert_eq!(house.journal(), before);
    assert_eq!(house.task("ferns").0.title, "B");
    let reason = ("tool.deny".to_owned(), "tool_quota_exceeded:set_title".to_owned());
    assert_eq!(house.audited().last(), Some(&reason));
    // Another tool, another session: other counts.
    let rake = house.named("create_task", json!({ "title": "r", "category": "category_home" }));
    assert!(wait(house.one(rake, &rights)).unwrap().result.is_ok());
    let session = rules::thread::of_session(&crate::house::agent(), "s");
    let elsewhere = Call { thread: session, ..house.set_title("ferns", "D") };
    assert!(wait(house.one(elsewhere, &rights)).unwrap().result.is_ok());
}

#[test]
fn a_repetition_a_preview_and_a_denial_take_nothing_and_a_failure_does() {
    let house = House::new();
    let rights = rights_with("set_title", two_a_session());
    let execute = |call: Call| wait(house.one(call, &rights)).unwrap();
    let first = house.set_title("ferns", "A");
    for _ in 0..5 {
        assert!(execute(first.clone()).result.is_ok());
    }
    let outside = house.set_title("taxes", "B");
    assert_eq!(execute(outside).result.unwrap_err().kind, Code::OutOfScope);
    assert_eq!(execute(house.set_title("nobody", "B")).result.unwrap_err().kind, Code::UnknownTask);
    assert!(exceeded(&execute(house.set_title("ferns", "C"))));
    // What was done before is answered although nothing is left.
    assert!(execute(first).repeated);
    let rights = rights_with("move_task", Quota { max_per_day: Some(0), ..Quota::default() });
    let arguments = json!({ "task": "task_ferns", "category": "category_home" });
    let preview = Call { preview: true, ..house.call("move_task", arguments) };
    assert!(wait(house.one(preview, &rights)).unwrap().result.is_ok());
}

#[test]
fn calls_of_one_group_cannot_exceed_a_quota_together() {
    let house = House::new();
    let rights = rights_with("set_title", two_a_day());
    let calls = ["A", "B", "C", "D"].map(|title| house.set_title("ferns", title));
    let receipts = wait(house.carry_out(calls.to_vec(), &rights)).unwrap();
    let refused: Vec<bool> = receipts.iter().map(exceeded).collect();
    assert_eq!(refused, [false, false, true, true]);
    assert_eq!(house.journal().1, 2);
}

#[test]
fn calls_at_the_same_time_cannot_exceed_a_quota_together() {
    let house = House::new();
    let rights = rights_with("create_task", Quota { max_per_day: Some(5), max_per_session: None });
    let calls: Vec<Call> = (0..16)
        .map(|n| {
            house.named(
                "create_task",
                json!({ "title": n.to_string(), "category": "category_home" }),
            )
        })
        .collect();
    let receipts: Vec<Receipt> = thread::scope(|scope| {
        let one = |call: Call| {
            let (executor, rights) = (&house.executor, &rights);
            scope.spawn(move || wait(one(executor, call, rights)).unwrap())
        };
        let running: Vec<_> = calls.into_iter().map(one).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let done = receipts.iter().filter(|receipt| receipt.result.is_ok()).count();
    let refused = receipts.iter().filter(|receipt| exceeded(receipt)).count();
    assert_eq!((done, refused), (5, 11));
    assert_eq!(house.journal().1, 5);
}

#[test]
fn a_day_opens_with_its_first_call_and_closes_24_hours_later() {
    let house = House::new();
    let rights = rights_with("set_title", two_a_day());
    let call = |title: &str| wait(house.one(house.set_title("ferns", title), &rights)).unwrap();
    assert!(call("A").result.is_ok());
    house.world.advance_ms(23 * HOUR_MS);
    assert!(call("B").result.is_ok());
    assert!(exceeded(&call("C")));
    house.world.advance_ms(HOUR_MS);
    assert!(call("D").result.is_ok());
}

#[test]
fn what_was_counted_before_a_crash_is_counted_once() {
    let house = House::new();
    let rights = rights_with("set_title", Quota { max_per_session: Some(1), max_per_day: None });
    let call = house.set_title("ferns", "A");
    house.door.plan(0, Fault::DiesAfter);
    assert!(house.door.run(house.one(call.clone(), &rights)).is_none());
    let house = house.restart();
    let call = Call { epoch: store::Store::epoch(&*house.door), ..call };
    let receipt = wait(house.one(call, &rights)).unwrap();
    assert!(receipt.result.is_ok(), "{receipt:?}");
    assert!(matches!(house.invocation(&receipt).state, InvocationState::Done { .. }));
    let next = wait(house.one(house.set_title("ferns", "B"), &rights)).unwrap();
    assert!(exceeded(&next), "the count outlives the process");
}

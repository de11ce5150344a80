//! The same call again, and calls that meet.

use policy::Rights;
use serde_json::json;
use store::{Listing, wait};
use tool::{Call, Capability};
use types::{BodyType, Domain, ReportScope};

use crate::house::{House, agent};

fn count(house: &House, kind: BodyType) -> usize {
    let listing = Listing::of(agent().as_str(), kind, 100);
    wait(house.store.records(Domain::Agent, listing)).unwrap().len()
}

#[test]
fn the_same_operation_again_writes_the_same_report_once() {
    let house = House::new();
    let arguments = json!({ "content": "dry", "claims": [] });
    let call = house.call("r", "update_report", arguments.clone());
    let first = house.execute(call.clone());
    let again = house.execute(call.clone());
    assert_eq!((again.repeated, &again.result), (true, &first.result));
    assert_eq!(count(&house, BodyType::AgentReport), 1);
    let later = house.call("r", "update_report", arguments);
    assert_ne!(later.operation, call.operation, "the report that stands is another by now");
    assert!(!house.execute(later).repeated);
    assert_eq!(count(&house, BodyType::AgentReport), 2);
}

#[test]
fn the_same_notes_again_in_a_run_are_the_same_notes() {
    let house = House::new();
    assert!(!house.notes("r", &["the can leaks"]).repeated);
    assert!(house.notes("r", &["the can leaks"]).repeated);
    assert!(!house.notes("other", &["the can leaks"]).repeated);
    assert_eq!(count(&house, BodyType::AgentMessage), 2);
}

#[test]
fn two_reports_of_one_answer_are_both_kept_and_the_last_one_stands() {
    let house = House::new();
    let rights = Rights { capabilities: Capability::ALL.into(), ..Rights::default() };
    let report = |content: &str| {
        house.call("r", "update_report", json!({ "content": content, "claims": [] }))
    };
    let calls: Vec<Call> = vec![report("first thought"), report("second thought")];
    let receipts = house.carry_out(calls, &rights);
    assert!(receipts.iter().all(|receipt| receipt.result.is_ok()), "{receipts:?}");
    assert_eq!(count(&house, BodyType::AgentReport), 2);
    let view = wait(house.memory.report(&agent(), ReportScope::Current)).unwrap().unwrap();
    assert_eq!(view.content, "second thought");
}

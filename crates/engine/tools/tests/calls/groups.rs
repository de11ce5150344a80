//! The calls of one answer of a model.

use std::collections::BTreeSet;

use serde_json::json;
use store::{Listing, ReadRecords, wait};
use tool::Call;
use tools::{Error, Receipt};
use types::{Body, BodyType, Code, Domain, limits};

use crate::house::{House, id, rights};

fn together(house: &House, calls: Vec<Call>) -> Vec<Receipt> {
    wait(house.carry_out(calls, &rights())).unwrap()
}

#[test]
fn a_group_is_written_down_at_once_and_shares_its_name() {
    let house = House::new();
    let calls = vec![
        house.set_title("ferns", "A"),
        house.call("list_tasks", json!({})),
        house.set_title("moss", "B"),
        house.set_title("taxes", "C"),
        house.call("nothing_like_it", json!({})),
    ];
    let receipts = together(&house, calls);
    assert_eq!(
        *house.door.steps.lock().unwrap(),
        ["tool.intend", "tool.effect", "tool.effect", "tool.record"]
    );
    let kinds: Vec<Option<Code>> =
        receipts.iter().map(|one| one.result.as_ref().err().map(|error| error.kind)).collect();
    let expected = [None, None, None, Some(Code::OutOfScope), Some(Code::UnknownTool)];
    assert_eq!(kinds, expected, "each has its own answer, in their order");
    let groups: BTreeSet<Option<String>> =
        receipts.iter().map(|receipt| house.invocation(receipt).group).collect();
    assert_eq!(groups.len(), 1);
    assert!(groups.first().unwrap().as_ref().unwrap().starts_with("group_"));
    let alone = house.execute(house.set_title("moss", "D"));
    assert!(!groups.contains(&house.invocation(&alone).group), "what comes alone is another");
}

#[test]
fn identical_calls_of_a_group_are_one_and_the_second_answer_says_so() {
    let house = House::new();
    let arguments = json!({ "title": "rake", "category": "category_home" });
    let rake = |name: &str| {
        let call = house.named("create_task", arguments.clone());
        Call { id: name.to_owned(), ..call }
    };
    let list = |name: &str| Call { id: name.to_owned(), ..house.call("list_tasks", json!({})) };
    let receipts = together(&house, vec![rake("1"), list("2"), rake("3"), list("4"), list("5")]);
    let repeated: Vec<bool> = receipts.iter().map(|receipt| receipt.repeated).collect();
    assert_eq!(repeated, [false, false, true, true, true]);
    assert_eq!(receipts[0].result, receipts[2].result);
    assert_eq!(receipts[1].result, receipts[4].result);
    assert_eq!(receipts[0].tool_action_id, receipts[2].tool_action_id);
    assert!(receipts[2].model_text().contains(r#""repeated":true"#));
    let listing = Listing::of("category_home", BodyType::Task, 100);
    let tasks = wait(house.store().records(Domain::Journal, listing)).unwrap();
    let made = tasks.iter().filter(|one| matches!(&one.body, Body::Task(t) if t.title == "rake"));
    assert_eq!(made.count(), 1);
}

#[test]
fn two_calls_of_a_group_may_change_the_same_record() {
    let house = House::new();
    let both = [id("category_home"), id("category_work")];
    let arguments = json!({ "task": "task_ferns", "category": "category_work" });
    let calls = vec![
        Call { scope: both.clone().into(), ..house.set_title("ferns", "A") },
        Call { scope: both.into(), ..house.named("move_task", arguments) },
    ];
    let receipts = together(&house, calls);
    assert!(receipts.iter().all(|receipt| receipt.result.is_ok()), "{receipts:?}");
    let (task, _) = house.task("ferns");
    assert_eq!((task.title.as_str(), task.category_id.as_str()), ("A", "category_work"));
}

#[test]
fn what_would_change_nothing_by_itself_is_done_behind_what_it_takes_back() {
    let house = House::new();
    let (ferns, moss) = (house.task("ferns").0.title, house.task("moss").0.title);
    let calls = vec![
        house.set_title("moss", &moss),
        house.set_title("ferns", "A"),
        house.set_title("ferns", "forbidden"),
        house.set_title("ferns", &ferns),
    ];
    let receipts = together(&house, calls.clone());
    assert_eq!((house.task("ferns").0.title, house.task("moss").0.title), (ferns, moss));
    let changed = |receipt: &Receipt| receipt.result.as_ref().ok().map(|done| done.changed.len());
    let changes: Vec<Option<usize>> = receipts.iter().map(changed).collect();
    assert_eq!(changes, [Some(0), Some(1), None, Some(1)]);
    let told = &receipts[2].result.as_ref().unwrap_err().message;
    assert!(told.contains("\"A\""), "it has seen what was done before it: {told}");
    let again = together(&house, calls);
    assert_eq!(again.iter().map(changed).collect::<Vec<_>>(), changes);
}

#[test]
fn one_name_for_two_calls_of_a_group_is_refused_for_the_second() {
    let house = House::new();
    let first = house.set_title("ferns", "A");
    let second = Call { operation: first.operation, ..house.set_title("moss", "B") };
    let receipts = together(&house, vec![first, second]);
    assert!(receipts[0].result.is_ok());
    assert_eq!(receipts[1].result.as_ref().unwrap_err().kind, Code::Conflict);
    assert_eq!(house.task("moss").0.title, "brush the moss");
}

#[test]
fn a_group_repeated_as_a_whole_is_answered_as_it_was() {
    let house = House::new();
    let calls = vec![
        house.set_title("ferns", "A"),
        house.call("list_tasks", json!({})),
        house.set_title("moss", "B"),
    ];
    let first = together(&house, calls.clone());
    let before = (house.journal(), house.audited());
    let again = together(&house, calls);
    for (first, again) in first.iter().zip(&again) {
        assert!(again.repeated);
        assert_eq!(first.result, again.result);
    }
    assert_eq!((house.journal(), house.audited()), before);
}

#[test]
fn a_group_of_several_runs_or_of_too_many_calls_is_no_group() {
    let house = House::new();
    let call = house.call("list_tasks", json!({}));
    let other = Call { agent: id("agent_b"), ..call.clone() };
    let mixed = wait(house.carry_out(vec![call.clone(), other], &rights()));
    assert_eq!(mixed, Err(Error::MixedGroup));
    let many = vec![call; limits::TOOL_GROUP_MAX + 1];
    let many = wait(house.carry_out(many, &rights()));
    assert_eq!(many, Err(Error::LargeGroup { found: limits::TOOL_GROUP_MAX + 1 }));
    assert_eq!(together(&house, vec![]), []);
    assert!(house.audited().is_empty());
}

//! Several calls in one answer of a model.

use model::Exchange;
use serde_json::json;
use store::wait;
use testkit::model::{asks, says};
use types::{Body, Domain, InvocationState};

use crate::house::House;

#[test]
fn what_one_answer_asks_for_is_done_as_one_group_and_told_in_the_order_it_was_asked_for() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let can = house.item_id("find the can");
    let task = &house.task;
    let checked = json!({ "items": [{ "id": can, "checked": true }] });
    house.model.then(asks(&[
        ("a", "set_task_title", json!({ "taskId": task, "title": "Mist" })),
        ("b", "update_checklist_items", checked),
        ("c", "fly_to_the_moon", json!({})),
        ("d", "update_task_priority", json!({ "taskId": task, "priority": "p0" })),
        ("e", "add_multiple_checklist_items", house.item("milk")),
    ]));
    house.model.then(says("Done."));
    let run = house.prompt("see to it", "r1");
    house.drain();
    assert_eq!(house.brief(&run), "Done.");
    let said = house.model.asked().pop().unwrap().said;
    let answers: Vec<(&str, bool)> = said
        .iter()
        .filter_map(|exchange| match exchange {
            Exchange::Answered { call, text } => {
                Some((call.as_str(), text.contains(r#""ok":true"#)))
            }
            _ => None,
        })
        .collect();
    assert_eq!(answers, [("a", true), ("b", true), ("c", false), ("d", true), ("e", true)]);
    let record = wait(house.runtime.store.record(Domain::Journal, task.parse().unwrap()));
    let Some(Body::Task(task)) = record.unwrap().map(|record| record.body) else { panic!("gone") };
    assert_eq!((task.title.as_str(), task.priority.as_str()), ("Mist", "p0"), "none was lost");
    assert_eq!(house.items(), ["fill it", "find the can", "milk"]);
    let calls = house.calls();
    let first = calls[0].group.clone();
    assert!(first.is_some() && calls.iter().all(|call| call.group == first));
    let done = |state: &InvocationState| matches!(state, InvocationState::Done { .. });
    assert_eq!(calls.iter().filter(|call| done(&call.state)).count(), 4);
    let allowed = house.audited().into_iter().filter(|(action, _, _)| action == "tool.allow");
    assert_eq!(allowed.count(), 4, "each was judged by itself");
}

#[test]
fn a_process_that_dies_while_several_are_done_does_each_once() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let task = house.task.clone();
    house.model.then(asks(&[
        ("a", "set_task_title", json!({ "taskId": task, "title": "Mist" })),
        ("b", "add_multiple_checklist_items", house.item("milk")),
        ("c", "add_multiple_checklist_items", house.item("bread")),
    ]));
    let run = house.prompt("see to it", "r1");
    let house = house.dies(1);
    house.model.then(says("Done."));
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.brief(&run), "Done.");
    assert_eq!(house.items(), ["bread", "fill it", "find the can", "milk"]);
    let operations = wait(house.runtime.store.operations_of_run(Domain::Journal, run)).unwrap();
    assert_eq!(operations.len(), 3);
}

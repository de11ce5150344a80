//! A turn that dies is taken up where it was.

use std::sync::Arc;

use store::wait;
use testkit::model::{asks, fails, says};
use types::{BudgetLimits, ModelFailureKind};

use crate::house::{House, start};

#[test]
fn a_plan_that_was_recorded_is_carried_out_and_never_made_anew() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    // It asks for milk, the model then fails; the second attempt would ask for bread.
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(fails(ModelFailureKind::Timeout));
    house.model.then(says("Done at last."));
    let run = house.prompt("add milk", "r1");
    for _ in 0..5 {
        house.world.advance_ms(60_000);
        house.drain();
    }
    assert_eq!(house.brief(&run), "Done at last.");
    assert_eq!(house.items(), ["fill it", "find the can", "milk"]);
    let asked = house.model.asked();
    assert_eq!(asked.len(), 4, "the recorded answer is not asked for again");
    assert_eq!(asked[2].prompt, asked[3].prompt, "it goes on with the prompt it began with");
    assert_eq!(asked[2].said, asked[3].said);
    let turn = house.turn(&run).unwrap();
    assert_eq!(turn.rounds, 2);
}

#[test]
fn a_process_that_dies_between_plan_and_end_does_it_once() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(fails(ModelFailureKind::Connection));
    house.model.then(says("Done."));
    let run = house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(house.items(), ["fill it", "find the can", "milk"]);
    // Another process takes the home up; it has no memory of the first.
    let House { runtime, model, world, home, .. } = house;
    drop(runtime);
    let runtime = start(&home, &world, &Arc::clone(&model), BudgetLimits::default());
    world.advance_ms(600_000);
    wait(runtime.waker.drain()).unwrap();
    let ended = wait(runtime.store.run(run)).unwrap().unwrap();
    assert_eq!(ended.state.as_str(), "completed");
    let operations = wait(runtime.store.operations_of_run(types::Domain::Journal, run)).unwrap();
    assert_eq!(operations.len(), 1);
}

#[test]
fn the_same_words_under_another_request_are_another_effect() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    for request in ["r1", "r2"] {
        house.model.then(asks(&[("same", "add_multiple_checklist_items", house.item("milk"))]));
        house.model.then(says("Added."));
        house.prompt("add milk", request);
        house.drain();
    }
    let again = house.prompt("add milk", "r2");
    house.drain();
    assert!(house.turn(&again).is_some());
    assert_eq!(house.items(), ["fill it", "find the can", "milk", "milk"]);
}

//! What the operator throws into a turn under way.

use std::sync::Arc;

use store::wait;
use testkit::model::{asks, says};
use types::{ClosureOutcome, Code, MessageKind, Priority, RunKey, TurnState};

use crate::house::House;

/// A turn for "add milk" into which somebody throws "and bread": the run of each.
pub(crate) fn interrupted(house: &House) -> (RunKey, RunKey) {
    house.drain();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(says("Milk and bread are there."));
    let delivery = house.spoken("and bread", "r2", Priority::Interject);
    let ingress = house.runtime.ingress.clone();
    house.model.meanwhile(0, move || wait(ingress.admit(delivery)).map(drop).unwrap());
    let run = house.prompt("add milk", "r1");
    house.drain();
    let own = house.runs().into_iter().find(|one| one.draft.priority == Priority::Interject);
    (run, own.unwrap().draft.run_key)
}

#[test]
fn whoever_threw_something_in_is_told_what_the_turn_said_that_took_it_up() {
    let house = House::new(vec![says("First look.")]);
    let (run, thrown_in) = interrupted(&house);
    assert!(house.turn(&thrown_in).is_none(), "it has no turn of its own");
    let waker = &house.runtime.waker;
    wait(waker.wait_until_ended(thrown_in)).unwrap();
    let told = wait(waker.told(thrown_in)).unwrap();
    assert_eq!((told.kind, told.text.as_str()), ("result", "Milk and bread are there."));
    assert_eq!(told, wait(waker.told(run)).unwrap());
    let said = format!("{:?}", house.model.asked().last().unwrap().said);
    assert!(said.contains("and bread"), "{said}");
    let kinds = [MessageKind::User, MessageKind::Thought, MessageKind::User, MessageKind::Thought];
    assert_eq!(house.kinds(&run), kinds, "it is a message of the turn that took it up");
}

#[test]
fn a_turn_after_which_there_is_more_is_continuable_and_the_runtime_goes_on_by_itself() {
    let house = House::new(vec![says("First look.")]);
    let (run, _) = interrupted(&house);
    let Some(TurnState::Settled { closure, .. }) = house.turn(&run).map(|turn| turn.state) else {
        panic!("it is over");
    };
    assert_eq!(closure.outcome, ClosureOutcome::Continuable);
    assert_eq!(closure.runtime_posture, "awake");
    // Nobody says anything more.
    house.drain();
    let followed =
        house.runs().into_iter().find(|one| one.draft.reason_id.as_deref() == Some("interjected"));
    assert_eq!(followed.unwrap().state.as_str(), "completed");
    let first = house.runs().pop().unwrap().draft.run_key;
    let Some(TurnState::Settled { closure, .. }) = house.turn(&first).map(|turn| turn.state) else {
        panic!("it is over");
    };
    assert_eq!(closure.outcome, ClosureOutcome::Completed, "that one had nothing more");
}

#[test]
fn words_that_are_taken_back_while_the_model_answers_cost_the_turn_nothing() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(says("Milk and bread are there."));
    let delivery = house.spoken("and bread", "r2", Priority::Interject);
    let (ingress, waker) = (house.runtime.ingress.clone(), house.runtime.waker.clone());
    let (agent, model) = (house.agent.clone(), Arc::clone(&house.model));
    house.model.meanwhile(0, move || {
        let bread = wait(ingress.admit(delivery)).unwrap().run_key;
        let cancel = move || {
            wait(waker.run_cancel(&agent, Some(&bread.to_string()))).map(drop).unwrap();
        };
        model.meanwhile(1, cancel);
    });
    let run = house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(house.brief(&run), "Milk and bread are there.");
    assert_eq!(house.model.asked().len(), 3, "nothing is asked again");
    let bread = house.runs().into_iter().find(|one| one.draft.priority == Priority::Interject);
    assert_eq!(house.end(&bread.unwrap().draft.run_key), ("failed", Some(Code::RunCancelled)));
}

//! A run is cancelled, or its agent stopped, while a turn is under way.

use std::sync::Arc;

use serde_json::json;
use store::wait;
use testkit::model::{asks, fails, says};
use types::{BlockKind, Code, ModelFailureKind, Priority, RunKey, TurnKind, TurnState};

use crate::house::House;

/// While the model is asked, after so many answers, the operator cancels the run that is under way.
fn cancel_meanwhile(house: &House, after: usize) {
    let (waker, agent) = (house.runtime.waker.clone(), house.agent.clone());
    house.model.meanwhile(after, move || wait(waker.run_cancel(&agent, None)).map(drop).unwrap());
}

#[test]
fn a_run_under_way_is_cancelled_and_nothing_more_of_it_gets_through() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    // The first round is done; the run is cancelled while the second is asked for.
    cancel_meanwhile(&house, 1);
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(asks(&[("b", "add_multiple_checklist_items", house.item("bread"))]));
    let run = house.prompt("add milk and bread", "r1");
    house.drain();
    assert_eq!(house.end(&run), ("failed", Some(Code::RunCancelled)));
    assert_eq!(house.items(), ["fill it", "find the can", "milk"], "what was done stays done");
    let Some(TurnState::Settled { terminal, .. }) = house.turn(&run).map(|turn| turn.state) else {
        panic!("its turn is over");
    };
    assert_eq!(terminal.kind, TurnKind::Aborted);
    let brief = house.brief(&run);
    assert!(brief.contains("cancelled") && brief.contains("One change was made"), "{brief}");
    assert!(house.calls().iter().all(|call| call.state.status().is_some()), "none is left open");
    assert_eq!(house.state().consecutive_failure_count, 0, "it is no failure of the agent's");
    let asked = house.model.asked().len();
    for _ in 0..3 {
        house.world.advance_ms(3_600_000);
        house.drain();
    }
    assert_eq!(house.model.asked().len(), asked, "it is not tried again");
    house.model.then(says("Still here."));
    let next = house.prompt("are you there?", "r2");
    house.drain();
    assert_eq!(house.brief(&next), "Still here.");
}

#[test]
fn a_run_that_is_cancelled_after_several_answers_says_how_many_there_were() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    cancel_meanwhile(&house, 2);
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(asks(&[("b", "add_multiple_checklist_items", house.item("bread"))]));
    house.model.then(asks(&[("c", "add_multiple_checklist_items", house.item("salt"))]));
    let run = house.prompt("add milk, bread and salt", "r1");
    house.drain();
    assert_eq!(house.end(&run), ("failed", Some(Code::RunCancelled)));
    let turn = house.turn(&run).unwrap();
    let TurnState::Settled { terminal, spent, .. } = turn.state else { panic!("it is over") };
    assert_eq!((turn.rounds, spent.model_calls), (2, 3), "the third question was asked as well");
    assert_eq!(terminal.last_assistant_message, Some(rules::turn::round_id(&run, 1)));
    assert_eq!(house.items(), ["bread", "fill it", "find the can", "milk"]);
}

#[test]
fn a_look_that_is_cancelled_is_not_begun_anew_and_a_later_change_is_looked_at() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let item = house.item_id("find the can");
    let check = |checked: bool| {
        house.does(
            "update_checklist_items",
            json!({ "items": [{ "id": item, "checked": checked }] }),
        );
    };
    check(true);
    cancel_meanwhile(&house, 0);
    house.drain();
    let asked = house.model.asked().len();
    assert_eq!(asked, 2);
    house.drain();
    assert_eq!(house.model.asked().len(), asked, "it has looked at that");
    check(false);
    house.drain();
    assert_eq!(house.model.asked().len(), asked + 1);
}

#[test]
fn an_agent_whose_first_look_is_cancelled_is_left_alone_until_something_happens() {
    let house = House::new(vec![]);
    cancel_meanwhile(&house, 0);
    house.drain();
    assert_eq!(house.model.asked().len(), 1);
    for _ in 0..3 {
        house.world.advance_ms(3_600_000);
        house.drain();
    }
    assert_eq!(house.model.asked().len(), 1, "it is not begun anew");
    house.model.then(says("Now I look."));
    house.does("add_multiple_checklist_items", house.item("moss"));
    house.world.advance_ms(3_600_000);
    house.drain();
    assert_eq!(house.model.asked().len(), 2);
}

#[test]
fn a_first_look_that_is_cancelled_when_it_was_taken_up_again_is_not_begun_anew() {
    let house = House::new(vec![]);
    cancel_meanwhile(&house, 2);
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(fails(ModelFailureKind::Timeout));
    for _ in 0..4 {
        house.drain();
        house.world.advance_ms(3_600_000);
    }
    assert_eq!(house.model.asked().len(), 3, "twice, and once more to be cancelled");
}

#[test]
fn what_changed_before_words_that_are_cancelled_is_looked_at_all_the_same() {
    let house = House::reported("A can is missing.");
    house.does("add_multiple_checklist_items", house.item("moss"));
    cancel_meanwhile(&house, 0);
    let run = house.prompt("never mind", "r1");
    house.model.then(says("unheard"));
    house.model.then(says("There is moss."));
    house.world.advance_ms(3_600_000);
    house.drain();
    assert_eq!(house.end(&run), ("failed", Some(Code::RunCancelled)));
    house.world.advance_ms(3_600_000);
    house.drain();
    let last = house.model.asked().len() - 1;
    let delta = house.block(last, BlockKind::Delta).unwrap();
    assert!(last > 2 && delta.contains(&house.item_id("moss")), "{delta}");
}

#[test]
fn a_run_that_waits_is_cancelled_by_the_beginning_of_its_name_and_one_that_is_over_is_not() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let first = house.prompt("one", "r1");
    let second = house.say("two", "r2", Priority::Normal);
    let cancel = |name: Option<&str>| wait(house.runtime.waker.run_cancel(&house.agent, name));
    assert!(cancel(None).is_err(), "none is under way");
    for too_short in ["", &second.to_string()[..3]] {
        assert!(cancel(Some(too_short)).is_err(), "{too_short:?} names nothing");
    }
    cancel(Some(&second.to_string()[..12])).unwrap();
    house.drain();
    assert_eq!(house.end(&first), ("completed", None));
    assert_eq!(house.end(&second), ("failed", Some(Code::RunCancelled)));
    assert_eq!(house.model.asked().len(), 2, "the first look, and the first of the two");
    let problem = types::Problem::from(cancel(Some(&first.to_string())).unwrap_err());
    assert_eq!(problem.code, Code::UnknownOperation);
}

#[test]
fn cancelling_a_run_that_waits_leaves_the_one_under_way_alone() {
    let house = House::new(vec![says("First look."), says("Done.")]);
    house.drain();
    let first = house.prompt("one", "r1");
    let second = house.say("two", "r2", Priority::Normal);
    let (waker, agent) = (house.runtime.waker.clone(), house.agent.clone());
    let cancel = move || {
        wait(waker.run_cancel(&agent, Some(&second.to_string()))).map(drop).unwrap();
    };
    house.model.meanwhile(0, cancel);
    house.drain();
    assert_eq!(house.end(&second), ("failed", Some(Code::RunCancelled)));
    assert_eq!(house.end(&first), ("completed", None));
    assert_eq!(house.model.asked().len(), 2, "the first look, and the first of the two, once");
}

#[test]
fn a_turn_is_interrupted_asked_after_and_resumed_under_the_same_name() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let (fleet, agent) = (house.runtime.fleet.clone(), house.agent.clone());
    house.model.meanwhile(1, move || wait(fleet.agent_pause(agent.as_str())).map(drop).unwrap());
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(asks(&[("b", "add_multiple_checklist_items", house.item("bread"))]));
    house.model.then(says("Done."));
    let run = house.prompt("add milk and bread", "r1");
    house.drain();
    assert_eq!(house.items(), ["fill it", "find the can", "milk"]);
    let told = wait(house.runtime.waker.told(run)).unwrap();
    assert_eq!(told.kind, "pending", "{told:?}");
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.items().len(), 3, "nothing moves while it is stopped");
    wait(house.runtime.fleet.agent_resume(house.agent.as_str())).unwrap();
    house.world.advance_ms(600_000);
    house.drain();
    let told = wait(house.runtime.waker.told(run)).unwrap();
    assert_eq!((told.kind, told.text.as_str()), ("result", "Done."));
    assert_eq!(
        house.items(),
        ["fill it", "find the can", "milk"],
        "what was not recorded is asked anew"
    );
}

/// Speaks to an agent whose model does not answer; meanwhile something happens. If the call is not given up
/// then, nobody comes back from here.
fn while_nobody_answers(house: &House, what: impl FnOnce() + Send + 'static) -> RunKey {
    house.drain();
    house.model.sticks(0);
    house.model.meanwhile(0, what);
    let run = house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(house.model.still_listening(), 0, "nobody waits for the answer");
    run
}

#[test]
fn a_call_that_is_not_answered_is_given_up_when_its_run_is_cancelled() {
    let house = House::new(vec![says("First look.")]);
    let (waker, agent) = (house.runtime.waker.clone(), house.agent.clone());
    let cancel = move || wait(waker.run_cancel(&agent, None)).map(drop).unwrap();
    let run = while_nobody_answers(&house, cancel);
    assert_eq!(house.end(&run), ("failed", Some(Code::RunCancelled)));
    assert!(house.brief(&run).contains("cancelled"), "{}", house.brief(&run));
    let asked = house.model.asked().len();
    house.world.advance_ms(3_600_000);
    house.drain();
    assert_eq!(house.model.asked().len(), asked, "it is not asked again");
    assert_eq!(house.account().reserved.tokens, 0);
    assert!(house.account().spent.tokens > 0, "what was asked for counts as spent");
}

#[test]
fn a_call_that_is_not_answered_is_given_up_when_its_agent_or_everything_is_stopped() {
    type Switch = fn(&House, bool);
    let switches: [Switch; 2] = [
        |house, on| {
            let (fleet, agent) = (&house.runtime.fleet, house.agent.as_str());
            match on {
                true => wait(fleet.agent_pause(agent)).map(drop).unwrap(),
                false => wait(fleet.agent_resume(agent)).map(drop).unwrap(),
            }
        },
        |house, on| match on {
            true => wait(house.runtime.fleet.kill_on()).unwrap(),
            false => wait(house.runtime.fleet.kill_off()).unwrap(),
        },
    ];
    for switch in switches {
        let house = Arc::new(House::new(vec![says("First look.")]));
        let stopped = Arc::clone(&house);
        let run = while_nobody_answers(&house, move || switch(&stopped, true));
        assert!(house.turn(&run).is_none(), "nothing is on record");
        house.model.then(says("Here is the milk."));
        switch(&house, false);
        house.world.advance_ms(600_000);
        house.drain();
        assert_eq!(house.brief(&run), "Here is the milk.", "it is taken up again");
    }
}

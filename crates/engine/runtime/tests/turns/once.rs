//! A turn that dies is taken up where it was.

use std::sync::Arc;

use model::Exchange;
use serde_json::{Value, json};
use store::wait;
use testkit::model::{asks, fails, says};
use types::{
    Author, Body, BudgetLimits, Code, Commit, Compliance, Domain, InvocationState, MessageKind,
    ModelFailureKind, RecordDraft, Turn, Write,
};

use crate::house::{House, start};

#[test]
fn what_is_asked_for_again_in_a_later_answer_is_not_done_twice_and_the_model_hears_so() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    for id in ["a", "b"] {
        house.model.then(asks(&[(id, "add_multiple_checklist_items", house.item("milk"))]));
    }
    house.model.then(says("Milk is on the list."));
    house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(house.items(), ["fill it", "find the can", "milk"]);
    let heard: Vec<bool> =
        house.model.asked().pop().unwrap().said.iter().filter_map(answer).collect();
    assert_eq!(heard, [false, true], "only the second is a repetition");
}

/// Whether an answer of a tool says that it is one of before.
fn answer(said: &Exchange) -> Option<bool> {
    match said {
        Exchange::Answered { text, .. } => Some(text.contains("\"repeated\":true")),
        _ => None,
    }
}

#[test]
fn a_plan_that_was_recorded_is_carried_out_and_never_made_anew() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    // It asks for milk, and the model then fails: the second attempt goes on from there.
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

#[test]
fn what_was_not_yet_written_down_when_a_process_dies_comes_back_with_its_turn() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    let run = house.prompt("add milk", "r1");
    let house = house.dies(1);
    house.model.then(says("Done."));
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.brief(&run), "Done.");
    let asked = house.model.asked();
    let (before, after) = (&asked[asked.len() - 2], &asked[asked.len() - 1]);
    assert_eq!((&before.prompt, &before.said), (&after.prompt, &after.said));
    assert!(!after.said.is_empty(), "what the tool answered is there again");
    assert_eq!(house.items(), ["fill it", "find the can", "milk"]);
}

#[test]
fn a_turn_ends_under_the_version_it_began_with_and_one_of_another_is_not_guessed_at() {
    for version in [1, 2] {
        let house = House::new(vec![says("First look.")]);
        house.drain();
        house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
        let run = house.prompt("add milk", "r1");
        let house = house.dies(1);
        let turn = Turn { version, ..house.turn(&run).unwrap() };
        let draft = RecordDraft::live(rules::turn::id(&run), turn);
        let writes = vec![Write::Record(draft)];
        let commit = Commit::new(Domain::Agent, Author::Runtime, house.now(), writes);
        wait(house.runtime.store.commit(commit)).unwrap();
        let asked = house.model.asked().len();
        house.model.then(says("Done."));
        house.world.advance_ms(600_000);
        house.drain();
        let turn = house.turn(&run).unwrap();
        assert_eq!((turn.workflow.as_str(), turn.version), ("session", version));
        assert_eq!(
            house.items(),
            ["fill it", "find the can", "milk"],
            "what was done is done once"
        );
        if version == 1 {
            assert_eq!(
                (house.end(&run), house.brief(&run).as_str()),
                (("completed", None), "Done.")
            );
            continue;
        }
        assert_eq!(house.end(&run), ("failed", Some(Code::StoreNewer)));
        assert_eq!(house.model.asked().len(), asked, "nobody is asked on its behalf");
        assert!(house.brief(&run).contains("One change was made"), "{}", house.brief(&run));
        let call = house.calls().remove(0);
        assert!(matches!(call.state, InvocationState::Done { .. }), "{:?}", call.state);
    }
}

#[test]
fn a_run_that_always_dies_is_given_up_and_both_files_say_the_same() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    let run = house.prompt("add milk", "r1");
    let mut house = house.dies(1);
    let open: Vec<_> = house.calls().into_iter().map(|call| call.state).collect();
    assert_eq!(open, [InvocationState::Intended], "the journal knows, the agents' file does not");
    for _ in 0..20 {
        house = house.dies(0);
    }
    assert_eq!(house.end(&run), ("failed", Some(Code::RunInterrupted)));
    assert_eq!(house.items(), ["fill it", "find the can", "milk"], "done once");
    let settled = house.calls();
    assert_eq!(settled.len(), 1);
    assert!(matches!(
        settled[0].state,
        InvocationState::Done { compliance: Compliance::Recovered, .. }
    ));
    let brief = house.brief(&run);
    assert!(brief.contains("One change was made") && brief.contains("may not remember"), "{brief}");
    assert_eq!(house.kinds(&run).pop(), Some(MessageKind::System), "its thread says so too");
    let id = rules::turn::message_id(&run, "failed", "over").into();
    let entry = wait(house.runtime.store.record(Domain::Agent, id)).unwrap().unwrap();
    let Body::AgentMessage(entry) = entry.body else { panic!("{entry:?}") };
    assert_eq!(entry.previous, Some(rules::turn::round_id(&run, 0)));
    assert_eq!(entry.metadata.error_code.as_deref(), Some("run_interrupted"));
    let words = wait(house.runtime.store.content(Domain::Agent, entry.content)).unwrap().unwrap();
    let said: Value = serde_json::from_slice(&words.bytes).unwrap();
    assert_eq!(
        (&said["said"], &said["failure"]["kind"]),
        (&json!(brief), &json!("run_interrupted"))
    );
    let events = wait(house.runtime.store.events(house.agent.clone(), Some(0), 1_000)).unwrap();
    let partial: Vec<_> =
        events.iter().filter(|event| event.kind == "partial_turn_failure").collect();
    assert_eq!(partial.len(), 1);
    assert_eq!(partial[0].body["changes"], 1);
}

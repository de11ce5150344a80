//! Models that misbehave: each a typed failure, a brief, and nothing half done.

use std::sync::Arc;

use model::Response;
use serde_json::json;
use testkit::model::{Line, asks, fails, says};
use types::{
    BudgetLimits, Code, FinishReason, ModelFailureKind, RunEnd, RunState, TurnKind, TurnState,
};

use crate::house::House;

fn failed(house: &House, run: &types::RunKey) -> (Code, String) {
    let found = house.runs().into_iter().find(|one| one.draft.run_key == *run).unwrap();
    let RunState::Ended { end: RunEnd::Failed(failure), .. } = found.state else {
        panic!("it did not fail: {:?}", found.state);
    };
    let Some(TurnState::Settled { terminal, failure: Some(artifact), .. }) =
        house.turn(run).map(|turn| turn.state)
    else {
        panic!("a failed turn says so");
    };
    assert_eq!(terminal.kind, TurnKind::Aborted);
    assert_eq!(artifact.kind, failure.code.as_str());
    (failure.code, house.brief(run))
}

fn after(lines: Vec<Line>) -> (House, types::RunKey) {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    for line in lines {
        house.model.then(line);
    }
    let run = house.prompt("add milk", "r1");
    for _ in 0..12 {
        house.world.advance_ms(3_600_000);
        house.drain();
    }
    (house, run)
}

#[test]
fn every_way_to_fail_is_typed_and_told() {
    let nothing = says("");
    let table = [
        (fails(ModelFailureKind::InvalidResponse), Code::InvalidResponse),
        (fails(ModelFailureKind::Timeout), Code::ModelUnavailable),
        (fails(ModelFailureKind::Authentication), Code::ProviderRefused),
        (fails(ModelFailureKind::SecretUnavailable), Code::SecretUnavailable),
        (fails(ModelFailureKind::NetworkDenied), Code::NetworkDenied),
        (fails(ModelFailureKind::UnsupportedTransport), Code::UnsupportedTransport),
        (fails(ModelFailureKind::ContextLength), Code::ContextLengthExceeded),
        (nothing, Code::InvalidResponse),
    ];
    for (line, code) in table {
        let (house, run) = after(vec![line]);
        let (found, brief) = failed(&house, &run);
        assert_eq!(found, code);
        assert!(brief.starts_with("I could not finish this: "), "{brief}");
        assert!(brief.contains(code.as_str()) && brief.contains("Nothing was done."), "{brief}");
        assert!(!brief.contains("dormouse runs"), "there is something to do about it: {brief}");
        assert_eq!(house.items(), ["fill it", "find the can"]);
    }
}

#[test]
fn a_model_that_has_called_its_tools_may_end_without_a_word() {
    for silence in ["", " \n"] {
        let house = House::new(vec![says("First look.")]);
        house.drain();
        house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
        house.model.then(says(silence));
        let run = house.prompt("add milk", "r1");
        house.drain();
        assert_eq!(house.end(&run), ("completed", None));
        assert!(house.brief(&run).contains("said nothing more"), "{}", house.brief(&run));
        assert_eq!(house.items(), ["fill it", "find the can", "milk"]);
        assert_eq!(house.round(&run, 1).text, silence, "nobody puts words into its mouth");
        house.model.then(says("It is."));
        let next = house.prompt("is it there?", "r2");
        house.drain();
        assert_eq!(house.brief(&next), "It is.");
    }
}

#[test]
fn calls_that_make_no_sense_are_answered_and_the_model_may_mend_them() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let wrong = json!({ "taskId": house.task, "items": "milk" });
    let mut garbled = asks(&[("c", "add_multiple_checklist_items", json!({}))]).unwrap();
    garbled.calls[0].arguments = Err("{\"items\": [".to_owned());
    house.model.then(asks(&[("a", "fly_to_the_moon", json!({}))]));
    house.model.then(asks(&[("b", "add_multiple_checklist_items", wrong)]));
    house.model.then(Ok(garbled));
    house.model.then(says("I give up."));
    let run = house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(house.brief(&run), "I give up.");
    let answers = format!("{:?}", house.model.asked().last().unwrap().said);
    for kind in ["unknown_tool", "bad_arguments"] {
        assert!(answers.contains(kind), "{answers}");
    }
    assert_eq!(house.items(), ["fill it", "find the can"]);
}

#[test]
fn what_a_turn_did_before_it_failed_for_good_has_one_end() {
    let (house, run) = House::failed_after_a_call();
    assert_eq!(house.end(&run).0, "failed");
    let ends = house.audited().into_iter().filter(|(action, ..)| action == "tool.done");
    let ends: Vec<String> = ends.map(|(_, _, how)| how).collect();
    assert_eq!(ends, ["compliant:add_multiple_checklist_items"]);
    assert_eq!(house.items(), ["fill it", "find the can", "milk"]);
}

/// The same, from a model that had no room left.
fn cut_off(line: Line) -> Line {
    line.map(|response| Response { finish: FinishReason::Length, ..response })
}

#[test]
fn words_that_were_cut_off_are_told_as_such_and_calls_that_were_are_not_made() {
    let (house, run) = after(vec![cut_off(says("Milk is on the li"))]);
    let brief = house.brief(&run);
    assert!(brief.starts_with("Milk is on the li\n\n(The answer was cut off here"), "{brief}");
    assert!(brief.contains("max_output_tokens"), "{brief}");
    assert_eq!(house.end(&run), ("completed", None));
    let call = asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]);
    let table = [(call, "in the middle of what it asked for"), (says(""), "before it had said")];
    for (line, why) in table {
        let (house, run) = after(vec![cut_off(line)]);
        let (code, brief) = failed(&house, &run);
        assert_eq!(code, Code::InvalidResponse);
        assert!(brief.contains("ran out of room") && brief.contains(why), "{brief}");
        assert_eq!(house.items(), ["fill it", "find the can"]);
    }
}

#[test]
fn the_same_call_for_ever_is_ended() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[("a", "fly_to_the_moon", json!({}))]));
    let run = house.prompt("fly", "r1");
    house.drain();
    let (code, brief) = failed(&house, &run);
    assert_eq!(code, Code::NoProgress);
    assert!(brief.contains("again and again"), "{brief}");
    assert!(brief.contains("Nothing was done."), "all of it was refused: {brief}");
}

#[test]
fn of_calls_that_were_repeated_those_that_changed_something_are_told() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(asks(&[("b", "fly_to_the_moon", json!({}))]));
    let run = house.prompt("fly", "r1");
    house.drain();
    let (code, brief) = failed(&house, &run);
    assert_eq!(code, Code::NoProgress);
    assert!(brief.contains("stays done: one call of a tool."), "{brief}");
}

#[test]
fn a_turn_is_bounded() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    for number in 0..9 {
        let call = (format!("c{number}"), format!("milk {number}"));
        let arguments = house.item(&call.1);
        house.model.then(asks(&[(&call.0, "add_multiple_checklist_items", arguments)]));
    }
    let run = house.prompt("add a lot", "r1");
    house.drain();
    let (code, brief) = failed(&house, &run);
    assert_eq!(code, Code::TurnLimitReached);
    assert!(brief.contains("5 calls of tools"), "{brief}");
    assert_eq!(house.model.asked().len(), 1 + 5, "and is not asked a sixth time");
    assert_eq!(house.items().len(), 7, "what was done stays done, once");
}

#[test]
fn time_at_work_counts_and_ends_with_its_limit() {
    let limits = BudgetLimits { runtime_ms: Some(2_000), ..BudgetLimits::default() };
    let house = House::limited(vec![says("First look.")], limits);
    house.drain();
    assert_eq!(house.account().spent.runtime_ms, 0);
    let world = Arc::clone(&house.world);
    house.model.meanwhile(0, move || world.advance_ms(3_000));
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    let run = house.prompt("add milk", "r1");
    house.drain();
    let (code, brief) = failed(&house, &run);
    assert_eq!(code, Code::BudgetExceeded);
    assert!(brief.contains("minutes_per_day"), "{brief}");
    assert_eq!(house.model.asked().len(), 2, "the first look, and one question");
    assert_eq!(house.account().spent.runtime_ms, 3_000);
}

#[test]
fn who_may_not_work_at_all_asks_nobody() {
    let limits = BudgetLimits { runtime_ms: Some(0), ..BudgetLimits::default() };
    let house = House::limited(vec![says("First look.")], limits);
    house.drain();
    let run = house.runs().pop().unwrap().draft.run_key;
    let (code, brief) = failed(&house, &run);
    assert_eq!(code, Code::BudgetExceeded);
    assert!(brief.contains("minutes_per_day"), "{brief}");
    assert!(house.model.asked().is_empty());
}

#[test]
fn a_budget_stops_hard_before_anybody_is_asked() {
    let limits = BudgetLimits { tokens: Some(50), ..BudgetLimits::default() };
    let house = House::limited(vec![says("First look.")], limits);
    house.drain();
    let run = house.runs().pop().unwrap().draft.run_key;
    let (code, brief) = failed(&house, &run);
    assert_eq!(code, Code::BudgetExceeded);
    let told =
        "it would go beyond its limit of a day, tokens_per_day. Nothing was done. Raise the limit";
    assert!(brief.contains(told), "{brief}");
    assert!(house.model.asked().is_empty());
}

//! What those who follow an agent are told of its questions.

use serde_json::{Value, json};
use store::wait;
use testkit::model::{Line, asks, fails, says};
use types::{
    AttemptTimeline, Body, BodyType, Domain, MessageKind, ModelFailureKind, RunKey, TokenUsage,
    limits,
};

use crate::house::House;

/// The events of a kind, oldest first.
fn events(house: &House, kind: &str) -> Vec<Value> {
    let all =
        wait(house.runtime.store.events(house.agent.clone(), Some(0), limits::ROWS_PER_READ_MAX))
            .unwrap();
    all.into_iter().filter(|event| event.kind == kind).map(|event| event.body).collect()
}

/// What is kept of the failures of a run, oldest first.
fn failures(house: &House, run: &RunKey) -> Vec<Value> {
    let listing = store::Listing::of(house.agent.as_str(), BodyType::AgentMessage, 100);
    let records = wait(house.runtime.store.records(Domain::Agent, listing)).unwrap();
    let of_run = records.into_iter().rev().filter_map(|record| match record.body {
        Body::AgentMessage(message) if message.run_key == Some(*run) => Some(message),
        _ => None,
    });
    let failed = of_run.filter(|message| message.kind == MessageKind::System);
    let words = failed.map(|message| {
        let content = wait(house.runtime.store.content(Domain::Agent, message.content.clone()));
        serde_json::from_slice(&content.unwrap().unwrap().bytes).unwrap()
    });
    words.collect()
}

fn with(line: Line, usage: Option<TokenUsage>) -> Line {
    let timeline = AttemptTimeline {
        requested_model_ref: "builtin/scribe".to_owned(),
        aggregated_token_usage: usage,
        ..AttemptTimeline::default()
    };
    match line {
        Ok(answer) => Ok(model::Response { timeline, ..answer }),
        Err(failure) => Err(model::Failure { timeline, ..failure }),
    }
}

#[test]
fn followers_are_told_how_a_model_was_reached_apart_from_what_it_said() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let (usage, long) = (Some(TokenUsage::of(100, 10)), "Murmur ".repeat(1_000));
    let add = asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]);
    house.model.then(with(add, usage));
    house.model.then(with(says(&long), usage));
    let run = house.prompt("add milk", "r1");
    house.drain();
    let of_run = |kind: &str| -> Vec<Value> {
        events(&house, kind).into_iter().filter(|body| body["run_key"] == json!(run)).collect()
    };
    let (reached, said) = (of_run("model_answered"), of_run("answer_recorded"));
    assert_eq!((reached.len(), said.len()), (2, 2));
    for (number, body) in reached.iter().enumerate() {
        assert_eq!((&body["round"], &body["model"]), (&json!(number), &json!("builtin/scribe")));
        assert_eq!(body["timeline"]["requested_model_ref"], "builtin/scribe");
        assert_eq!(body["token_usage"]["total_tokens"], 110);
        let told = body.to_string();
        assert!(!told.contains("Murmur") && !told.contains("checklist"), "{told}");
    }
    assert_eq!(
        (&said[0]["preview"], &said[0]["tools"]),
        (&json!(""), &json!(["add_multiple_checklist_items"]))
    );
    assert!(said[1]["preview"].as_str().unwrap().starts_with("Murmur Murmur"));
    assert!(said[1].to_string().len() < 600, "it is bounded");
    for (round, told) in house.rounds(&run).iter().zip(&reached) {
        assert_eq!(json!(round.timeline), told["timeline"], "and it lies with the answer");
    }
}

#[test]
fn every_attempt_that_fails_leaves_word_with_its_timeline_and_its_cost_if_that_is_known() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(with(fails(ModelFailureKind::Timeout), None));
    house.model.then(with(fails(ModelFailureKind::Broken), Some(TokenUsage::of(70, 5))));
    house.model.then(with(fails(ModelFailureKind::InvalidResponse), None));
    let run = house.prompt("add milk", "r1");
    for _ in 0..5 {
        house.world.advance_ms(3_600_000);
        house.drain();
    }
    let (kept, told) = (failures(&house, &run), events(&house, "model_failed"));
    assert_eq!((kept.len(), told.len()), (3, 3), "{kept:?}");
    let kinds: Vec<&Value> = told.iter().map(|body| &body["kind"]).collect();
    assert_eq!(kinds, ["timeout", "broken", "invalid_response"]);
    for one in kept.iter().chain(&told) {
        assert_eq!(one["timeline"]["requested_model_ref"], "builtin/scribe");
    }
    for all in [&kept, &told] {
        let costs: Vec<Option<&Value>> = all.iter().map(|one| one.get("token_usage")).collect();
        assert_eq!(costs, [None, Some(&json!(TokenUsage::of(70, 5))), None]);
    }
    let failure = &kept[2]["failure"];
    assert_eq!(
        (&failure["kind"], &failure["category"]),
        (&json!("invalid_response"), &json!("protocol"))
    );
    assert_eq!(
        (&failure["provider"], &failure["model_ref"], &failure["summary"]),
        (&json!("builtin"), &json!("builtin/scribe"), &json!("the script says invalid_response"))
    );
}

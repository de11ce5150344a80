//! What came from outside stays so in all that is made of it.

use serde_json::json;
use store::wait;
use testkit::model::{asks, says};
use types::{
    BlockKind, Body, BodyType, ContentRef, Domain, InvocationState, Label, MessageKind, RunKey,
    Source, Trust, TurnState,
};

use crate::house::House;

/// The agent writes a report, a note and an item, and says something.
fn writes_it_all(house: &House) {
    let report = json!({ "content": "The can leaks.", "claims": [] });
    house.model.then(asks(&[
        ("r", "update_report", report),
        ("n", "record_observations", json!({ "notes": ["somebody wrote about a leak"] })),
        ("a", "add_multiple_checklist_items", house.item("mend the can")),
    ]));
    house.model.then(says("It leaks."));
}

fn label(house: &House, domain: Domain, at: ContentRef) -> Label {
    wait(house.runtime.store.content(domain, at)).unwrap().unwrap().label
}

/// The labels of all that a run has made, each with what it is.
fn made_by(house: &House, run: &RunKey) -> Vec<(String, Label)> {
    let store = &house.runtime.store;
    let mut made = Vec::new();
    for kind in [BodyType::AgentReport, BodyType::AgentMessage] {
        let listing = store::Listing::of(house.agent.as_str(), kind, 100);
        for record in wait(store.records(Domain::Agent, listing)).unwrap() {
            let (name, at) = match record.body {
                Body::AgentReport(report) if report.run_key == *run => ("report", report.content),
                Body::AgentMessage(message)
                    if message.run_key == Some(*run)
                        && message.kind == MessageKind::Observation =>
                {
                    ("note", message.content)
                }
                _ => continue,
            };
            made.push((name.to_owned(), label(house, Domain::Agent, at)));
        }
    }
    for call in house.calls().into_iter().filter(|call| call.run_key == *run) {
        let InvocationState::Done { result, .. } = call.state else { panic!("{call:?}") };
        for (what, at) in [("arguments", call.arguments), ("answer", result)] {
            let name = format!("{what} of {}", call.tool);
            made.push((name, label(house, Domain::Agent, at)));
        }
        let operation =
            call.operation.and_then(|id| wait(store.operation(Domain::Journal, id)).unwrap());
        let known = operation.map(|known| label(house, Domain::Journal, known.result));
        made.extend(known.map(|label| ("what the journal knows".to_owned(), label)));
    }
    let reach = store::Reach { items: 10, entries: 10 };
    let around = wait(store.surroundings(house.task.parse().unwrap(), reach)).unwrap();
    let item = house.item_id("mend the can");
    made.extend(
        around
            .origins
            .into_iter()
            .filter(|(id, _)| id.as_str() == item)
            .map(|(_, label)| ("words of the item".to_owned(), label)),
    );
    made
}

const ALL: [&str; 10] = [
    "answer of add_multiple_checklist_items",
    "answer of record_observations",
    "answer of update_report",
    "arguments of add_multiple_checklist_items",
    "arguments of record_observations",
    "arguments of update_report",
    "note",
    "report",
    "what the journal knows",
    "words of the item",
];

#[test]
fn what_is_made_of_words_from_outside_says_so_and_exposes_whoever_reads_it_later() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    writes_it_all(&house);
    let run = house.hear("the can leaks, they say", "d1");
    house.drain();
    let mut made = made_by(&house, &run);
    made.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(made.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ALL);
    for (name, label) in &made {
        assert!(label.sources.contains(&Source::External), "{name}: {label:?}");
        assert!(label.sources.contains(&Source::Model), "{name}: {label:?}");
        assert_eq!(label.trust, Trust::Untrusted, "{name}");
    }
    house.model.then(says("I see it."));
    let later = house.prompt("how do things stand?", "r1");
    house.drain();
    let asked = house.model.asked().len() - 1;
    assert!(house.block(asked, BlockKind::Report).unwrap().contains("The can leaks."));
    let turn = house.turn(&later).unwrap();
    assert!(turn.exposed);
    let prompt = label(&house, Domain::Agent, turn.prompt.words.clone().unwrap());
    assert!(prompt.sources.contains(&Source::External), "{prompt:?}");
    let TurnState::Settled { brief, .. } = turn.state else { panic!("{later} is not over") };
    let said = label(&house, Domain::Agent, brief.content);
    assert!(said.sources.contains(&Source::External), "two turns later: {said:?}");
}

#[test]
fn what_is_made_of_the_operators_words_names_nobody_else_but_the_model() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    writes_it_all(&house);
    let run = house.prompt("the can leaks", "r1");
    house.drain();
    let made = made_by(&house, &run);
    assert_eq!(made.len(), ALL.len());
    for (name, label) in made {
        let known = [Source::Operator, Source::Runtime, Source::Model];
        assert!(label.sources.iter().all(|source| known.contains(source)), "{name}: {label:?}");
    }
}

//! Older words become summaries: with the turn that makes them, or not at all, and each once.

use std::collections::BTreeMap;

use runtime::Delivery;
use serde_json::json;
use store::{Listing, wait};
use testkit::model::{asks, fails, says};
use types::{
    Author, BlockKind, Body, BodyType, Commit, Domain, Label, Message, MessageId, MessageKind,
    ModelFailureKind, Record, RecordDraft, RecordId, SummarySpan, Trust, Write, limits,
};

use crate::house::{House, words};

/// A home in which so many questions were asked and answered.
fn after(questions: usize) -> House {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    for number in 0..questions {
        ask(&house, number);
    }
    house
}

fn ask(house: &House, number: usize) {
    house.model.then(says(&format!("answer {number}")));
    house.prompt(&format!("question {number}"), &format!("r{number}"));
    house.drain();
}

fn latest(house: &House) -> Option<MessageId> {
    house.state().latest_summary_message_id
}

/// How many questions it takes until something is summed up, and under which name.
fn first() -> (usize, MessageId) {
    let house = after(0);
    for number in 0..60 {
        ask(&house, number);
        if let Some(id) = latest(&house) {
            return (number, id);
        }
    }
    panic!("nothing was ever summed up");
}

fn message(house: &House, id: &MessageId) -> Option<Message> {
    let record = wait(house.runtime.store.record(Domain::Agent, id.into())).unwrap();
    record.and_then(|record| match record.body {
        Body::AgentMessage(message) => Some(*message),
        _ => None,
    })
}

#[test]
fn what_was_said_in_a_session_is_in_every_later_prompt_as_it_was_or_summed_up() {
    let house = after(0);
    for number in 0..24 {
        ask(&house, number);
        let history = house.block(house.model.asked().len() - 1, BlockKind::History);
        let history = history.unwrap_or_default();
        for earlier in 0..number {
            for words in [format!("question {earlier}"), format!("answer {earlier}")] {
                assert!(history.contains(&words), "{words} is lost in turn {number}: {history}");
            }
        }
    }
}

/// Every message of the agent, with its words.
fn messages(house: &House) -> BTreeMap<RecordId, (Record, Vec<u8>)> {
    let store = &house.runtime.store;
    let listing = Listing::of(house.agent.as_str(), BodyType::AgentMessage, 1_000);
    let records = wait(store.records(Domain::Agent, listing)).unwrap();
    let words = |record: Record| {
        let Body::AgentMessage(message) = &record.body else { panic!("{record:?}") };
        let content = wait(store.content(Domain::Agent, message.content.clone())).unwrap();
        (record.id.clone(), (record, content.unwrap().bytes))
    };
    records.into_iter().map(words).collect()
}

#[test]
fn what_a_summary_stands_for_stays_as_it_was_said() {
    let house = after(first().0);
    let before = messages(&house);
    ask(&house, first().0);
    assert!(latest(&house).is_some(), "something was summed up");
    let after = messages(&house);
    assert!(before.len() > 10, "{}", before.len());
    for (id, was) in before {
        assert_eq!(after.get(&id), Some(&was));
    }
}

#[test]
fn what_was_noted_all_at_once_is_in_every_later_prompt_as_it_was_or_summed_up() {
    let house = after(0);
    let notes = |from: usize| json!({ "notes": (from..from + 20).map(note).collect::<Vec<_>>() });
    let calls = ["a", "b", "c", "d"].into_iter().enumerate();
    let calls: Vec<_> =
        calls.map(|(place, id)| (id, "record_observations", notes(place * 20))).collect();
    house.model.then(asks(&calls));
    ask(&house, 0);
    for number in 1..4 {
        ask(&house, number);
        let noted = house.block(house.model.asked().len() - 1, BlockKind::Observations).unwrap();
        for earlier in 0..80 {
            assert!(noted.contains(&note(earlier)), "{earlier} is lost in turn {number}: {noted}");
        }
    }
    // What was noted is for every thread, and the summary of it lies in none that is spoken in.
    ask_in(&house, "elsewhere", 0);
    let noted = house.block(house.model.asked().len() - 1, BlockKind::Observations).unwrap();
    assert!((0..80).all(|earlier| noted.contains(&note(earlier))), "{noted}");
    let notes = rules::thread::of_notes(&house.agent);
    let summaries = wait(house.runtime.store.scan(Domain::Agent, 0, limits::ROWS_PER_READ_MAX));
    let summaries: Vec<Message> = summaries
        .unwrap()
        .into_iter()
        .filter_map(|(_, record)| match record.body {
            Body::AgentMessage(message) if message.kind == MessageKind::Summary => Some(*message),
            _ => None,
        })
        .collect();
    assert!(summaries.iter().any(|summary| summary.thread == notes), "{summaries:?}");
}

fn note(number: usize) -> String {
    format!("fern {number} is dry")
}

#[test]
fn a_turn_that_fails_points_to_no_summary_and_the_next_one_makes_it() {
    let (questions, id) = first();
    let house = after(questions);
    house.model.then(fails(ModelFailureKind::Authentication));
    house.prompt("this fails", "fails");
    house.drain();
    assert_eq!(latest(&house), None, "the pointer would name what nobody wrote");
    assert_eq!(message(&house, &id), None);
    ask(&house, questions);
    let made = latest(&house).expect("it is made up for");
    assert_eq!(message(&house, &made).unwrap().kind, MessageKind::Summary);
}

#[test]
fn what_was_said_is_not_displaced_by_word_of_failures() {
    let house = after(3);
    for number in 0..4 {
        house.model.then(fails(ModelFailureKind::Timeout));
        let run = house.prompt(&format!("are you there {number}?"), &format!("out{number}"));
        for _ in 0..12 {
            house.world.advance_ms(3_600_000);
            house.drain();
        }
        assert_eq!(house.end(&run).0, "failed");
        let id = rules::turn::failed_id(&run, 0);
        let content = message(&house, &id).expect("each attempt leaves word").content;
        let words = wait(house.runtime.store.content(Domain::Agent, content)).unwrap().unwrap();
        assert_eq!(words.label.trust, Trust::Untrusted, "a provider's words are nobody's here");
    }
    ask(&house, 3);
    assert_eq!(latest(&house), None, "twelve lines have room");
    ask(&house, 4);
    let history = house.block(house.model.asked().len() - 1, BlockKind::History).unwrap();
    for said in ["question 0", "answer 0", "are you there 0?", "are you there 3?", "answer 3"] {
        assert!(history.contains(said), "{said} is lost: {history}");
    }
    assert!(!history.contains("model_unavailable"), "{history}");
}

/// The same in a session of this name.
fn ask_in(house: &House, session: &str, number: usize) {
    house.model.then(says(&format!("{session} answer {number}")));
    let (text, request) = (format!("{session} question {number}"), format!("{session}{number}"));
    let session = Some(session.to_owned());
    let delivery = Delivery { session, ..words(&house.agent, &text, &request) };
    wait(house.runtime.ingress.admit(delivery)).unwrap();
    house.drain();
}

#[test]
fn a_summary_is_of_one_session_and_another_does_not_hear_of_it() {
    let house = after(0);
    ask_in(&house, "evening", 0);
    let made = (0..60).find_map(|number| {
        ask_in(&house, "morning", number);
        latest(&house)
    });
    let summary = message(&house, &made.expect("it was long enough")).unwrap();
    let morning = rules::thread::of_session(&house.agent, "morning");
    assert_eq!(summary.thread, morning);
    let span = summary.summary.unwrap();
    for end in [&span.start, &span.end] {
        assert_eq!(message(&house, end).unwrap().thread, morning);
    }
    let history = |session: &str, number: usize| {
        ask_in(&house, session, number);
        house.block(house.model.asked().len() - 1, BlockKind::History).unwrap()
    };
    let (ours, theirs) = (history("evening", 1), history("morning", 99));
    assert!(ours.contains("evening question 0") && !ours.contains("morning"), "{ours}");
    assert!(!ours.contains(r#""who":"summary""#), "{ours}");
    assert!(theirs.contains(r#""who":"summary""#) && !theirs.contains("evening"), "{theirs}");
}

#[test]
fn of_two_summaries_of_one_span_the_first_stays_and_the_other_is_written_down() {
    let (questions, id) = first();
    let house = after(questions);
    // Somebody else has summed up the same span in other words.
    let bytes = b"in other words".to_vec();
    let (words, content) = rules::content::keep((&id).into(), Label::untrusted(), bytes);
    let elsewhere = rules::thread::of_session(&house.agent, "elsewhere");
    let span = SummarySpan {
        start: id.clone(),
        end: id.clone(),
        depth: 1,
        made_by: "somebody".to_owned(),
        content_hash: content.hash,
    };
    let theirs = Message::of(house.agent.clone(), elsewhere, MessageKind::Summary, content.clone());
    let theirs = Message { summary: Some(span), ..theirs };
    let writes = vec![words, Write::Record(RecordDraft::live(&id, theirs))];
    let commit = Commit::new(Domain::Agent, Author::Runtime, house.now(), writes);
    wait(house.runtime.store.commit(commit)).unwrap();
    ask(&house, questions);
    assert_eq!(message(&house, &id).unwrap().content, content, "the first stays");
    assert_eq!(latest(&house), None, "and nothing points to the other");
    let variants = house.audited().into_iter().filter(|(action, ..)| action == "summary.variant");
    let variants: Vec<_> = variants.collect();
    assert_eq!(variants.len(), 1);
    assert_eq!(variants[0].1, id.to_string());
    assert_ne!(variants[0].2, content.hash.to_string(), "it says which words those would be");
}

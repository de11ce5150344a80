//! Models with little room: what does not fit is summed up or left out, and what cannot fit is not asked.

use model::Request;
use runtime::{Delivery, Setup, StartSession};
use store::wait;
use testkit::model::says;
use types::{BlockKind, Body, Code, DeliverySurface, Domain, RunKey};

use crate::house::{House, words};
use crate::sessions::begin_narrow;

fn tokens(text: &str) -> u64 {
    u64::try_from(text.len().div_ceil(4)).unwrap()
}

/// Tokens of a question besides its prompt: tools, and the longest answer.
fn around(asked: &Request) -> u64 {
    let tools = asked.tools.iter();
    let tools: u64 =
        tools.map(|tool| tokens(&tool.description) + tokens(&tool.input_schema.to_string())).sum();
    tools + asked.generation.max_output_tokens
}

fn prompt(asked: &Request) -> u64 {
    asked.prompt.iter().map(|block| tokens(&block.text)).sum()
}

fn fits(capacity: u64) -> impl FnOnce(&mut Setup) {
    move |setup| setup.models.usual.capacity = capacity
}

/// A home in which much was said, and nothing of it had to be summed up.
fn talkative() -> House {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    for number in 0..8 {
        let long =
            format!("answer {number}: {}", "the ferns are fine and so is the hut. ".repeat(20));
        house.model.then(says(&long));
        house.prompt(&format!("question {number}"), &format!("r{number}"));
        house.drain();
    }
    assert_eq!(house.state().latest_summary_message_id, None);
    house
}

#[test]
fn what_was_said_is_summed_up_before_a_turn_whose_model_has_little_room() {
    let house = talkative();
    let usual = house.model.asked().pop().unwrap();
    let capacity = around(&usual) + prompt(&usual) - 200;
    let house = house.restarted(fits(capacity));
    house.model.then(says("All is well."));
    let run = house.prompt("and now?", "small");
    house.drain();
    assert_eq!(house.brief(&run), "All is well.");
    let asked = house.model.asked().pop().unwrap();
    assert!(prompt(&asked) + around(&asked) <= capacity);
    let latest = house.state().latest_summary_message_id.expect("it is on record with the turn");
    let record = wait(house.runtime.store.record(Domain::Agent, latest.into())).unwrap().unwrap();
    let Body::AgentMessage(summary) = record.body else { panic!("{record:?}") };
    let words = wait(house.runtime.store.content(Domain::Agent, summary.content)).unwrap().unwrap();
    let words = String::from_utf8(words.bytes).unwrap();
    assert!(words.contains("question 0"), "{words}");
    let history = asked.prompt.iter().find(|block| block.kind == BlockKind::History).unwrap();
    assert!(history.text.contains("question 0"), "the model was told of it: {}", history.text);
    assert!(history.text.contains("question 7"), "and of the last words: {}", history.text);
}

#[test]
fn a_model_with_enough_room_is_asked_with_all_of_it() {
    let house = talkative();
    let usual = house.model.asked().pop().unwrap();
    let house = house.restarted(fits(1_000_000));
    let run = house.prompt("and now?", "large");
    house.drain();
    assert_eq!(house.end(&run), ("completed", None));
    assert_eq!(house.state().latest_summary_message_id, None, "nothing had to be summed up");
    assert!(prompt(&house.model.asked().pop().unwrap()) > prompt(&usual));
}

/// The operator speaks in a session of this name.
fn say(house: &House, session: &str, text: &str, request: &str) -> RunKey {
    let session = Some(session.to_owned());
    let delivery = Delivery { session, ..words(&house.agent, text, request) };
    let run = wait(house.runtime.ingress.admit(delivery)).unwrap().run_key;
    house.drain();
    run
}

/// Starts a session with so much room.
fn start(house: &House, name: &str, token_capacity: u64) {
    let start = StartSession {
        agent: house.agent.clone(),
        name: name.to_owned(),
        conversation: None,
        token_capacity: Some(token_capacity),
        channel: DeliverySurface::CliPrompt,
    };
    wait(house.runtime.sessions.start(start)).unwrap();
}

#[test]
fn a_session_with_little_room_goes_on_and_older_words_are_summed_up() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    start(&house, "evening", 8_000);
    for number in 0..30 {
        let long = format!("answer {number}: {}", "the ferns are fine. ".repeat(30));
        house.model.then(says(&long));
        let run = say(&house, "evening", &format!("question {number}"), &format!("r{number}"));
        assert_eq!(house.end(&run), ("completed", None), "question {number}");
        let asked = house.model.asked().pop().unwrap();
        assert!(prompt(&asked) + around(&asked) <= 8_000, "question {number}");
    }
    assert!(house.state().latest_summary_message_id.is_some());
    let asked = house.model.asked().pop().unwrap();
    let history = asked.prompt.iter().find(|block| block.kind == BlockKind::History).unwrap();
    assert!(history.text.contains("question 28"), "{}", history.text);
}

#[test]
fn a_session_with_too_little_room_is_told_as_that_and_not_as_the_models_fault() {
    let house = talkative();
    let usual = house.model.asked().pop().unwrap();
    begin_narrow(&house, "narrow", around(&usual) + 100);
    let run = say(&house, "narrow", "and now?", "tiny");
    assert_eq!(house.end(&run), ("failed", Some(Code::ContextLengthExceeded)));
    let brief = house.brief(&run);
    assert!(brief.contains("its session takes"), "{brief}");
    assert!(brief.contains("dormouse session start"), "{brief}");
    assert!(!brief.contains("Choose a model"), "{brief}");
    assert_eq!(house.state().next_wake_at, None, "nothing is waited for");
}

#[test]
fn a_model_that_not_even_the_smallest_prompt_fits_is_not_asked_and_that_is_told() {
    let house = talkative();
    let usual = house.model.asked().pop().unwrap();
    let asked = house.model.asked().len();
    for room in [0, 100] {
        let house = talkative().restarted(fits(around(&usual) + room));
        let run = house.prompt("and now?", "tiny");
        house.drain();
        assert_eq!(house.end(&run), ("failed", Some(Code::ContextLengthExceeded)));
        assert_eq!(house.model.asked().len(), asked, "nobody was asked");
        let brief = house.brief(&run);
        assert!(brief.contains("tokens") && brief.contains("context_length_exceeded"), "{brief}");
        assert_eq!(house.account().reserved.tokens, 0);
    }
}

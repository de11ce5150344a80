//! What a turn may cost: set aside by a guess that is never too low, checked exactly before each question.

use std::sync::{Arc, Mutex};

use serde_json::json;
use store::wait;
use testkit::model::{Line, asks, says};
use types::{BudgetLimits, Code};

use crate::house::House;

fn script() -> Vec<Line> {
    let note = json!({ "notes": ["seen"] });
    vec![asks(&[("n", "record_observations", note)]), says("Looked.")]
}

fn limited(tokens: u64) -> House {
    House::limited(script(), BudgetLimits { tokens: Some(tokens), ..BudgetLimits::default() })
}

/// What the first question costs at most: its prompt and tools, and the longest answer.
pub(crate) fn first_question() -> u64 {
    let house = House::new(script());
    house.drain();
    let asked = house.model.asked().swap_remove(0);
    let tokens = |text: &str| u64::try_from(text.len().div_ceil(4)).unwrap();
    let prompt: u64 = asked.prompt.iter().map(|block| tokens(&block.text)).sum();
    let tools = asked.tools.iter();
    let tools: u64 =
        tools.map(|tool| tokens(&tool.description) + tokens(&tool.input_schema.to_string())).sum();
    prompt + tools + asked.generation.max_output_tokens
}

#[test]
fn each_question_is_checked_exactly_before_it_is_asked() {
    let exactly = first_question();
    let enough = limited(exactly);
    let (store, agent) = (Arc::clone(&enough.runtime.store), enough.agent.clone());
    let (seen, now) = (Arc::new(Mutex::new(0)), enough.now());
    let into = Arc::clone(&seen);
    enough.model.meanwhile(0, move || {
        let day = rules::budget::day(now, "UTC");
        *into.lock().unwrap() = wait(store.account(agent, day)).unwrap().reserved.tokens;
    });
    enough.drain();
    assert!(*seen.lock().unwrap() >= exactly, "what was set aside before was never too low");
    assert_eq!(enough.model.asked().len(), 1, "the second does not fit beside what the first took");
    let run = enough.runs().pop().unwrap().draft.run_key;
    assert_eq!(enough.end(&run), ("failed", Some(Code::BudgetExceeded)));

    let short = limited(exactly - 1);
    short.drain();
    assert!(short.model.asked().is_empty(), "one token less, and nobody is asked");
}

#[test]
fn who_has_used_up_a_budget_is_refused_before_anybody_is_asked_what_the_words_mean() {
    let house = limited(first_question());
    house.model.then(says("Looked."));
    house.drain();
    let asked = house.model.asked().len();
    let run = house.prompt("what is open?", "r1");
    house.drain();
    assert_eq!(house.end(&run), ("failed", Some(Code::BudgetExceeded)));
    assert_eq!(house.model.asked().len(), asked);
}

use model::{Heard, Listen};
use rules::hash;
use serde_json::json;
use types::{RunKey, TokenUsage};

use super::*;

fn run(name: &str) -> RunKey {
    RunKey(hash::bytes(name.as_bytes()))
}

fn said(text: &str) -> Heard {
    Heard::Text { attempt: 1, n: 0, text: text.to_owned() }
}

/// All that a follower is told by now: names and words.
fn told(following: &mut Following) -> Vec<(String, String)> {
    let chunk = |chunk: Chunk| {
        let words = match chunk.happened {
            Happened::Text(text) => text,
            Happened::Restart => format!("restart {}", chunk.round),
            Happened::Asks { tool, .. } => format!("asks {tool}"),
            Happened::Answered { tool, .. } => format!("{tool} answered"),
        };
        (chunk.id.to_string(), words)
    };
    std::iter::from_fn(|| following.try_next()).map(chunk).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(id, words)| ((*id).to_owned(), (*words).to_owned())).collect()
}

fn again(attempt: u32) -> Heard {
    Heard::Restart { attempt, taken: TokenUsage::default() }
}

#[test]
fn no_two_pieces_of_a_run_have_one_name_however_often_it_begins_anew() {
    let live = Live::default();
    let mut follower = live.follow(run("a"), None);
    let voice = Voice::new(&live, run("a"), 0, 0);
    voice.heard(again(1));
    voice.heard(said("one"));
    // A provider that is asked three times within one attempt of the run.
    voice.heard(again(2));
    voice.heard(said("two"));
    voice.heard(again(3));
    voice.in_round(1);
    drop(voice);
    let voice = Voice::new(&live, run("a"), 1, 1);
    voice.heard(said("three"));
    let expected = [
        ("0.0", "one"),
        ("0.1", "restart 0"),
        ("0.2", "two"),
        ("0.3", "restart 0"),
        ("1.0", "restart 1"),
        ("1.1", "three"),
    ];
    assert_eq!(told(&mut follower), pairs(&expected));
    drop(voice);
    // The process died, and a new one takes the run up: it has held nothing, and names nothing twice.
    let live = Live::default();
    let last = "1.1".parse().unwrap();
    let mut follower = live.follow(run("a"), Some(last));
    Voice::new(&live, run("a"), 2, 1).heard(said("four"));
    assert_eq!(told(&mut follower), pairs(&[("2.0", "restart 1"), ("2.1", "four")]));
}

#[test]
fn whoever_comes_late_or_comes_back_is_told_what_they_have_not_heard() {
    let live = Live::default();
    let voice = Voice::new(&live, run("a"), 0, 0);
    for words in ["one", "two", "three"] {
        voice.heard(said(words));
    }
    let all = pairs(&[("0.0", "one"), ("0.1", "two"), ("0.2", "three")]);
    assert_eq!(told(&mut live.follow(run("a"), None)), all);
    let after = |name: &str| told(&mut live.follow(run("a"), Some(name.parse().unwrap())));
    assert_eq!(after("0.0"), all[1..]);
    assert_eq!(after("0.2"), []);
    assert_eq!(after("7.0"), []);
    assert_eq!(told(&mut live.follow(run("b"), None)), []);
    drop(voice);
    assert_eq!(after("0.1"), all[2..], "the turn is over, its last words are held a while");
    for bad in ["", "1", "1.", ".1", "a.1", "1.2.3", "-1.0"] {
        assert!(bad.parse::<ChunkId>().is_err(), "{bad}");
    }
}

#[test]
fn what_is_held_is_bounded_and_the_newest_of_it() {
    let live = Live::default();
    let voice = Voice::new(&live, run("long"), 0, 0);
    for _ in 0..1_000 {
        voice.heard(said(&"x".repeat(1_000)));
    }
    let held = told(&mut live.follow(run("long"), None));
    assert!((50..200).contains(&held.len()), "{}", held.len());
    assert_eq!(held.last().unwrap().0, "0.999");
    // A turn under way outlasts any number of others that are over.
    for number in 0..100 {
        Voice::new(&live, run(&format!("{number}")), 0, 0).heard(said("hello"));
    }
    assert!(!told(&mut live.follow(run("long"), None)).is_empty());
    let over = (0..100).filter(|number| {
        let mut follower = live.follow(run(&format!("{number}")), None);
        follower.try_next().is_some()
    });
    assert_eq!(over.count(), 32);
    voice.say_asks("add", &json!({ "text": "y".repeat(100_000) }));
    let last = live.follow(run("long"), Some("0.999".parse().unwrap())).try_next().unwrap();
    let input = serde_json::Value::Null;
    assert_eq!(last.happened, Happened::Asks { tool: "add".to_owned(), input });
}

#[test]
fn whose_words_were_taken_up_hears_the_turn_that_has_them() {
    let live = Live::default();
    let mut follower = live.follow(run("thrown in"), None);
    let voice = Voice::new(&live, run("turn"), 0, 0);
    voice.heard(said("before"));
    assert_eq!(told(&mut follower), []);
    live.take_up(run("thrown in"), run("turn"));
    voice.heard(said("after"));
    assert_eq!(told(&mut follower), pairs(&[("0.1", "after")]));
    drop(voice);
    // That turn failed, and the words have one of their own after all.
    Voice::new(&live, run("thrown in"), 0, 0).heard(said("at last"));
    assert_eq!(told(&mut follower), pairs(&[("0.0", "at last")]));
}

//! Several orders in one message.

use crate::limits::ORDERS_MAX;

use super::words::{after_any, before_any};

/// Words that only an order begins with.
const VERBS: &[&str] = &[
    "add",
    "check off",
    "uncheck",
    "tick off",
    "untick",
    "mark",
    "rename",
    "set",
    "note:",
    "estimate",
    "due",
    "create",
    "füge",
    "hake",
];

/// Those that are never part of an item, so that they may follow a mere "and".
const STRONG: &[&str] =
    &["check off", "uncheck", "tick off", "untick", "rename it to", "set the", "set priority"];

/// The orders of a message; of too many, one more than may be. Lines that belong to a list, and words
/// between quotation marks, stay together.
pub(super) fn split(text: &str) -> Vec<&str> {
    let text = text.trim();
    let first = text.lines().next().unwrap_or_default().trim_end();
    if first.ends_with(':') || after_any(text, &["note:", "notiz:"]).is_some() {
        return vec![text];
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.flat_map(within_line).take(ORDERS_MAX + 1).collect()
}

fn within_line(line: &str) -> Vec<&str> {
    let mut orders = Vec::new();
    let mut rest = line;
    let mut from = 0;
    while let Some((at, word)) = next_break(rest, from) {
        let behind = &rest[at + word.len()..];
        let verbs = if word.trim() == "and" { STRONG } else { VERBS };
        let whole = rest[..at].matches('"').count().is_multiple_of(2);
        if whole && after_any(behind, verbs).is_some() && orders.len() < ORDERS_MAX {
            orders.push(rest[..at].trim());
            (rest, from) = (behind, 0);
        } else {
            from = at + word.len();
        }
    }
    orders.push(rest.trim());
    orders
}

fn next_break(text: &str, from: usize) -> Option<(usize, &'static str)> {
    const BREAKS: [&str; 5] = [" and then ", ", then ", "; ", ". ", " and "];
    let found = BREAKS.iter().filter_map(|word| Some((text[from..].find(word)? + from, *word)));
    // Of two at the same place the longer one.
    found.min_by_key(|(at, word)| (*at, usize::MAX - word.len()))
}

/// A sentence without what is only polite; a question that is one for politeness is none.
pub(super) fn without_courtesy(text: &str) -> &str {
    const BEFORE: &[&str] = &[
        "please", "bitte", "hey", "hi", "hello", "hallo", "ok", "okay", "scribe", "dormouse",
        "also",
    ];
    const ASKED: &[&str] =
        &["can you", "could you", "would you", "will you", "kannst du", "könntest du"];
    let mut text = text.trim();
    loop {
        let rest =
            after_any(text, BEFORE).map(|rest| rest.trim_start_matches([',', ':', '!', ' ']));
        let asked = || after_any(text, ASKED).filter(|rest| !rest.is_empty());
        let asked = || asked().map(|rest| rest.trim_end_matches(['?', ' ']));
        match rest.or_else(asked) {
            Some(rest) => text = rest,
            None => break,
        }
    }
    before_any(text, &[", please", ", bitte", ", thanks", ", danke"]).unwrap_or(text)
}

/// Whether there is nothing but courtesy.
pub(super) fn is_greeting(text: &str) -> bool {
    without_courtesy(text).trim_matches(|c: char| !c.is_alphanumeric()).is_empty()
        && !text.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_told_apart_and_items_stay_whole() {
        let check = |text: &str, orders: &[&str]| assert_eq!(split(text), orders, "{text}");
        check("add milk\ncheck off bread", &["add milk", "check off bread"]);
        check("add milk and check off bread", &["add milk", "check off bread"]);
        check("add milk; set priority p1", &["add milk", "set priority p1"]);
        check("add find and add missing tests", &["add find and add missing tests"]);
        check("add \"a; check off b\"", &["add \"a; check off b\""]);
        check("add bread and butter", &["add bread and butter"]);
        check("add items:\n- a\n- b", &["add items:\n- a\n- b"]);
    }

    #[test]
    fn courtesy_is_not_part_of_an_order() {
        assert_eq!(without_courtesy("Hey scribe, could you please add milk?"), "add milk");
        assert_eq!(without_courtesy("Bitte füge Brot hinzu"), "füge Brot hinzu");
        assert_eq!(without_courtesy("add Ask why?"), "add Ask why?");
        assert!(is_greeting("Hello scribe!"));
        assert!(!is_greeting("status"));
    }
}

//! From a message to orders.

use crate::limits::ORDERS_MAX;

use super::split::{is_greeting, split, without_courtesy};
use super::words::{after_any, bare};
use super::{Order, Question, add, ask, check, fields};

/// What a message asks for, order by order. Of too many none is followed: who is told of some of them
/// takes them for all.
pub(crate) fn parse(message: &str) -> Vec<Order> {
    let orders = split(message);
    if orders.len() > ORDERS_MAX {
        return vec![Order::Unclear(format!(
            "I follow at most {ORDERS_MAX} orders in one message, and those are more, so I did nothing. \
             Items of a list are one order: “add items:” and each on a line of its own."
        ))];
    }
    orders.into_iter().map(one).collect()
}

/// The kinds are tried from the most to the least certain.
fn one(sentence: &str) -> Order {
    if is_greeting(sentence) {
        return Order::Ask(Question::Help);
    }
    let text = without_courtesy(sentence);
    note(text)
        .or_else(|| fields::given(text))
        .or_else(|| ask::read(text))
        .or_else(|| add::read(text))
        .or_else(|| check::by_verb(text))
        .or_else(|| fields::read(text))
        .or_else(|| check::by_end(text))
        .or_else(|| cannot(text))
        .unwrap_or(Order::Unknown)
}

fn note(text: &str) -> Option<Order> {
    const WORDS: &[&str] = &[
        "note:",
        "note that",
        "make a note:",
        "make a note that",
        "add a note:",
        "add note:",
        "remember:",
        "remember that",
        "notiz:",
        "merke dir:",
        "merk dir:",
        "merke dir",
        "merk dir",
    ];
    let words = bare(after_any(text, WORDS)?);
    (!words.is_empty()).then(|| Order::Note(words.to_owned()))
}

/// What is asked for often and is not there.
fn cannot(text: &str) -> Option<Order> {
    const REMOVE: &[&str] = &["remove", "delete", "lösche", "entferne", "drop"];
    const LABEL: &[&str] = &["label", "tag", "assign", "assign label"];
    let why = if after_any(text, REMOVE).is_some() {
        "I cannot remove anything; I can check items off, and you can remove them."
    } else if after_any(text, LABEL).is_some() {
        "I cannot assign labels: I am shown their names only."
    } else {
        return None;
    };
    Some(Order::Unclear(why.to_owned()))
}

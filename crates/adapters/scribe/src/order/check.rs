//! "Check off milk", "milk is done", "uncheck milk".

use super::Order;
use super::words::{after, after_any, before, before_any};

/// Reads an order that begins with what to do.
pub(super) fn by_verb(text: &str) -> Option<Order> {
    let text = text.trim_end_matches(['.', '!', ' ']);
    unchecked(text)
        .map(|what| order(what, false))
        .or_else(|| checked(text).map(|what| order(what, true)))
}

/// Reads a sentence that ends with how something is.
pub(super) fn by_end(text: &str) -> Option<Order> {
    const UNDONE: &[&str] = &[
        "is not done",
        "isn't done",
        "is not finished",
        "is open again",
        "is not done yet",
        "ist nicht erledigt",
        "ist nicht fertig",
        "ist wieder offen",
        "ist doch nicht erledigt",
    ];
    const DONE: &[&str] = &[
        "is done",
        "are done",
        "is finished",
        "are finished",
        "is complete",
        "is completed",
        "is checked off",
        "ist erledigt",
        "sind erledigt",
        "ist fertig",
        "ist abgehakt",
        "abhaken",
        "erledigt",
        "done",
    ];
    let text = text.trim_end_matches(['.', '!', ' ']);
    before_any(text, UNDONE)
        .map(|what| order(what, false))
        .or_else(|| before_any(text, DONE).map(|what| order(what, true)))
}

fn order(what: &str, checked: bool) -> Order {
    let what = after_any(what, &["the item", "item", "den punkt", "punkt"]).unwrap_or(what);
    let what = what.trim_start_matches(':').trim();
    let task = ["the task", "this task", "task", "die aufgabe", "aufgabe"];
    if what.is_empty() {
        return Order::Unclear("Which item do you mean?".to_owned());
    }
    if task.iter().any(|name| after(what, name) == Some("")) {
        return Order::Status(if checked { "done" } else { "open" });
    }
    Order::Check { what: what.to_owned(), checked }
}

fn checked(text: &str) -> Option<&str> {
    const BEFORE: &[&str] = &[
        "check off",
        "tick off",
        "mark off",
        "check",
        "tick",
        "complete",
        "finish",
        "close",
        "done:",
        "done with",
        "finished:",
        "erledigt:",
        "abhaken:",
    ];
    const MARKED: &[&str] =
        &["as done", "as finished", "as complete", "as completed", "as checked", "done", "off"];
    if let Some(rest) = after(text, "mark") {
        return before_any(rest, MARKED).or_else(|| after(rest, "off"));
    }
    if let Some(rest) = after(text, "hake") {
        return before(rest, "ab");
    }
    if let Some(rest) = after_any(text, &["check", "tick"])
        && let Some(what) = before(rest, "off")
    {
        return Some(what);
    }
    after_any(text, BEFORE)
}

fn unchecked(text: &str) -> Option<&str> {
    const BEFORE: &[&str] = &["uncheck", "untick", "reopen"];
    const MARKED: &[&str] = &["as not done", "as undone", "as open", "as unchecked", "undone"];
    if let Some(rest) = after(text, "mark") {
        return before_any(rest, MARKED);
    }
    after_any(text, BEFORE)
}

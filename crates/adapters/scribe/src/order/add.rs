//! "Add milk to the checklist".

use super::Order;
use super::list::parts;
use super::words::{after, after_any, all_quoted, bare, before, before_any, unquoted};

/// Reads an order to add something.
pub(super) fn read(text: &str) -> Option<Order> {
    if let Some(order) = new_list(text).or_else(|| follow_up(text)) {
        return Some(order);
    }
    let rest = asked(text)?;
    if after_any(rest, &["label", "labels", "the label", "a label", "tag", "the tag"]).is_some() {
        let why = "I cannot assign labels: I am shown their names only.";
        return Some(Order::Unclear(why.to_owned()));
    }
    let (rest, list) = without_list(rest);
    let items = items(rest);
    Some(match items.is_empty() {
        true => Order::Unclear("What shall I add?".to_owned()),
        false => Order::Add { items, list },
    })
}

/// The words behind the verb.
fn asked(text: &str) -> Option<&str> {
    const BEFORE: &[&str] = &["add:", "add", "append", "new item:", "todo:", "to do:", "ergänze"];
    if let Some(rest) = after_any(text, BEFORE) {
        return Some(rest);
    }
    if let Some(rest) = after(text, "put") {
        let place = &["on the list", "on the checklist", "on my list", "on it"];
        return before_any(rest.trim_end_matches('.'), place);
    }
    let plain = text.trim_end_matches('.');
    match after(text, "füge") {
        Some(rest) => before_any(rest.trim_end_matches('.'), &["hinzu", "ein", "an"]),
        None => before(plain, "hinzufügen"),
    }
}

/// The words without the place they are meant for, and the list that was named, if one was.
fn without_list(text: &str) -> (&str, Option<String>) {
    const PLACES: &[&str] = &[
        "to the checklist",
        "to the list",
        "to my checklist",
        "to my list",
        "to this list",
        "to the to-do list",
        "to the todo list",
        "to this checklist",
        "to our list",
        "to the task",
        "to this task",
        "as an item",
        "as a new item",
        "zur checkliste",
        "zur liste",
        "auf die liste",
        "in die liste",
    ];
    let plain = text.trim_end_matches('.').trim_end();
    if let Some(rest) = before_any(plain, PLACES).filter(|rest| !rest.is_empty()) {
        return (rest, None);
    }
    let words = [" to the checklist ", " to the list ", " to checklist ", " zur liste "];
    let named = words.iter().find_map(|word| plain.rsplit_once(word));
    match named.filter(|_| all_quoted(plain).is_none()) {
        // A name is one word or stands between quotation marks: "to the list of places" is no list.
        Some((rest, name)) if unquoted(name).is_some() || !name.trim().contains(' ') => {
            (rest.trim_end(), Some(bare(name).to_owned()))
        }
        _ => (text, None),
    }
}

/// One item as it was given, or several if the words say so.
fn items(text: &str) -> Vec<String> {
    const MANY: &[&str] = &[
        "the following items:",
        "the following:",
        "following items:",
        "these items:",
        "the items:",
        "the items",
        "checklist items:",
        "new items:",
        "items:",
        "items",
        "punkte:",
        "die punkte:",
        "die punkte",
    ];
    const ONE: &[&str] = &[
        "a checklist item called",
        "a checklist item:",
        "a checklist item",
        "an item called",
        "an item named",
        "a new item called",
        "a new item:",
        "a new item",
        "an item:",
        "an item",
        "the item:",
        "the item",
        "item:",
        "item called",
        "item",
        "den punkt:",
        "den punkt",
        "punkt:",
        "punkt",
        ":",
    ];
    if let Some(rest) = after_any(text, MANY) {
        return parts(rest);
    }
    let rest = after_any(text, ONE).unwrap_or(text);
    // "item: a, b and c" is several as well: nobody writes a colon and commas for one.
    let listed = rest.len() < text.len() && text[..text.len() - rest.len()].contains(':');
    if (listed && rest.contains(',')) || rest.trim().contains('\n') {
        return parts(rest);
    }
    match all_quoted(rest) {
        Some(quoted) => quoted.into_iter().map(str::to_owned).collect(),
        None => {
            Some(bare(rest)).filter(|one| !one.is_empty()).map(str::to_owned).into_iter().collect()
        }
    }
}

fn new_list(text: &str) -> Option<Order> {
    const BEFORE: &[&str] = &[
        "create a checklist",
        "make a checklist",
        "add a checklist",
        "create checklist",
        "add checklist",
        "new checklist",
        "add a new checklist",
        "create a new checklist",
    ];
    let rest = after_any(text, BEFORE)?;
    let rest = after_any(rest, &["called", "named", ":"]).unwrap_or(rest);
    let split = rest.split_once(':').or_else(|| rest.split_once(" with "));
    let (title, items) = split.map_or((rest, Vec::new()), |(title, items)| (title, parts(items)));
    let title = bare(title).to_owned();
    Some(match title.is_empty() {
        true => Order::Unclear("What shall the checklist be called?".to_owned()),
        false => Order::AddList { title, items },
    })
}

fn follow_up(text: &str) -> Option<Order> {
    const BEFORE: &[&str] = &[
        "create a follow-up task",
        "create a follow-up",
        "add a follow-up task",
        "add a follow-up",
        "make a follow-up task",
        "make a follow-up",
        "follow-up:",
        "follow up:",
        "new follow-up",
    ];
    let rest = after_any(text, BEFORE)?;
    let rest = after_any(rest, &["called", "named", ":", "to"]).unwrap_or(rest);
    let title = bare(rest).to_owned();
    Some(match title.is_empty() {
        true => Order::Unclear("What shall the follow-up task be called?".to_owned()),
        false => Order::FollowUp(title),
    })
}

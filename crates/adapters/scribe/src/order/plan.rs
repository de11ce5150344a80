//! From an order to a call, an answer, or a question back.

use serde_json::{Value, json};
use types::{Invalid, limits};

use crate::limits::{LINE_BYTES_MAX, NAMES_MAX};
use crate::plain::{names, quoted};
use crate::read::{Checklist, Item, Task};

use super::find::find;
use super::list::between_commas;
use super::words::plain_words;
use super::{Order, Question};

/// What is to be done about an order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// A tool is to be called.
    Call(&'static str, Value),
    /// The report is to be written anew.
    Report,
    /// Something is to be said.
    Say(Question),
    /// It needs another word first: nothing is done.
    AskBack(String),
    /// It is not known what is wanted.
    Unknown,
}

/// What is to be done about an order for a task.
pub(crate) fn plan(order: &Order, task: &Task) -> Step {
    let id = &task.id;
    match order {
        Order::Add { items, list } => add(items, list.as_deref(), task),
        Order::AddList { title, items } => add_list(title, items, task),
        Order::Check { what, checked } => check(what, *checked, task),
        Order::Rename(title) => {
            titled(title, || Step::Call("set_task_title", json!({ "taskId": id, "title": title })))
        }
        Order::Reword { what, title } => titled(title, || reword(what, title, task)),
        Order::Priority(priority) => {
            Step::Call("update_task_priority", json!({ "taskId": id, "priority": priority }))
        }
        Order::Due(due) => {
            Step::Call("update_task_due_date", json!({ "taskId": id, "dueDate": due }))
        }
        Order::Estimate(minutes) => {
            Step::Call("update_task_estimate", json!({ "taskId": id, "estimateMinutes": minutes }))
        }
        Order::Status(status) => {
            Step::Call("update_task_fields", json!({ "taskId": id, "status": status }))
        }
        Order::FollowUp(title) => titled(title, || {
            let arguments = json!({
                "sourceTaskId": id,
                "newTaskTitle": title,
                "carryOverOpenChecklistItems": false,
                "preserveCategoryAndLabels": true,
            });
            Step::Call("create_follow_up_task", arguments)
        }),
        Order::Note(text) => note(text),
        Order::Refresh => Step::Report,
        Order::Ask(question) => Step::Say(question.clone()),
        Order::Unclear(back) => Step::AskBack(back.clone()),
        Order::Unknown => Step::Unknown,
    }
}

/// Goes on if the words can be a title.
fn titled(title: &str, then: impl FnOnce() -> Step) -> Step {
    no_title(title).unwrap_or_else(then)
}

fn all_titled(titles: &[String], then: impl FnOnce() -> Step) -> Step {
    if titles.len() > limits::CHECKLIST_ITEMS_MAX {
        return Step::AskBack("Those are more items than a checklist holds.".to_owned());
    }
    titles.iter().find_map(|title| no_title(title)).unwrap_or_else(then)
}

/// What is said of words that cannot be a title: it is one line that is not too long.
fn no_title(title: &str) -> Option<Step> {
    let max = limits::TITLE_BYTES_MAX;
    Invalid::unless_line("title", title, max).err().map(|_| {
        let title = quoted(title, LINE_BYTES_MAX);
        Step::AskBack(format!(
            "{title} cannot be a title: that is one line of at most {max} bytes."
        ))
    })
}

fn note(text: &str) -> Step {
    let max = crate::limits::NOTED_BYTES_MAX;
    if text.len() > max {
        return Step::AskBack(format!("That is too long for a note: at most {max} bytes."));
    }
    Step::Call("record_observations", json!({ "notes": [text] }))
}

fn add(items: &[String], list: Option<&str>, task: &Task) -> Step {
    all_titled(items, || {
        let mut arguments = json!({ "taskId": task.id, "items": items });
        if let Some(name) = list {
            match named_list(name, task) {
                Some(id) => arguments["checklistId"] = json!(id),
                None => return no_list(name, task),
            }
        }
        Step::Call("add_multiple_checklist_items", arguments)
    })
}

fn named_list<'a>(name: &str, task: &'a Task) -> Option<&'a types::ChecklistId> {
    let wanted = plain_words(name);
    let called =
        |list: &&Checklist| list.title.as_deref().is_some_and(|title| plain_words(title) == wanted);
    task.checklists.iter().find(called)?.id.as_ref()
}

fn no_list(name: &str, task: &Task) -> Step {
    let there = names(task.checklists.iter().filter_map(|list| list.title.as_deref()), NAMES_MAX);
    let there = if there.is_empty() { "none with a name".to_owned() } else { there };
    let name = quoted(name, LINE_BYTES_MAX);
    Step::AskBack(format!("I found no checklist called {name}; there is {there}."))
}

fn add_list(title: &str, items: &[String], task: &Task) -> Step {
    titled(title, || {
        all_titled(items, || {
            let mut arguments = json!({ "taskId": task.id, "title": title });
            if !items.is_empty() {
                arguments["items"] = json!(items);
            }
            Step::Call("create_checklist", arguments)
        })
    })
}

fn check(what: &str, checked: bool, task: &Task) -> Step {
    let found = match whole_list(what, checked, task) {
        Some(all) => Ok(all),
        None => meant(what, checked, task),
    };
    let items = match found {
        Ok(items) => items,
        Err(back) => return Step::AskBack(back),
    };
    let changes = items.iter().filter_map(|item| item.id.as_ref());
    let changes: Vec<Value> = changes.map(|id| json!({ "id": id, "checked": checked })).collect();
    let arguments = json!({ "taskId": task.id, "items": changes });
    Step::Call("update_checklist_items", arguments)
}

/// "Everything": all that it would change.
fn whole_list<'a>(what: &str, checked: bool, task: &'a Task) -> Option<Vec<&'a Item>> {
    const ALL: [&str; 7] =
        ["all", "everything", "all items", "all of them", "alles", "alle", "all of it"];
    let words = plain_words(what).join(" ");
    let items: Vec<&Item> = task.items().filter(|item| item.checked != checked).collect();
    (ALL.contains(&words.as_str()) && find(task, what).is_empty() && !items.is_empty())
        .then_some(items)
}

/// The items that are meant: one by its name, or several one after another.
fn meant<'a>(what: &str, checked: bool, task: &'a Task) -> Result<Vec<&'a Item>, String> {
    match one(what, checked, task) {
        Ok(item) => Ok(vec![item]),
        Err(back) => match super::words::all_quoted(what).unwrap_or_else(|| between_commas(what)) {
            parts if parts.len() > 1 => {
                parts.into_iter().map(|part| one(part, checked, task)).collect()
            }
            _ => Err(back),
        },
    }
}

fn one<'a>(name: &str, checked: bool, task: &'a Task) -> Result<&'a Item, String> {
    let found: Vec<&Item> = find(task, name);
    let useful: Vec<&Item> = found.iter().copied().filter(|item| item.checked != checked).collect();
    let named = quoted(name, LINE_BYTES_MAX);
    match (useful.as_slice(), found.as_slice()) {
        ([item], _) if item.id.is_some() => Ok(item),
        ([], []) => Err(not_found(&named, task)),
        ([], [item, ..]) => {
            let state = if item.checked { "checked off already" } else { "not checked off" };
            Err(format!("{} is {state}.", quoted(&item.title, LINE_BYTES_MAX)))
        }
        (several, _) => {
            let titles = names(several.iter().map(|item| item.title.as_str()), NAMES_MAX);
            Err(format!("Which one do you mean by {named}: {titles}?"))
        }
    }
}

fn not_found(named: &str, task: &Task) -> String {
    let open = names(task.open().map(|item| item.title.as_str()), NAMES_MAX);
    match open.is_empty() {
        true => format!("I found no item like {named}."),
        false => format!("I found no item like {named}. Open: {open}."),
    }
}

fn reword(what: &str, title: &str, task: &Task) -> Step {
    let found = find(task, what);
    match found.as_slice() {
        [Item { id: Some(id), .. }] => {
            let items = json!([{ "id": id, "title": title }]);
            Step::Call("update_checklist_items", json!({ "taskId": task.id, "items": items }))
        }
        [] if plain_words(what) == plain_words(&task.title) => {
            Step::Call("set_task_title", json!({ "taskId": task.id, "title": title }))
        }
        [] => Step::AskBack(not_found(&quoted(what, LINE_BYTES_MAX), task)),
        several => {
            let titles = names(several.iter().map(|item| item.title.as_str()), NAMES_MAX);
            Step::AskBack(format!(
                "Which one do you mean by {}: {titles}?",
                quoted(what, LINE_BYTES_MAX)
            ))
        }
    }
}

//! Calls in words: as they were meant, and as they went.

use serde_json::Value;
use types::RecordId;

use crate::course::{Made, Outcome};
use crate::limits::{LINE_BYTES_MAX, NAMES_MAX};
use crate::plain::{line, minutes, names, quoted};
use crate::read::{Item, Task};

/// What came of a call, for the operator. Titles are looked up in these tasks, the first one first.
pub(crate) fn told(made: &Made<'_>, tasks: &[&Task]) -> String {
    let (done, wanted) = words(made.tool, made.arguments, tasks);
    match &made.outcome {
        Outcome::Done(_) => done,
        Outcome::Shown => format!("I only showed what it would be to {wanted}: nothing was done."),
        Outcome::Open => format!("I asked to {wanted} and got no answer."),
        Outcome::Failed { kind, message } => {
            let message = line(message, LINE_BYTES_MAX * 2);
            let message = message.trim_end_matches('.');
            format!("I could not {wanted}: {message} ({}).", line(kind, LINE_BYTES_MAX))
        }
    }
}

/// A call as it is told when it was done, and as a wish.
fn words(tool: &str, arguments: &Value, tasks: &[&Task]) -> (String, String) {
    let word = |name: &str| {
        let value = arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        quoted(value, LINE_BYTES_MAX)
    };
    match tool {
        "update_report" => pair("Wrote the report anew.", "write the report"),
        "record_observations" => pair("Kept a note.", "keep a note"),
        "add_multiple_checklist_items" => {
            let titles = names(titles(arguments), NAMES_MAX);
            (format!("Added {titles}."), format!("add {titles}"))
        }
        "update_checklist_items" => items(arguments, tasks),
        "create_checklist" => {
            let title = word("title");
            (format!("Made the checklist {title}."), format!("make the checklist {title}"))
        }
        "create_follow_up_task" => {
            let title = word("newTaskTitle");
            (format!("Made the follow-up task {title}."), format!("make a follow-up task {title}"))
        }
        "set_task_title" => {
            let title = word("title");
            (format!("Renamed the task to {title}."), format!("rename the task to {title}"))
        }
        "update_task_priority" => field("priority", arguments.get("priority")),
        "update_task_due_date" => field("due date", arguments.get("dueDate")),
        "update_task_estimate" => {
            let spoken = arguments.get("estimateMinutes").and_then(Value::as_u64).map(minutes);
            field("estimate", Some(&spoken.map_or(Value::Null, Value::String)))
        }
        "update_task_fields" => field("status", arguments.get("status")),
        other => {
            let name = line(other, LINE_BYTES_MAX);
            (format!("Called {name}."), format!("call {name}"))
        }
    }
}

fn pair(done: &str, wanted: &str) -> (String, String) {
    (done.to_owned(), wanted.to_owned())
}

fn field(name: &str, value: Option<&Value>) -> (String, String) {
    match value.and_then(Value::as_str) {
        Some(value) => {
            let value = line(&value.replace('_', " "), LINE_BYTES_MAX);
            (format!("Set the {name} to {value}."), format!("set the {name} to {value}"))
        }
        None => (format!("Took the {name} away."), format!("take the {name} away")),
    }
}

fn titles(arguments: &Value) -> impl Iterator<Item = &str> {
    let items = arguments.get("items").and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str)
}

/// Checking off and on, or rewording: one call does one of them.
fn items(arguments: &Value, tasks: &[&Task]) -> (String, String) {
    let wanted: Vec<&Value> =
        arguments.get("items").and_then(Value::as_array).into_iter().flatten().collect();
    let known: Vec<&Item> = tasks.iter().flat_map(|task| task.items()).collect();
    let title = |id: Option<&str>| {
        let item = known.iter().find(|item| item.id.as_ref().map(RecordId::as_str) == id);
        item.map_or("an item", |item| item.title.as_str())
    };
    let ids = || wanted.iter().map(|item| item.get("id").and_then(Value::as_str));
    let all = names(ids().map(title), NAMES_MAX);
    let first = wanted.first();
    let renamed = first.and_then(|item| item.get("title")).and_then(Value::as_str);
    let checked = first.and_then(|item| item.get("checked")).and_then(Value::as_bool);
    match (renamed, checked) {
        (Some(title), _) => {
            let title = quoted(title, LINE_BYTES_MAX);
            (format!("Reworded {all} as {title}."), format!("reword {all} as {title}"))
        }
        (None, Some(false)) => (format!("Unchecked {all}."), format!("uncheck {all}")),
        (None, _) => (format!("Checked off {all}."), format!("check off {all}")),
    }
}

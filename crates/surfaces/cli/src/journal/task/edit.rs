//! Changing what a task says, and removing it.

use api_types::ProblemReply;
use clap::Args;
use client::Client;
use serde_json::{Value, json};

use crate::journal::change::{Named, change, changed_word, given, id_of, undoable, with_operation};
use crate::screen::Screen;

use super::ask::get;
use super::show::line;
use super::words::{PriorityWord, StatusWord};

pub(super) const EXAMPLES: &str = "Examples:\n  dormouse task edit TASK --title \"Water the ferns and the moss\"\n  dormouse task edit TASK --due tomorrow --estimate 45m\n  dormouse task edit TASK --no-due";

#[derive(Debug, Args)]
#[command(
    group(clap::ArgGroup::new("what").required(true).multiple(true)),
    override_usage = "dormouse task edit TASK [OPTIONS]"
)]
pub(crate) struct TaskEdit {
    /// The task's id, or its last characters, four or more
    task: String,
    /// What is to be done
    #[arg(long, group = "what")]
    title: Option<String>,
    /// When it is due, such as tomorrow, "fri 9:00" or 2026-12-24
    #[arg(long, value_name = "WHEN", group = "what")]
    due: Option<String>,
    /// It is not due at any time
    #[arg(long, conflicts_with = "due", group = "what")]
    no_due: bool,
    /// How long it should take, such as 45m or 1h30
    #[arg(long, value_name = "TIME", group = "what", allow_hyphen_values = true)]
    estimate: Option<String>,
    /// Nobody knows how long it takes
    #[arg(long, conflicts_with = "estimate", group = "what")]
    no_estimate: bool,
    /// How much it matters: p0 is now, p3 is some day
    #[arg(long, value_enum, ignore_case = true, value_name = "P0..P3", group = "what")]
    priority: Option<PriorityWord>,
    /// Where it belongs
    #[arg(long, value_name = "NAME", group = "what")]
    category: Option<String>,
    /// The language it is written in, such as de or pt-BR
    #[arg(long, value_name = "TAG", group = "what")]
    language: Option<String>,
    /// Its language does not matter
    #[arg(long, conflicts_with = "language", group = "what")]
    no_language: bool,
    /// Where it stands
    #[arg(long, value_enum, group = "what")]
    status: Option<StatusWord>,
    #[command(flatten)]
    named: Named,
}

pub(super) fn edit(words: TaskEdit, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let arguments = given([
        ("taskId", Some(json!(words.task))),
        ("title", words.title.map(|title| json!(title))),
        ("dueDate", or_none(words.due, words.no_due)),
        ("estimateMinutes", or_none(words.estimate, words.no_estimate)),
        ("priority", words.priority.map(|priority| json!(priority.as_str()))),
        ("categoryId", words.category.map(|category| json!(category))),
        ("language", or_none(words.language, words.no_language)),
        ("status", words.status.map(|status| json!(status.as_str()))),
    ]);
    let done = change(client, screen, "update_task_fields", arguments, words.named)?;
    let task = get(client, id_of(&done))?;
    let word = changed_word(done.operation.is_some());
    screen.show(&with_operation(&task, &done), |_| format!("{word} {}\n", line(&task)));
    Ok(())
}

/// The value, or null to take it away, or nothing to leave it.
fn or_none(value: Option<String>, none: bool) -> Option<Value> {
    value.map(|value| json!(value)).or(none.then_some(Value::Null))
}

#[derive(Debug, Args)]
pub(crate) struct TaskRemove {
    /// The task's id, or its last characters, four or more
    task: String,
    #[command(flatten)]
    named: Named,
}

pub(super) fn remove(
    words: TaskRemove,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let done = change(client, screen, "remove_task", json!({ "taskId": words.task }), words.named)?;
    let items = &done.answer["items"];
    let shown = json!({ "id": id_of(&done), "items": items, "operation": done.operation });
    screen.show(&shown, |_| format!("removed {}\n", id_of(&done)));
    undoable(screen, &done);
    Ok(())
}

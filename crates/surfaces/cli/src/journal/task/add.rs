//! Adding a task.

use api_types::ProblemReply;
use clap::Args;
use client::Client;
use serde_json::json;

use crate::journal::change::{Named, change, given, id_of, listed, with_operation};
use crate::screen::Screen;

use super::ask::get;
use super::show::line;
use super::words::PriorityWord;

pub(super) const EXAMPLES: &str = "Examples:\n  dormouse task add \"Water the ferns\" --category home\n  dormouse task add \"Send the report\" --category work --due \"fri 17:00\" --priority p1 --estimate 1h30\n  dormouse task add Picnic --category home --label garden --item bread --item cheese";

#[derive(Debug, Args)]
pub(crate) struct TaskAdd {
    /// What is to be done; several words are one title
    #[arg(required = true)]
    title: Vec<String>,
    /// Where it belongs, such as work or home
    #[arg(long, value_name = "NAME")]
    category: String,
    /// When it is due, such as tomorrow, "fri 9:00" or 2026-12-24
    #[arg(long, value_name = "WHEN")]
    due: Option<String>,
    /// How much it matters: p0 is now, p3 is some day
    #[arg(long, value_enum, ignore_case = true, value_name = "P0..P3")]
    priority: Option<PriorityWord>,
    /// How long it should take, such as 45m or 1h30
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    estimate: Option<String>,
    /// The language it is written in, such as de or pt-BR
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// A label to give it; may be repeated
    #[arg(long = "label", value_name = "NAME")]
    labels: Vec<String>,
    /// An item for its checklist; may be repeated
    #[arg(long = "item", value_name = "TEXT")]
    items: Vec<String>,
    /// The task that it is a part of
    #[arg(long, value_name = "TASK")]
    parent: Option<String>,
    #[command(flatten)]
    named: Named,
}

pub(super) fn add(words: TaskAdd, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let arguments = given([
        ("title", Some(json!(words.title.join(" ")))),
        ("categoryId", Some(json!(words.category))),
        ("dueDate", words.due.map(|due| json!(due))),
        ("priority", words.priority.map(|priority| json!(priority.as_str()))),
        ("estimateMinutes", words.estimate.map(|estimate| json!(estimate))),
        ("language", words.language.map(|language| json!(language))),
        ("labelIds", listed(&words.labels)),
        ("items", listed(&words.items)),
        ("parentTaskId", words.parent.map(|parent| json!(parent))),
    ]);
    let done = change(client, screen, "create_task", arguments, words.named)?;
    let task = get(client, id_of(&done))?;
    screen.show(&with_operation(&task, &done), |_| format!("added {}\n", line(&task)));
    Ok(())
}

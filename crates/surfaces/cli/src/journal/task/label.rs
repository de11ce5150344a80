//! Labels of a task.

use api_types::ProblemReply;
use clap::Args;
use client::Client;
use serde_json::json;

use crate::journal::change::{Named, change, given, id_of, listed, with_operation};
use crate::screen::Screen;

use super::ask::get;

pub(super) const EXAMPLES: &str =
    "Example:\n  dormouse task label TASK --add garden --remove urgent";

#[derive(Debug, Args)]
#[command(
    group(clap::ArgGroup::new("what").required(true).multiple(true).args(["add", "remove"])),
    override_usage = "dormouse task label TASK <--add NAME|--remove NAME>... [OPTIONS]"
)]
pub(crate) struct TaskLabel {
    /// The task's id, or its last characters, four or more
    task: String,
    /// A label to give it; may be repeated
    #[arg(long, value_name = "NAME")]
    add: Vec<String>,
    /// A label to take away; may be repeated
    #[arg(long, value_name = "NAME")]
    remove: Vec<String>,
    #[command(flatten)]
    named: Named,
}

pub(super) fn label(
    words: TaskLabel,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let arguments = given([
        ("taskId", Some(json!(words.task))),
        ("labelIds", listed(&words.add)),
        ("removeLabelIds", listed(&words.remove)),
    ]);
    let done = change(client, screen, "assign_task_labels", arguments, words.named)?;
    let task = get(client, id_of(&done))?;
    screen.show(&with_operation(&task, &done), |_| match task.labels.as_slice() {
        [] => format!("{} has no labels\n", task.title),
        labels => format!("{}: {}\n", task.title, labels.join(", ")),
    });
    Ok(())
}

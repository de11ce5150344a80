//! Moving tasks from one status to another.

use api_types::{DoneReply, ProblemReply};
use clap::Args;
use client::Client;
use serde_json::{Value, json};

use crate::journal::change::{Named, change, preview, short};
use crate::screen::Screen;

use super::words::StatusWord;

#[derive(Debug, Args)]
pub(crate) struct Tasks {
    /// The tasks' ids, or their last characters, four or more
    #[arg(required = true, value_name = "TASK")]
    tasks: Vec<String>,
    #[command(flatten)]
    named: Named,
}

/// Moves tasks, each by an operation of its own. All are looked at before the first is moved, so that a
/// wrong id moves none.
pub(super) fn set(
    to: StatusWord,
    words: &Tasks,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let arguments = |task: &str| json!({ "taskId": task, "status": to.as_str() });
    for task in &words.tasks {
        preview(client, "update_task_fields", arguments(task))?;
    }
    let mut moved: Vec<Value> = Vec::new();
    for task in &words.tasks {
        let named = match words.tasks.len() {
            1 => words.named.clone(),
            _ => words.named.part(task),
        };
        match change(client, screen, "update_task_fields", arguments(task), named) {
            Ok(done) => moved.push(shown(&done)),
            Err(problem) => {
                let (done, all) = (moved.len(), words.tasks.len());
                let message = format!("{task}: {} ({done} of {all} were done)", problem.message);
                return Err(ProblemReply { message, ..problem });
            }
        }
    }
    screen.show(&moved, |moved| moved.iter().map(line).collect());
    Ok(())
}

fn shown(done: &DoneReply) -> Value {
    let task = &done.answer["task"];
    json!({
        "id": done.answer["id"], "title": task["title"], "status": task["status"],
        "operation": done.operation,
    })
}

fn line(task: &Value) -> String {
    let text = |field: &str| task[field].as_str().unwrap_or_default().to_owned();
    let was = if task["operation"].is_null() { " already" } else { "" };
    format!("{}{was}  {}  {}\n", text("status"), text("title"), short(&text("id")))
}

//! Listing tasks, and finding the one that is meant.

use api_types::{JournalLook, ProblemReply, Request, TaskListParams, TaskReply};
use clap::{Args, ValueEnum};
use client::Client;
use serde_json::{Value, json};

use crate::journal::change::{Named, change_quietly, short};
use crate::journal::more;
use crate::number::how_many;
use crate::render::table;
use crate::screen::Screen;

use super::show::due;
use super::words::{PriorityWord, StatusWord};

pub(super) const EXAMPLES: &str = "Examples:\n  dormouse task list --category home\n  dormouse task list --due-by fri\n  dormouse task list --sort priority --limit 10";

#[derive(Debug, Args)]
pub(crate) struct TaskList {
    /// Only those of this category
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Only those in this status
    #[arg(long, value_enum)]
    status: Option<StatusWord>,
    /// Closed ones too
    #[arg(long)]
    all: bool,
    /// Only those that bear this label
    #[arg(long, value_name = "NAME")]
    label: Option<String>,
    /// Only those that matter so much
    #[arg(long, value_enum, ignore_case = true, value_name = "P0..P3")]
    priority: Option<PriorityWord>,
    /// Only those due on or before this day, such as today or fri
    #[arg(long, value_name = "DAY")]
    due_by: Option<String>,
    /// In which order [default: newest, with --due-by due]
    #[arg(long, value_enum)]
    sort: Option<SortWord>,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = how_many, allow_negative_numbers = true)]
    limit: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SortWord {
    Newest,
    Due,
    Priority,
}

impl SortWord {
    const fn as_str(self) -> &'static str {
        match self {
            SortWord::Newest => "newest",
            SortWord::Due => "due",
            SortWord::Priority => "priority",
        }
    }
}

pub(super) fn list(words: TaskList, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let params = TaskListParams {
        category: words.category,
        status: words.status.map(|status| status.as_str().to_owned()),
        all: words.all,
        label: words.label,
        priority: words.priority.map(|priority| priority.as_str().to_owned()),
        due_by: words.due_by,
        sort: words.sort.map(|sort| sort.as_str().to_owned()),
        limit: Some(more::than(words.limit)),
    };
    let tasks: Vec<TaskReply> = client.ask(Request::Look(JournalLook::Tasks(params)))?;
    let tasks = more::cut(tasks, words.limit, screen);
    screen.show(&tasks, |tasks| lines(tasks));
    Ok(())
}

fn lines(tasks: &[TaskReply]) -> String {
    let rows = tasks.iter().map(|task| {
        let progress = match task.items_all {
            0 => String::new(),
            all => format!("{}/{all}", task.items_done),
        };
        [
            short(&task.id).to_owned(),
            task.status.clone(),
            task.priority.clone(),
            due(task).unwrap_or_default(),
            progress,
            task.category.clone(),
            task.title.clone(),
        ]
    });
    let head = ["ID", "STATUS", "PRIO", "DUE", "ITEMS", "CATEGORY", "TITLE"];
    table(head, rows, "no tasks\n")
}

/// Shows which tasks somebody may mean.
pub(super) fn find(words: &str, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let arguments = json!({ "reference": words });
    let found =
        change_quietly(client, "resolve_task_reference", arguments, Named::default())?.answer;
    let shown = json!({ "candidates": found["candidates"], "verdict": found["verdict"] });
    screen.show(&shown, |shown| {
        let candidates = shown["candidates"].as_array().map_or(&[][..], Vec::as_slice);
        let rows = candidates.iter().map(|task| {
            let text = |field: &str| task[field].as_str().unwrap_or_default().to_owned();
            [
                short(&text("id")).to_owned(),
                percent(&task["confidence"]),
                text("status"),
                text("title"),
                text("why"),
            ]
        });
        table(["ID", "SURE", "STATUS", "TITLE", "WHY"], rows, "no task is like that\n")
    });
    Ok(())
}

fn percent(confidence: &Value) -> String {
    format!("{:.0}%", confidence.as_f64().unwrap_or_default() * 100.0)
}

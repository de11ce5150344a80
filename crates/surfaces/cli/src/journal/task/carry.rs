//! Tasks that carry on from others.

use api_types::ProblemReply;
use clap::{Args, ValueEnum};
use client::Client;
use serde_json::{Value, json};

use crate::journal::change::{Named, change, given, preview, short, undoable};
use crate::screen::Screen;

pub(super) const FOLLOW_UP_EXAMPLES: &str = "Examples:\n  dormouse task follow-up TASK \"Second coat\"\n  dormouse task follow-up TASK \"Send the bill\" --leave-items --category work";

pub(super) const CONCLUDE_EXAMPLES: &str = "Examples:\n  dormouse task conclude TASK \"What is left of the move\" --preview\n  dormouse task conclude TASK \"What is left of the move\"";

#[derive(Debug, Args)]
pub(crate) struct FollowUp {
    /// The task to carry on from: its id, or its last characters, four or more
    task: String,
    /// What is to be done next
    title: String,
    /// Leave its open items where they are
    #[arg(long)]
    leave_items: bool,
    /// Close the task so
    #[arg(long, value_enum, value_name = "HOW")]
    close: Option<CloseWord>,
    /// Where the follow-up belongs, if not where the task does; its labels do not go there
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Without the task's labels
    #[arg(long)]
    no_labels: bool,
    /// Only show what would be done
    #[arg(long)]
    preview: bool,
    #[command(flatten)]
    named: Named,
}

#[derive(Debug, Args)]
pub(crate) struct Conclude {
    /// The task to close: its id, or its last characters, four or more
    task: String,
    /// What is left to do: the title of the follow-up
    title: String,
    /// How to close it
    #[arg(long = "as", value_enum, value_name = "HOW", default_value_t = CloseWord::Done)]
    close: CloseWord,
    /// Only show what would be done
    #[arg(long)]
    preview: bool,
    #[command(flatten)]
    named: Named,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CloseWord {
    Done,
    Cancelled,
}

impl CloseWord {
    const fn as_str(self) -> &'static str {
        match self {
            CloseWord::Done => "done",
            CloseWord::Cancelled => "cancelled",
        }
    }
}

pub(super) fn follow_up(
    words: FollowUp,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let keeps = words.category.is_none() && !words.no_labels;
    let arguments = given([
        ("sourceTaskId", Some(json!(words.task))),
        ("newTaskTitle", Some(json!(words.title))),
        ("carryOverOpenChecklistItems", Some(json!(!words.leave_items))),
        ("closeSourceTaskAs", words.close.map(|close| json!(close.as_str()))),
        ("preserveCategoryAndLabels", Some(json!(keeps))),
        ("categoryId", words.category.map(|category| json!(category))),
    ]);
    let verb = "create_follow_up_task";
    carry(verb, arguments, words.preview, words.named, client, screen)
}

pub(super) fn conclude(
    words: Conclude,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let arguments = json!({
        "taskId": words.task, "closeAs": words.close.as_str(), "followUpTitle": words.title,
    });
    let verb = "conclude_task_with_rollover";
    carry(verb, arguments, words.preview, words.named, client, screen)
}

fn carry(
    verb: &str,
    arguments: Value,
    only_show: bool,
    named: Named,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let closes = ["closeSourceTaskAs", "closeAs"].iter().any(|how| arguments.get(how).is_some());
    let done = match only_show {
        true => preview(client, verb, arguments)?,
        false => change(client, screen, verb, arguments, named)?,
    };
    let answer = &done.answer;
    let shown = json!({
        // A task that is only shown has no id yet.
        "id": if done.preview { &Value::Null } else { &answer["id"] },
        "title": answer["followUp"]["title"],
        "task": answer["task"],
        "carried": answer["carried"],
        "operation": done.operation,
        "preview": done.preview,
    });
    screen.show(&shown, |shown| lines(shown, closes));
    if !done.preview {
        undoable(screen, &done);
    }
    Ok(())
}

/// What became of the task, or would: it is closed, or stays as it is.
fn lines(shown: &Value, closes: bool) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let task = &shown["task"];
    let (verb, becomes) = match (shown["preview"] == true, closes) {
        (true, true) => ("would be", "would be"),
        (true, false) => ("would be", "would stay"),
        (false, true) => ("is", "is"),
        (false, false) => ("is", "stays"),
    };
    let mut lines = format!("{:?} {becomes} {}\n", text(&task["title"]), text(&task["status"]));
    let id = shown["id"].as_str().map_or_else(String::new, |id| format!(" ({})", short(id)));
    lines += &format!("{:?}{id} {verb} its follow-up", text(&shown["title"]));
    let carried = shown["carried"].as_array().map_or(&[][..], Vec::as_slice);
    lines += match carried.len() {
        0 => ", without items\n".to_owned(),
        1 => ", with 1 item:\n".to_owned(),
        many => format!(", with {many} items:\n"),
    }
    .as_str();
    for item in carried {
        lines += &format!("  [ ] {}\n", text(&item["title"]));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_that_is_not_closed_stays_as_it_is() {
        let shown = |preview: bool, status: &str| {
            json!({
                "id": if preview { Value::Null } else { json!("task_second") },
                "title": "Second coat", "task": { "title": "Paint", "status": status },
                "carried": [{ "title": "Brushes" }], "preview": preview,
            })
        };
        let item = "with 1 item:\n  [ ] Brushes\n";
        for (preview, closes, status, said) in [
            (true, false, "open", "\"Paint\" would stay open\n\"Second coat\" would be"),
            (true, true, "done", "\"Paint\" would be done\n\"Second coat\" would be"),
            (false, false, "open", "\"Paint\" stays open\n\"Second coat\" (second) is"),
            (false, true, "done", "\"Paint\" is done\n\"Second coat\" (second) is"),
        ] {
            let text = lines(&shown(preview, status), closes);
            assert_eq!(text, format!("{said} its follow-up, {item}"));
        }
    }
}

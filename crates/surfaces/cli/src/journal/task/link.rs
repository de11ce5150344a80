//! Relations between tasks.

use api_types::ProblemReply;
use clap::{Args, ValueEnum};
use client::Client;
use serde_json::json;

use crate::journal::change::{Named, change};
use crate::screen::Screen;

#[derive(Debug, Args)]
pub(crate) struct TaskLink {
    /// The task's id, or its last characters, four or more
    task: String,
    /// How it is related
    #[arg(value_enum)]
    how: RelationWord,
    /// The other task
    other: String,
    #[command(flatten)]
    named: Named,
}

/// A relation, from either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RelationWord {
    Blocks,
    #[value(alias = "blocked_by")]
    BlockedBy,
    #[value(alias = "parent_of")]
    ParentOf,
    #[value(alias = "part_of")]
    PartOf,
    #[value(alias = "followed_by")]
    FollowedBy,
    Follows,
    #[value(alias = "relates_to")]
    RelatesTo,
}

impl RelationWord {
    /// The relation as it is kept, and whether the other task comes first.
    const fn kept(self) -> (&'static str, bool) {
        match self {
            RelationWord::Blocks => ("blocks", false),
            RelationWord::BlockedBy => ("blocks", true),
            RelationWord::ParentOf => ("parent_of", false),
            RelationWord::PartOf => ("parent_of", true),
            RelationWord::FollowedBy => ("followed_by", false),
            RelationWord::Follows => ("followed_by", true),
            RelationWord::RelatesTo => ("relates_to", false),
        }
    }
}

pub(super) fn link(
    verb: &str,
    words: TaskLink,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let (relation, turned) = words.how.kept();
    let (from, to) = if turned { (&words.other, &words.task) } else { (&words.task, &words.other) };
    let arguments = json!({ "fromTaskId": from, "relation": relation, "toTaskId": to });
    let done = change(client, screen, verb, arguments, words.named)?;
    let shown = json!({
        "from": done.answer["fromTaskId"], "relation": relation, "to": done.answer["toTaskId"],
        "operation": done.operation,
    });
    let word = match (done.operation.is_some(), verb) {
        (false, "relate_tasks") => "they are related so already",
        (false, _) => "they are not related so",
        (true, "relate_tasks") => "related",
        (true, _) => "no longer related",
    };
    screen.show(&shown, |_| format!("{word}\n"));
    Ok(())
}

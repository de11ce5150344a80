//! Plans of days.

use api_types::{DayReply, DoneReply, JournalLook, ProblemReply, Request};
use clap::{Args, Subcommand};
use client::Client;
use serde_json::{Value, json};

use crate::screen::Screen;

use super::change::{Changed, Named, change, given, short};
use super::plan_lines::{drafts, preview, span};
use super::{stdin, today};

#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Show a day: its blocks, what is pinned to it, what is due
    #[command(after_help = "Examples:\n  dormouse plan show\n  dormouse plan show tomorrow")]
    Show {
        /// Which day, such as tomorrow or fri
        #[arg(default_value = "today")]
        day: String,
    },
    /// Plan what hours are for
    #[command(subcommand)]
    Block(BlockCommand),
    /// Pin tasks to a day, to be done at whatever hour
    #[command(after_help = "Example:\n  dormouse plan pin TASK TASK --day tomorrow")]
    Pin(Pin),
    /// Take tasks off a day
    #[command(after_help = "Example:\n  dormouse plan unpin TASK --day tomorrow")]
    Unpin(Pin),
    /// Plan the rest of a day anew, from lines like "9:00-10:00 work Write the report"
    #[command(
        after_help = "Example:\n  printf '14:00-15:00 work Mail\\n15:00-17:00 home Garden\\n' | dormouse plan replan --from 14:00\n\nBlocks that start at that time or later are replaced; without --from, from now on."
    )]
    Replan(Replan),
    /// Close a day; its plan then stays as it is
    #[command(
        after_help = "Examples:\n  dormouse plan close\n  dormouse plan close yesterday --carry today --note \"Too many meetings\""
    )]
    Close {
        /// Which day
        #[arg(default_value = "today")]
        day: String,
        /// Pin what is still open to a later day: the next one, or the one you name
        #[arg(long, value_name = "DAY", num_args = 0..=1, default_missing_value = "next")]
        carry: Option<String>,
        /// What there is to say about the day
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
        #[command(flatten)]
        named: Named,
    },
    /// Open a closed day again
    #[command(after_help = "Examples:\n  dormouse plan reopen\n  dormouse plan reopen yesterday")]
    Reopen {
        /// Which day
        #[arg(default_value = "today")]
        day: String,
        #[command(flatten)]
        named: Named,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Replan {
    /// Which day
    #[arg(long, value_name = "DAY", default_value = "today")]
    day: String,
    /// From when [default: now, or the whole of another day]
    #[arg(long, value_name = "WHEN")]
    from: Option<String>,
    /// Only show what would be done
    #[arg(long)]
    preview: bool,
    #[command(flatten)]
    named: Named,
    /// What came on standard input.
    #[arg(skip)]
    text: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BlockCommand {
    /// Add a block
    #[command(
        after_help = "Examples:\n  dormouse plan block add 9:00-11:00 --category work --note \"Deep work\"\n  dormouse plan block add 14-15 --task TASK --day tomorrow"
    )]
    Add {
        /// From when to when, such as 9:00-11:00
        #[arg(value_name = "FROM-TO")]
        span: String,
        #[command(flatten)]
        what: What,
    },
    /// Move a block, or change what it is for
    #[command(
        after_help = "Examples:\n  dormouse plan block move BLOCK 10:00\n  dormouse plan block move BLOCK 10:00-12:30 --note \"Writing\""
    )]
    Move(Move),
    /// Remove a block
    #[command(after_help = "Example:\n  dormouse plan block rm BLOCK --day tomorrow")]
    #[command(aliases = ["remove", "delete"])]
    Rm {
        /// The block's id, or its last characters, four or more
        block: String,
        /// Of which day
        #[arg(long, value_name = "DAY", default_value = "today")]
        day: String,
        #[command(flatten)]
        named: Named,
    },
}

#[derive(Debug, Args)]
#[command(
    group(clap::ArgGroup::new("change").required(true).multiple(true)),
    override_usage = "dormouse plan block move BLOCK [FROM-TO] [OPTIONS]"
)]
pub(crate) struct Move {
    /// The block's id, or its last characters, four or more
    block: String,
    /// From when to when; if only from when is said, it stays as long as it is
    #[arg(value_name = "FROM-TO", group = "change")]
    span: Option<String>,
    /// For which category; the task's own, if a task is named
    #[arg(long, value_name = "NAME", group = "change")]
    category: Option<String>,
    /// For which task
    #[arg(long, group = "change")]
    task: Option<String>,
    /// What for
    #[arg(long, value_name = "TEXT", group = "change")]
    note: Option<String>,
    /// The day it is on, and stays on
    #[arg(long, value_name = "DAY", default_value = "today")]
    day: String,
    #[command(flatten)]
    named: Named,
}

#[derive(Debug, Args)]
pub(crate) struct What {
    /// For which category; the task's own, if a task is named
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// For which task
    #[arg(long)]
    task: Option<String>,
    /// What for
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// On which day
    #[arg(long, value_name = "DAY", default_value = "today")]
    day: String,
    #[command(flatten)]
    named: Named,
}

#[derive(Debug, Args)]
pub(crate) struct Pin {
    /// The tasks' ids, or their last characters, four or more
    #[arg(required = true, value_name = "TASK")]
    tasks: Vec<String>,
    /// Which day
    #[arg(long, value_name = "DAY", default_value = "today")]
    day: String,
    #[command(flatten)]
    named: Named,
}

impl PlanCommand {
    /// The same with what comes on standard input. It is read before the home is opened, since nobody
    /// else could use the home while somebody types.
    pub(crate) fn with_input(self, screen: &Screen) -> Result<PlanCommand, ProblemReply> {
        match self {
            PlanCommand::Replan(words) => {
                let text = stdin::typed(screen, "lines like \"9:00-10:00 work Mail\"")?;
                Ok(PlanCommand::Replan(Replan { text, ..words }))
            }
            other => Ok(other),
        }
    }
}

pub(crate) fn ask(
    command: PlanCommand,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let (verb, arguments, named) = match command {
        PlanCommand::Show { day } => {
            screen.show(&get(client, day)?, today::plan);
            return Ok(());
        }
        PlanCommand::Replan(words) => return replan(words, client, screen),
        PlanCommand::Block(command) => block(command),
        PlanCommand::Pin(Pin { tasks, day, named }) => {
            let arguments = json!({ "planDate": day, "taskIds": tasks });
            ("pin_day_plan_tasks", arguments, named)
        }
        PlanCommand::Unpin(Pin { tasks, day, named }) => {
            let arguments = json!({ "planDate": day, "unpinTaskIds": tasks });
            ("pin_day_plan_tasks", arguments, named)
        }
        PlanCommand::Close { day, carry, note, named } => {
            let arguments = given([
                ("planDate", Some(json!(day))),
                ("carryPinsTo", carry.map(Value::from)),
                ("note", note.map(Value::from)),
            ]);
            ("close_day", arguments, named)
        }
        PlanCommand::Reopen { day, named } => ("reopen_day", json!({ "planDate": day }), named),
    };
    show(client, screen, change(client, screen, verb, arguments, named)?)
}

/// A verb with its arguments, and the name of the request.
type Changing = (&'static str, Value, Named);

fn block(command: BlockCommand) -> Changing {
    let upsert = |id: Option<String>, times: Option<(String, Option<String>)>, what: What| {
        let (from, to) = times.unzip();
        let block = given([
            ("id", id.map(Value::from)),
            ("startTime", from.map(Value::from)),
            ("endTime", to.flatten().map(Value::from)),
            ("categoryId", what.category.map(Value::from)),
            ("taskId", what.task.map(Value::from)),
            ("note", what.note.map(Value::from)),
        ]);
        let arguments = json!({ "planDate": what.day, "upserts": [block] });
        ("upsert_day_plan_blocks", arguments, what.named)
    };
    match command {
        BlockCommand::Add { span: text, what } => upsert(None, Some(span(&text)), what),
        BlockCommand::Move(Move { block, span: text, category, task, note, day, named }) => {
            let what = What { category, task, note, day, named };
            upsert(Some(block), text.as_deref().map(span), what)
        }
        BlockCommand::Rm { block, day, named } => {
            let arguments = json!({ "planDate": day, "deletes": [block] });
            ("upsert_day_plan_blocks", arguments, named)
        }
    }
}

fn replan(words: Replan, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let blocks = drafts(&words.text).map_err(|line| unreadable(&line))?;
    // An empty file is a slip of the hand more often than a wish for an empty day.
    if blocks.is_empty() {
        return Err(unreadable("it has no lines; nothing was changed"));
    }
    let arguments = given([
        ("planDate", Some(json!(words.day))),
        ("fromTime", words.from.map(Value::from)),
        ("blocks", Some(json!(blocks))),
    ]);
    let (verb, request_id) = ("replan_day_blocks".to_owned(), words.named.request_id);
    let request = Request::Do { verb, arguments, request_id, preview: words.preview };
    let done: DoneReply = client.ask(request)?;
    if done.preview {
        let categories = client.ask(Request::Look(JournalLook::Categories {}))?;
        let now = get(client, words.day)?;
        screen.show(&done, |done| preview(&done.answer, categories, &now));
        return Ok(());
    }
    show(client, screen, done)
}

fn unreadable(what: &str) -> ProblemReply {
    ProblemReply {
        code: "wrong_usage".to_owned(),
        message: format!("the plan cannot be read: {what}"),
        hint: "write lines like `9:00-10:00 work Mail`: from, to, category, and what for; \
               `dormouse plan block rm` takes blocks away"
            .to_owned(),
    }
}

/// Shows the day that was changed; says which of its blocks overlap.
fn show(client: &Client, screen: &Screen, done: DoneReply) -> Result<(), ProblemReply> {
    let day = done.answer["planDate"].as_str().unwrap_or("today").to_owned();
    let what = get(client, day)?;
    let planned = done.answer.get("upserted").or(done.answer.get("removed")).is_some();
    let overlaps = done.answer["overlaps"].as_array().filter(|_| planned);
    for pair in overlaps.into_iter().flatten() {
        let ends: Vec<&str> =
            pair.as_array().into_iter().flatten().filter_map(Value::as_str).map(short).collect();
        screen.say(&format!("{} overlap", ends.join(" and ")));
    }
    let carried = done.answer["carried"].as_array().map_or(0, Vec::len);
    if carried > 0 {
        screen.say(&format!("carried over: {carried}"));
    }
    let changed = Changed { what, operation: done.operation };
    screen.show(&changed, |changed| today::plan(&changed.what));
    Ok(())
}

fn get(client: &Client, day: String) -> Result<DayReply, ProblemReply> {
    client.ask(Request::Look(JournalLook::Day { day }))
}

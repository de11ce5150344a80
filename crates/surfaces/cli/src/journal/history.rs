//! What was done, and the way back.

use api_types::{DoneReply, HistoryReply, JournalLook, ProblemReply, Request, TouchedReply};
use clap::Args;
use client::Client;
use serde_json::{Value, json};

use crate::number::how_many;
use crate::render::table;
use crate::screen::Screen;

use super::change::{Named, short};

/// Records of one change that a line names.
const NAMED_MAX: usize = 3;

#[derive(Debug, Args)]
pub(crate) struct History {
    /// What was done to this record only, by its id or its last characters, four or more
    pub(crate) record: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = how_many, allow_negative_numbers = true)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
#[command(
    group(clap::ArgGroup::new("undone").required(true).args(["what", "last"])),
    override_usage = "dormouse undo <OPERATION|RUN|--last> [OPTIONS]"
)]
pub(crate) struct Undo {
    /// The operation or the run, by its id or the first six or more characters of it
    #[arg(value_name = "OPERATION|RUN")]
    pub(crate) what: Option<String>,
    /// The last thing that you did and did not undo; again goes one step further back
    #[arg(long, conflicts_with = "request_id")]
    pub(crate) last: bool,
    #[command(flatten)]
    pub(crate) named: Named,
}

pub(crate) fn history(
    words: History,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let History { record, limit } = words;
    let look = JournalLook::History { record, limit };
    let history: Vec<HistoryReply> = client.ask(Request::Look(look))?;
    screen.show(&history, |history| lines(history));
    Ok(())
}

pub(crate) fn undo(words: Undo, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let what = words.what.unwrap_or_else(|| "last".to_owned());
    let request_id = words.named.request_id;
    let done: DoneReply = client.ask(Request::Undo { what, request_id })?;
    let mut shown = done.answer.clone();
    shown["operation"] = json!(done.operation);
    shown["repeated"] = json!(done.repeated);
    screen.show(&shown, |_| told(&done));
    if !done.repeated {
        screen.say(&format!("`dormouse undo {}` takes this back", done.short()));
    }
    Ok(())
}

fn lines(history: &[HistoryReply]) -> String {
    let rows = history.iter().map(|done| {
        let operation = done.operation.as_deref().unwrap_or("-");
        [
            done.when.clone(),
            who(done),
            done.verb.clone().unwrap_or_else(|| "-".to_owned()),
            operation.get(..12).unwrap_or(operation).to_owned(),
            touched(&done.records),
        ]
    });
    table(["WHEN", "WHO", "WHAT", "OPERATION", "RECORDS"], rows, "nothing was done yet\n")
}

/// Who did it, with the run in which an agent did.
fn who(done: &HistoryReply) -> String {
    match done.run_key.as_deref().and_then(|run| run.get(..12)) {
        Some(run) => format!("{} (run {run})", short(&done.author)),
        None => done.author.clone(),
    }
}

/// The records that were touched, each with the fields that differ.
fn touched(records: &[TouchedReply]) -> String {
    let one = |record: &TouchedReply| {
        let name = record.name.as_deref().unwrap_or("?");
        let what = match record.fields.as_slice() {
            [] => record.what.clone(),
            fields => fields.join(", "),
        };
        format!("{name} {} ({what})", short(&record.id))
    };
    let mut named: Vec<String> = records.iter().take(NAMED_MAX).map(one).collect();
    match records.len().saturating_sub(NAMED_MAX) {
        0 => {}
        more => named.push(format!("and {more} more")),
    }
    named.join("; ")
}

/// What was put back, in words.
fn told(done: &DoneReply) -> String {
    if done.repeated {
        return "this was undone before, under the same request id\n".to_owned();
    }
    let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let verbs = done.answer["verbs"].as_array().cloned().unwrap_or_default();
    let verbs: Vec<String> = verbs.iter().map(words).collect();
    let mut text = format!("undid {}\n", verbs.join(", "));
    for record in done.answer["records"].as_array().into_iter().flatten() {
        let (id, name) = (words(&record["id"]), words(&record["name"]));
        let what = match record["what"].as_str() {
            Some("restored") => "is as it was",
            Some("brought back") => "is there again",
            _ => "is gone again",
        };
        text += &format!("  {name}  {}  {what}\n", short(&id));
    }
    text
}

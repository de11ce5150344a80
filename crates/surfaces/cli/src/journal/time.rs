//! Time that was spent, and the timer.

use api_types::{DoneReply, JournalLook, ProblemReply, Request, TimeReply, TimeSheetReply};
use clap::{Args, Subcommand};
use client::Client;
use serde_json::{Value, json};

use crate::render::table;
use crate::screen::Screen;

use super::change::{Changed, Named, change, given, id_of, short, undoable};
use super::say;

#[derive(Debug, Subcommand)]
pub(crate) enum TimeCommand {
    /// Record time that was spent
    #[command(
        after_help = "Examples:\n  dormouse time log TASK --from 9:00 --to 10:30 --note \"Pruned the ferns\"\n  dormouse time log TASK --from \"yesterday 14:00\" --for 45m\n  dormouse time log TASK --for 1h30"
    )]
    Log(TimeLog),
    /// Start the timer on a task
    #[command(
        after_help = "Examples:\n  dormouse time start TASK\n  dormouse time start TASK --note \"First draft\""
    )]
    Start {
        /// The task's id, or its last characters, four or more
        task: String,
        /// What you are doing
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
        #[command(flatten)]
        named: Named,
    },
    /// Stop the timer
    #[command(
        after_help = "Examples:\n  dormouse time stop\n  dormouse time stop --at 17:30 --note \"Done at last\""
    )]
    Stop {
        /// When it ended, such as 17:30 or "10 min ago" [default: now]
        #[arg(long, value_name = "WHEN")]
        at: Option<String>,
        /// What you did
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
        #[command(flatten)]
        named: Named,
    },
    /// Say whether the timer runs, and on what
    #[command(after_help = "Example:\n  dormouse time status")]
    Status,
    /// List the time of a day or of several, with what it comes to
    #[command(
        after_help = "Examples:\n  dormouse time list\n  dormouse time list --day yesterday\n  dormouse time list --from \"last monday\" --to today"
    )]
    #[command(alias = "ls")]
    List {
        /// Of which day, such as yesterday or 2026-11-20 [default: today]
        #[arg(long, value_name = "DAY", conflicts_with_all = ["from", "to"])]
        day: Option<String>,
        /// From which day on
        #[arg(long, value_name = "DAY")]
        from: Option<String>,
        /// To which day [default: today]
        #[arg(long, value_name = "DAY", requires = "from")]
        to: Option<String>,
    },
    /// Correct when time was spent, or on what
    #[command(after_help = "Example:\n  dormouse time edit ENTRY --to 11:00 --task TASK")]
    Edit(TimeEdit),
    /// Say what was done in a stretch of time
    #[command(after_help = "Example:\n  dormouse time note ENTRY \"Pruned the ferns\"")]
    Note {
        /// The time entry's id, or its last characters, four or more
        entry: String,
        /// What was done
        text: String,
        #[command(flatten)]
        named: Named,
    },
    /// Remove a stretch of time
    #[command(after_help = "Example:\n  dormouse time rm ENTRY")]
    #[command(aliases = ["remove", "delete"])]
    Rm {
        /// The time entry's id, or its last characters, four or more
        entry: String,
        #[command(flatten)]
        named: Named,
    },
}

#[derive(Debug, Args)]
#[command(
    group(clap::ArgGroup::new("when").required(true).multiple(true).args(["from", "to", "length"])),
    override_usage = "dormouse time log TASK <--from WHEN|--to WHEN|--for LENGTH>... [OPTIONS]"
)]
pub(crate) struct TimeLog {
    /// The task's id, or its last characters, four or more
    task: String,
    /// From when, such as 9:00 or "yesterday 14:00"
    #[arg(long, value_name = "WHEN")]
    from: Option<String>,
    /// Until when; a time alone is one of the day it began on [default: now]
    #[arg(long, value_name = "WHEN")]
    to: Option<String>,
    /// How long, such as 45m or 1h30, instead of one of the two ends
    #[arg(long = "for", value_name = "LENGTH", allow_hyphen_values = true)]
    length: Option<String>,
    /// What you did
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// The note in which you told of it
    #[arg(long, value_name = "NOTE")]
    told_in: Option<String>,
    #[command(flatten)]
    named: Named,
}

#[derive(Debug, Args)]
#[command(
    group(clap::ArgGroup::new("what").required(true).multiple(true)),
    override_usage = "dormouse time edit ENTRY [OPTIONS]"
)]
pub(crate) struct TimeEdit {
    /// The time entry's id, or its last characters, four or more
    entry: String,
    /// From when; a time alone is one of its own day
    #[arg(long, value_name = "WHEN", group = "what")]
    from: Option<String>,
    /// Until when
    #[arg(long, value_name = "WHEN", group = "what")]
    to: Option<String>,
    /// On which task
    #[arg(long, group = "what")]
    task: Option<String>,
    #[command(flatten)]
    named: Named,
}

pub(crate) fn ask(
    command: TimeCommand,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let (word, verb, arguments, named) = match command {
        TimeCommand::Status => return status(client, screen),
        TimeCommand::List { day, from, to } => return list(client, screen, (day, from, to)),
        TimeCommand::Rm { entry, named } => return remove(client, screen, &entry, named),
        TimeCommand::Log(log) => {
            let (arguments, named) = logged(log);
            ("logged", "create_retrospective_time_entry", arguments, named)
        }
        TimeCommand::Start { task, note, named } => {
            let arguments =
                given([("taskId", Some(json!(task))), ("description", note.map(Value::from))]);
            ("started", "start_task_timer", arguments, named)
        }
        TimeCommand::Stop { at, note, named } => {
            let arguments = given([
                ("timeEntryId", Some(json!(running(client)?.id))),
                ("endedAt", at.map(Value::from)),
                ("description", note.map(Value::from)),
            ]);
            ("stopped:", "stop_task_timer", arguments, named)
        }
        TimeCommand::Edit(edit) => {
            let arguments = given([
                ("timeEntryId", Some(json!(edit.entry))),
                ("startedAt", edit.from.map(Value::from)),
                ("endedAt", edit.to.map(Value::from)),
                ("taskId", edit.task.map(Value::from)),
            ]);
            ("now", "edit_time_entry", arguments, edit.named)
        }
        TimeCommand::Note { entry, text, named } => {
            let arguments = json!({ "timeEntryId": entry, "description": text });
            ("noted:", "annotate_time_entry", arguments, named)
        }
    };
    let done = change(client, screen, verb, arguments, named)?;
    changed(client, screen, done, word)
}

fn logged(log: TimeLog) -> (Value, Named) {
    let arguments = given([
        ("taskId", Some(json!(log.task))),
        ("startedAt", log.from.map(Value::from)),
        ("endedAt", log.to.map(Value::from)),
        ("duration", log.length.map(Value::from)),
        ("description", log.note.map(Value::from)),
        ("sourceEntryId", log.told_in.map(Value::from)),
    ]);
    (arguments, log.named)
}

fn status(client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let timer: Option<TimeReply> = client.ask(Request::Look(JournalLook::Timer {}))?;
    screen.show(&timer, |timer| match timer {
        Some(time) => format!("{}\n", line(time)),
        None => "no timer runs\n".to_owned(),
    });
    Ok(())
}

/// A day, or the first and the last of several.
type Days = (Option<String>, Option<String>, Option<String>);

fn list(client: &Client, screen: &Screen, (day, from, to): Days) -> Result<(), ProblemReply> {
    let today = || "today".to_owned();
    let (from, to) = match (day, from) {
        (Some(day), _) => (day.clone(), day),
        (None, Some(from)) => (from, to.unwrap_or_else(today)),
        (None, None) => (today(), today()),
    };
    let sheet: TimeSheetReply = client.ask(Request::Look(JournalLook::TimeSheet { from, to }))?;
    screen.show(&sheet, shown);
    Ok(())
}

fn remove(client: &Client, screen: &Screen, entry: &str, named: Named) -> Result<(), ProblemReply> {
    let done = change(client, screen, "remove_time_entry", json!({ "timeEntryId": entry }), named)?;
    let removed = json!({ "id": id_of(&done), "operation": done.operation });
    screen.show(&removed, |_| format!("removed {}\n", short(&id_of(&done))));
    undoable(screen, &done);
    Ok(())
}

/// Shows a stretch of time that was changed, and says what it runs into.
fn changed(
    client: &Client,
    screen: &Screen,
    done: DoneReply,
    word: &str,
) -> Result<(), ProblemReply> {
    let look = Request::Look(JournalLook::TimeEntry { time_entry: id_of(&done) });
    let time: TimeReply = client.ask(look)?;
    for other in done.answer["overlaps"].as_array().into_iter().flatten() {
        let clock = |end: &str| other[end].as_str().and_then(|at| at.get(11..16)).unwrap_or("now");
        let id = short(other["id"].as_str().unwrap_or_default());
        screen.say(&format!("it overlaps {}-{} ({id})", clock("startedAt"), clock("endedAt")));
    }
    if let Some(note) = done.answer["note"].as_str() {
        screen.say(note);
    }
    let changed = Changed { what: time, operation: done.operation };
    screen.show(&changed, |changed| format!("{word} {}\n", line(&changed.what)));
    Ok(())
}

fn running(client: &Client) -> Result<TimeReply, ProblemReply> {
    let timer: Option<TimeReply> = client.ask(Request::Look(JournalLook::Timer {}))?;
    timer.ok_or_else(|| ProblemReply {
        code: "no_such_step".to_owned(),
        message: "no timer runs".to_owned(),
        hint: "`dormouse time start TASK` starts one".to_owned(),
    })
}

fn line(time: &TimeReply) -> String {
    let note = match time.description.as_str() {
        "" => String::new(),
        note => format!(": {note}"),
    };
    let day = match time.day_name.as_str() {
        "today" => String::new(),
        day => format!("{day} "),
    };
    let (title, from, length) = (&time.title, &time.from, say::minutes(time.minutes));
    let what = match (&time.to, time.minutes) {
        (Some(to), _) => format!("{length} on {title}, {day}{from}-{to}"),
        (None, 0) => format!("{title}, since {day}{from}"),
        (None, _) => format!("{title} for {length}, since {day}{from}"),
    };
    format!("{what}{note}  ({})", short(&time.id))
}

fn shown(sheet: &TimeSheetReply) -> String {
    let rows = sheet.entries.iter().map(|time| {
        let to = time.to.clone().unwrap_or_else(|| "now".to_owned());
        // What runs since yesterday, or was spent by another clock, did not begin on the day of the list.
        let day = match (sheet.from, sheet.to) == (time.day, time.day) {
            true => String::new(),
            false => format!("{} ", say::day(time.day, sheet.to)),
        };
        [
            short(&time.id).to_owned(),
            format!("{day}{}-{to}", time.from),
            say::minutes(time.minutes),
            time.category.clone(),
            time.title.clone(),
            time.description.lines().next().unwrap_or_default().to_owned(),
        ]
    });
    let head = ["ID", "WHEN", "LENGTH", "CATEGORY", "TASK", "NOTE"];
    let text = table(head, rows, "no time recorded\n");
    if sheet.entries.is_empty() { text } else { text + &totals(sheet) }
}

fn totals(sheet: &TimeSheetReply) -> String {
    let spent = |of: &[api_types::SpentReply]| {
        let each: Vec<String> =
            of.iter().map(|one| format!("{} {}", one.name, say::minutes(one.minutes))).collect();
        each.join(", ")
    };
    let mut text = format!("\n{} in all", say::minutes(sheet.minutes));
    if sheet.by_category.len() > 1 {
        text += &format!(" ({})", spent(&sheet.by_category));
    }
    text.push('\n');
    if sheet.by_task.len() > 1 {
        text += &format!("  {}\n", spent(&sheet.by_task));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_begin_on_the_day_of_a_list_is_shown_with_its_own() {
        let time = |day: &str, from: &str| {
            json!({
                "id": "time_ferns", "task": "task_ferns", "title": "Ferns", "category": "home",
                "description": "", "started_at": "2026-11-19T22:00:00Z", "ended_at": null, "day": day,
                "day_name": "", "from": from, "to": null, "minutes": 60, "running": true,
                "source_entry": null,
            })
        };
        let sheet = json!({
            "from": "2026-11-20", "to": "2026-11-20", "by_task": [], "by_category": [], "minutes": 120,
            "entries": [time("2026-11-19", "23:00"), time("2026-11-20", "09:00")],
        });
        let text = shown(&serde_json::from_value(sheet).unwrap());
        let lines: Vec<&str> = text.lines().skip(1).take(2).collect();
        assert!(lines[0].contains("Thu 19 Nov 23:00-now"), "{text}");
        assert!(lines[1].contains(" 09:00-now") && !lines[1].contains("Nov"), "{text}");
    }
}

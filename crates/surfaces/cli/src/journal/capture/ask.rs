//! Capturing standard input.

use api_types::{CategoryReply, DoneReply, JournalLook, ProblemReply, Request};
use clap::{Args, ValueEnum};
use client::Client;
use serde_json::{Value, json};

use crate::journal::change::{Named, change_quietly, counted, id_of, preview, short};
use crate::journal::stdin;
use crate::screen::Screen;

use super::lines::{Jotted, names, read};

pub(crate) const EXAMPLES: &str = "Examples:\n  dormouse capture --category home < shopping.txt\n  echo \"Call the plumber\" | dormouse capture --category home\n  dormouse capture --category work --as note < minutes.txt";

/// Tasks that are named when they were taken; the rest is counted.
const NAMED_MAX: usize = 10;

#[derive(Debug, Args)]
pub(crate) struct Capture {
    /// Where it belongs; may be left out if there is only one category
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// What it becomes: a task for each line with the indented lines under it as its items, or one note
    #[arg(long = "as", value_enum, value_name = "WHAT", default_value_t = Kind::Task)]
    kind: Kind,
    #[command(flatten)]
    named: Named,
    /// What came on standard input.
    #[arg(skip)]
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Task,
    Note,
}

impl Capture {
    /// The same with all of standard input. It is read before the home is opened, since nobody else
    /// could use the home while somebody types.
    pub(crate) fn with_input(self, screen: &Screen) -> Result<Capture, ProblemReply> {
        Ok(Capture { text: stdin::typed(screen, "down what there is")?, ..self })
    }
}

pub(crate) fn ask(words: Capture, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let category = category(words.category, client)?;
    match words.kind {
        Kind::Task => tasks(&words.text, &category, &words.named, client, screen),
        Kind::Note => note(&words.text, &category, words.named, client, screen),
    }
}

/// The category that is named, or the only one there is.
fn category(named: Option<String>, client: &Client) -> Result<String, ProblemReply> {
    if let Some(name) = named {
        return Ok(name);
    }
    let mut all: Vec<CategoryReply> = client.ask(Request::Look(JournalLook::Categories {}))?;
    match all.len() {
        1 => Ok(all.remove(0).name),
        _ => {
            let names: Vec<String> = all.into_iter().map(|category| category.name).collect();
            Err(ProblemReply {
                code: "unknown_category".to_owned(),
                message: "it is not clear where this belongs; nothing was taken".to_owned(),
                hint: format!("say --category; the categories are: {}", names.join(", ")),
            })
        }
    }
}

/// Takes each task by an operation of its own. All are looked at before the first is taken.
fn tasks(
    text: &str,
    category: &str,
    named: &Named,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let jotted = read(text);
    for task in &jotted {
        let wrong = |problem: ProblemReply| {
            let message = format!("{}: {}; nothing was taken", place(task), problem.message);
            ProblemReply { message, ..problem }
        };
        preview(client, "create_task", arguments(task, category)).map_err(wrong)?;
    }
    let mut taken: Vec<DoneReply> = Vec::new();
    for (n, (task, name)) in jotted.iter().zip(names(&jotted)).enumerate() {
        let named = named.part(&name);
        let done = change_quietly(client, "create_task", arguments(task, category), named);
        taken.push(done.map_err(|problem| stopped(problem, &jotted, n))?);
    }
    let ids: Vec<String> = taken.iter().map(id_of).collect();
    let items: usize = jotted.iter().map(|task| task.items.len()).sum();
    let repeated = taken.iter().filter(|done| done.repeated).count();
    let shown = json!({
        "tasks": taken.len(), "items": items, "repeated": repeated, "notes": 0,
        "ids": ids,
    });
    screen.show(&shown, |_| told(&jotted, &ids, items, repeated));
    Ok(())
}

/// What was taken, with the ids of the first few.
fn told(jotted: &[Jotted], ids: &[String], items: usize, repeated: usize) -> String {
    if jotted.is_empty() {
        return "there was nothing to take\n".to_owned();
    }
    let with = match items {
        0 => String::new(),
        items => format!(" with {}", counted(items, "item")),
    };
    let again = match repeated {
        0 => String::new(),
        1 => ", 1 of which was there already".to_owned(),
        some => format!(", {some} of which were there already"),
    };
    let mut text = format!("took {}{with}{again}\n", counted(jotted.len(), "task"));
    for (task, id) in jotted.iter().zip(ids).take(NAMED_MAX) {
        text += &format!("  {}  {}\n", short(id), task.title);
    }
    match jotted.len().saturating_sub(NAMED_MAX) {
        0 => text,
        more => text + &format!("  and {more} more\n"),
    }
}

fn arguments(task: &Jotted, category: &str) -> Value {
    let items = task.items.iter();
    let items: Vec<Value> =
        items.map(|(title, checked)| json!({ "title": title, "checked": checked })).collect();
    json!({
        "title": task.title, "categoryId": category, "items": items,
        "status": if task.done { "done" } else { "open" },
    })
}

/// What went wrong, and what of the input was taken before.
fn stopped(problem: ProblemReply, jotted: &[Jotted], n: usize) -> ProblemReply {
    let last = jotted.last().map_or(0, |task| task.lines.1);
    let taken = match n.checked_sub(1).map(|before| jotted[before].lines.1) {
        Some(line) => format!("lines 1 to {line} were taken"),
        None => "nothing was taken".to_owned(),
    };
    let first = jotted[n].lines.0;
    ProblemReply {
        message: format!(
            "{}: {}; {taken}, lines {first} to {last} were not",
            place(&jotted[n]),
            problem.message
        ),
        hint: format!(
            "{}; then give the lines from {first} on again, or all of them with the same \
             --request-id if you gave one",
            problem.hint
        ),
        ..problem
    }
}

fn place(task: &Jotted) -> String {
    match task.lines {
        (first, last) if first == last => format!("line {first}"),
        (first, last) => format!("lines {first} to {last}"),
    }
}

/// Takes all of it as one note.
fn note(
    text: &str,
    category: &str,
    named: Named,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let arguments = json!({ "text": text.trim_end(), "categoryId": category });
    let done = change_quietly(client, "write_entry", arguments, named)?;
    let shown = json!({
        "tasks": 0, "items": 0, "repeated": usize::from(done.repeated), "notes": 1,
        "ids": [id_of(&done)],
    });
    screen.show(&shown, |_| format!("took a note  {}\n", short(&id_of(&done))));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_is_named_and_a_long_list_is_counted() {
        let ids = |n: usize| (0..n).map(|n| format!("task_{n:06}")).collect::<Vec<String>>();
        assert_eq!(told(&[], &[], 0, 0), "there was nothing to take\n");
        assert_eq!(told(&read("a"), &ids(1), 0, 0), "took 1 task\n  000000  a\n");
        let some = told(&read("a\n  1\nb"), &ids(2), 1, 1);
        let first = "took 2 tasks with 1 item, 1 of which was there already\n";
        assert_eq!(some, format!("{first}  000000  a\n  000001  b\n"));
        let many = told(&read(&"a\n".repeat(12)), &ids(12), 0, 0);
        assert!(many.ends_with("  000009  a\n  and 2 more\n"), "{many}");
    }

    #[test]
    fn who_is_stopped_learns_which_lines_were_taken_and_which_were_not() {
        let jotted = read("a\n  1\n\nb\n  2\nc\n");
        let problem = || ProblemReply {
            code: "disk_full".to_owned(),
            message: "no room".to_owned(),
            hint: "make some".to_owned(),
        };
        let said = |n: usize| stopped(problem(), &jotted, n).message;
        assert_eq!(said(0), "lines 1 to 2: no room; nothing was taken, lines 1 to 6 were not");
        assert_eq!(
            said(1),
            "lines 4 to 5: no room; lines 1 to 2 were taken, lines 4 to 6 were not"
        );
        assert_eq!(said(2), "line 6: no room; lines 1 to 5 were taken, lines 6 to 6 were not");
        assert!(stopped(problem(), &jotted, 2).hint.starts_with("make some; then give the lines"));
    }
}

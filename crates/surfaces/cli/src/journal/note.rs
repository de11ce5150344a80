//! Notes, recordings and pictures.

use api_types::{EntryListParams, EntryReply, JournalLook, ProblemReply, Request};
use clap::{Args, Subcommand};
use client::Client;
use serde_json::{Value, json};

use crate::number::how_many;
use crate::paint::cut;
use crate::render::table;
use crate::screen::Screen;

use super::change::{Changed, Named, change, given, id_of, short, undoable};
use super::media::{self, Media};
use super::{more, stdin};

/// Columns of a note in a list.
const LINE_MAX: usize = 70;

/// Columns of the title of the task that a note is about.
const TITLE_MAX: usize = 30;

#[derive(Debug, Subcommand)]
pub(crate) enum NoteCommand {
    /// Write a note about a task, or in a category
    #[command(
        after_help = "Examples:\n  dormouse note add \"Bought moss\" --task TASK\n  dormouse note add --category home < letter.txt\n  dormouse note add --category home --audio memo.ogg --transcript \"Call the vet\""
    )]
    Add(NoteAdd),
    /// List notes, newest first
    #[command(
        after_help = "Examples:\n  dormouse note list --day today\n  dormouse note list --category home --from \"last monday\" --to today"
    )]
    #[command(alias = "ls")]
    List(NoteList),
    /// Show one note
    #[command(after_help = "Example:\n  dormouse note show NOTE")]
    Show {
        /// The note's id, or its last characters, four or more
        note: String,
    },
    /// Change a note
    #[command(after_help = "Example:\n  dormouse note edit NOTE \"Bought moss and ferns\"")]
    Edit(NoteEdit),
    /// Remove a note
    #[command(after_help = "Example:\n  dormouse note rm NOTE")]
    #[command(aliases = ["remove", "delete"])]
    Rm {
        /// The note's id, or its last characters, four or more
        note: String,
        #[command(flatten)]
        named: Named,
    },
}

#[derive(Debug, Args)]
pub(crate) struct NoteAdd {
    /// What to note; - or nothing reads it from standard input
    pub(crate) text: Vec<String>,
    /// The task it is about, by its id or its last characters, four or more
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// Where it belongs; a note about a task lies where the task does
    #[arg(long, value_name = "NAME")]
    pub(crate) category: Option<String>,
    /// When it was said, such as "yesterday 18:00"; now if left out
    #[arg(long, value_name = "WHEN")]
    pub(crate) at: Option<String>,
    /// A recording that it is; the file stays where it lies
    #[arg(long, value_name = "PATH", conflicts_with = "image")]
    pub(crate) audio: Option<String>,
    /// A picture that it is; the file stays where it lies
    #[arg(long, value_name = "PATH")]
    pub(crate) image: Option<String>,
    /// What is said in the recording, or to be seen in the picture
    #[arg(long, value_name = "TEXT", conflicts_with = "text")]
    pub(crate) transcript: Option<String>,
    #[command(flatten)]
    pub(crate) named: Named,
}

#[derive(Debug, Args)]
pub(crate) struct NoteList {
    /// Only those about this task
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// Only those of this category
    #[arg(long, value_name = "NAME")]
    pub(crate) category: Option<String>,
    /// Only those of this day, such as today or 2026-11-15
    #[arg(long, value_name = "DAY", conflicts_with_all = ["from", "to"])]
    pub(crate) day: Option<String>,
    /// Only those from this day on
    #[arg(long, value_name = "DAY")]
    pub(crate) from: Option<String>,
    /// Only those up to and with this day
    #[arg(long, value_name = "DAY")]
    pub(crate) to: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = how_many, allow_negative_numbers = true)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
#[command(
    group(clap::ArgGroup::new("what").required(true).multiple(true)),
    override_usage = "dormouse note edit NOTE [TEXT] [OPTIONS]"
)]
pub(crate) struct NoteEdit {
    /// The note's id, or its last characters, four or more
    pub(crate) note: String,
    /// What it should say; - reads it from standard input
    #[arg(group = "what")]
    pub(crate) text: Option<String>,
    /// The task it is about
    #[arg(long, value_name = "TASK", conflicts_with = "no_task", group = "what")]
    pub(crate) task: Option<String>,
    /// It is about no task any more
    #[arg(long, group = "what")]
    pub(crate) no_task: bool,
    /// Where it belongs
    #[arg(long, value_name = "NAME", group = "what")]
    pub(crate) category: Option<String>,
    /// When it was said
    #[arg(long, value_name = "WHEN", group = "what")]
    pub(crate) at: Option<String>,
    #[command(flatten)]
    pub(crate) named: Named,
}

impl NoteCommand {
    /// The same with what comes on standard input. It is read before the home is opened, since nobody
    /// else could use the home while somebody types.
    pub(crate) fn with_input(self) -> Result<NoteCommand, ProblemReply> {
        match self {
            NoteCommand::Add(add) => Ok(NoteCommand::Add(add.with_input()?)),
            NoteCommand::Edit(mut edit) => {
                if let Some(text) = edit.text.take() {
                    edit.text = Some(stdin::words(Some(text), "what the note should say")?);
                }
                Ok(NoteCommand::Edit(edit))
            }
            other => Ok(other),
        }
    }
}

impl NoteAdd {
    fn with_input(mut self) -> Result<NoteAdd, ProblemReply> {
        let given = Some(self.text.join(" ")).filter(|_| !self.text.is_empty());
        let text = match given.or(self.transcript.take()) {
            // A recording may wait for its words.
            None if self.audio.is_some() || self.image.is_some() => String::new(),
            given => stdin::words(given, "what to note")?,
        };
        self.text = vec![text];
        Ok(self)
    }
}

pub(crate) fn ask(
    command: NoteCommand,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    match command {
        NoteCommand::Add(add) => {
            let note = write(add, client, screen)?;
            screen.show(&note, |note| format!("noted {}\n", line(&note.what)));
        }
        NoteCommand::List(list) => {
            let NoteList { task, category, day, from, to, limit } = list;
            let (from, to) = (from.or_else(|| day.clone()), to.or(day));
            let params =
                EntryListParams { task, category, from, to, limit: Some(more::than(limit)) };
            let notes: Vec<EntryReply> = client.ask(Request::Look(JournalLook::Entries(params)))?;
            let notes = more::cut(notes, limit, screen);
            screen.show(&notes, |notes| lines(notes));
        }
        NoteCommand::Show { note } => screen.show(&get(client, note)?, shown),
        NoteCommand::Edit(edit) => {
            let note = rewrite(edit, client, screen)?;
            screen.show(&note, |note| format!("{} {}\n", note.word(), line(&note.what)));
        }
        NoteCommand::Rm { note, named } => {
            let done = change(client, screen, "remove_entry", json!({ "entryId": note }), named)?;
            let removed = json!({ "id": id_of(&done), "operation": done.operation });
            screen.show(&removed, |_| format!("removed {}\n", short(&id_of(&done))));
            undoable(screen, &done);
        }
    }
    Ok(())
}

fn write(
    add: NoteAdd,
    client: &Client,
    screen: &Screen,
) -> Result<Changed<EntryReply>, ProblemReply> {
    let media = match (add.audio, add.image) {
        (Some(path), _) => Some(("audio", media::found(&path)?)),
        (None, Some(path)) => Some(("image", media::found(&path)?)),
        (None, None) => None,
    };
    let text = add.text.join(" ");
    let (kind, file) = media.unzip();
    let Media { uri, media_type } = file.unwrap_or_default();
    let arguments = given([
        ("text", Some(json!(text))),
        ("taskId", add.task.map(Value::from)),
        ("categoryId", add.category.map(Value::from)),
        ("at", add.at.map(Value::from)),
        ("kind", kind.map(Value::from)),
        ("mediaUri", uri.map(Value::from)),
        ("mediaType", media_type.map(Value::from)),
    ]);
    let done = change(client, screen, "write_entry", arguments, add.named)?;
    Ok(Changed { what: get(client, id_of(&done))?, operation: done.operation })
}

fn rewrite(
    edit: NoteEdit,
    client: &Client,
    screen: &Screen,
) -> Result<Changed<EntryReply>, ProblemReply> {
    let task = match (edit.task, edit.no_task) {
        (Some(task), _) => Some(Value::from(task)),
        (None, true) => Some(Value::Null),
        (None, false) => None,
    };
    let arguments = given([
        ("entryId", Some(json!(edit.note))),
        ("text", edit.text.map(Value::from)),
        ("taskId", task),
        ("categoryId", edit.category.map(Value::from)),
        ("at", edit.at.map(Value::from)),
    ]);
    let done = change(client, screen, "edit_entry", arguments, edit.named)?;
    Ok(Changed { what: get(client, id_of(&done))?, operation: done.operation })
}

fn get(client: &Client, entry: String) -> Result<EntryReply, ProblemReply> {
    client.ask(Request::Look(JournalLook::Entry { entry }))
}

fn line(note: &EntryReply) -> String {
    format!("{}  {}  [{}]", note.id, first_line(note), place(note))
}

/// Where a note belongs, in names.
fn place(note: &EntryReply) -> String {
    match &note.task_title {
        Some(task) => format!("{}: {}", note.category, cut(task, TITLE_MAX)),
        None => note.category.clone(),
    }
}

/// The first line that says anything, cut to a list's width.
pub(super) fn first_line(note: &EntryReply) -> String {
    let line = note.text.lines().map(str::trim).find(|line| !line.is_empty());
    let line = line.unwrap_or(note.media_uri.as_deref().unwrap_or_default());
    cut(line, LINE_MAX)
}

fn shown(note: &EntryReply) -> String {
    let mut text = format!("{} ({})\n  id        {}\n", note.when, note.kind, note.id);
    text += &format!("  category  {}\n", note.category);
    if let Some(task) = &note.task {
        let title = note.task_title.as_deref().unwrap_or("(removed)");
        text += &format!("  task      {title}  {}\n", short(task));
    }
    if let Some(uri) = &note.media_uri {
        text += &format!("  file      {uri}\n");
    }
    format!("{text}\n{}\n", note.text)
}

fn lines(notes: &[EntryReply]) -> String {
    let rows = notes
        .iter()
        .map(|note| [short(&note.id).to_owned(), note.when.clone(), place(note), first_line(note)]);
    table(["ID", "WHEN", "WHERE", "NOTE"], rows, "no notes\n")
}

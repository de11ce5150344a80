//! One task as people read it.

use api_types::{EntryReply, TaskReply};

use crate::journal::change::short;
use crate::journal::note::first_line;
use crate::paint::{Tone, paint};

/// Notes about a task that are shown with it.
pub(super) const NOTES: usize = 5;

/// A task in one line, with how a date that was said in words was understood.
pub(super) fn line(task: &TaskReply) -> String {
    let mut facts = vec![task.category.clone(), task.status.clone()];
    facts.extend(Some(task.priority.clone()).filter(|priority| priority != "p2"));
    facts.extend(due(task).map(|due| format!("due {due}")));
    facts.extend(task.estimate_words.clone());
    format!("{}  {}  [{}]", task.id, task.title, facts.join(", "))
}

/// A task with all that belongs to it, and the newest notes about it.
pub(super) fn task(task: &TaskReply, notes: &[EntryReply]) -> String {
    let labels = Some(task.labels.join(", ")).filter(|labels| !labels.is_empty());
    let rows = [
        ("id", Some(task.id.clone())),
        ("status", Some(task.status.clone())),
        ("priority", Some(task.priority.clone())),
        ("category", Some(task.category.clone())),
        ("labels", labels),
        ("due", due(task)),
        ("estimate", task.estimate_words.clone()),
        ("language", task.language.clone()),
        ("created", Some(task.created_at.to_string())),
        ("changed", Some(task.updated_at.to_string())),
        ("closed", task.closed_at.map(|at| at.to_string())),
    ];
    let mut text = paint(Tone::Strong, &task.title) + "\n";
    for (name, value) in rows {
        let name = paint(Tone::Quiet, &format!("{name:<12}"));
        text += &value.map_or_else(String::new, |value| format!("  {name}{value}\n"));
    }
    for other in &task.relations {
        let how = paint(Tone::Quiet, &format!("{:<12}", other.relation.replace('_', " ")));
        let id = paint(Tone::Quiet, short(&other.task));
        text += &format!("  {how}{}  {id}\n", other.title);
    }
    text + &checklists(task) + &about(task, notes)
}

fn about(task: &TaskReply, notes: &[EntryReply]) -> String {
    let mut text = String::new();
    for note in notes.iter().take(NOTES) {
        let id = paint(Tone::Quiet, short(&note.id));
        text += &format!("    {}  {}  {id}\n", note.when, first_line(note));
    }
    if notes.len() > NOTES {
        text += &format!("    and more: `dormouse note list --task {}`\n", short(&task.id));
    }
    if text.is_empty() { text } else { format!("  {}\n{text}", paint(Tone::Quiet, "notes")) }
}

/// When it is due, and whether it should have been done by now.
pub(super) fn due(task: &TaskReply) -> Option<String> {
    let words = task.due_words.as_ref()?;
    Some(match task.overdue {
        true => paint(Tone::Bad, &format!("{words} (overdue)")),
        false => words.clone(),
    })
}

fn checklists(task: &TaskReply) -> String {
    let mut text = String::new();
    for list in &task.checklists {
        let on_it = task.items.iter().filter(|item| item.checklist == list.id);
        let done = on_it.clone().filter(|item| item.checked).count();
        let all = on_it.clone().count();
        let id = paint(Tone::Quiet, short(&list.id));
        text += &format!("  {} {done}/{all}  {id}\n", list.title);
        for item in on_it {
            let mark = if item.checked { paint(Tone::Good, "x") } else { " ".to_owned() };
            let id = paint(Tone::Quiet, short(&item.id));
            text += &format!("    [{mark}] {}  {id}\n", item.title);
        }
    }
    text
}

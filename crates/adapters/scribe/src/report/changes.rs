//! What changed, in words.

use types::RecordId;

use crate::limits::LINE_BYTES_MAX;
use crate::plain::{line, quoted};
use crate::read::{Change, Did, Prompt, Task};

/// Bytes of an entry where it is only named; its section has more of it.
const ENTRY_BYTES_MAX: usize = 80;

/// A change in words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    pub(crate) words: String,
    pub(crate) sources: Vec<RecordId>,
    /// The item that was finished by it.
    pub(crate) finished: Option<String>,
}

/// All changes in words, each once and in order.
pub(crate) fn tell(prompt: &Prompt) -> Vec<Told> {
    let mut told: Vec<Told> = Vec::new();
    for change in &prompt.changes {
        for one in words(change, prompt) {
            if !told.iter().any(|before| before.words == one.words) {
                told.push(one);
            }
        }
    }
    told
}

fn words(change: &Change, prompt: &Prompt) -> Vec<Told> {
    let (phrases, finished) = match change.kind.as_str() {
        "CHECKLIST_ITEM" => item(change, prompt),
        "TASK" => (task(change, prompt), None),
        _ => (vec![other(change, prompt)], None),
    };
    // What was removed is no source any more: the task says that it is gone.
    let record = change.record.clone().filter(|_| change.did != Did::Removed);
    let sources: Vec<RecordId> = record.into_iter().collect();
    let by = if change.by_agent { " (by an agent)" } else { "" };
    let told = phrases.into_iter().map(|words| Told {
        words: format!("{words}{by}"),
        sources: sources.clone(),
        finished: finished.clone(),
    });
    told.collect()
}

fn item(change: &Change, prompt: &Prompt) -> (Vec<String>, Option<String>) {
    let items = prompt.task.iter().flat_map(Task::items);
    let item = items.into_iter().find(|item| item.id.is_some() && item.id == change.record);
    let title = item.map(|item| item.title.clone()).or_else(|| change.title.clone());
    let name = title.as_deref().map_or_else(|| "one without a title here".to_owned(), short);
    let has = |field: &str| change.fields.iter().any(|one| one == field);
    match change.did {
        Did::Made => (vec![format!("new item: {name}")], None),
        Did::Removed => (vec![format!("item removed: {name}")], None),
        Did::Changed => {
            let mut phrases = Vec::new();
            let mut finished = None;
            match item.filter(|_| has("checked")) {
                Some(item) if item.checked => {
                    phrases.push(format!("checked off: {name}"));
                    finished = Some(name.clone());
                }
                Some(_) => phrases.push(format!("no longer checked off: {name}")),
                None => {}
            }
            if has("title") {
                phrases.push(format!("item reworded: {name}"));
            }
            if phrases.is_empty() {
                phrases.push(format!("item changed: {name}"));
            }
            (phrases, finished)
        }
    }
}

fn task(change: &Change, prompt: &Prompt) -> Vec<String> {
    let here = prompt.task.as_ref().filter(|task| Some(RecordId::from(&task.id)) == change.record);
    let Some(task) = here.filter(|_| change.did == Did::Changed) else {
        return vec![other(change, prompt)];
    };
    let mut phrases: Vec<String> =
        change.fields.iter().filter_map(|field| field_words(field, task, prompt)).collect();
    if phrases.is_empty() {
        phrases.push("the task changed".to_owned());
    }
    phrases
}

fn field_words(field: &str, task: &Task, prompt: &Prompt) -> Option<String> {
    let now = |what: &str, value: Option<String>| match value {
        Some(value) => format!("{what} changed: now {value}"),
        None => format!("{what} taken away"),
    };
    Some(match field {
        "title" => title_words(task, prompt),
        "status" => now("status", task.status.as_deref().map(spoken)),
        "priority" => now("priority", task.priority.clone()),
        "due" => now("due date", task.due.map(|due| due.to_string())),
        "estimate_minutes" => now("estimate", task.estimate_minutes.map(crate::plain::minutes)),
        "labels" => "labels changed".to_owned(),
        "category_id" | "category" => "category changed".to_owned(),
        "language" => "language changed".to_owned(),
        // It comes with the status and says nothing more.
        "closed_at" => return None,
        field => format!("{} changed", line(&spoken(field), LINE_BYTES_MAX)),
    })
}

/// The old title is the heading of the report that stands.
fn title_words(task: &Task, prompt: &Prompt) -> String {
    let now = quoted(&task.title, LINE_BYTES_MAX);
    let heading = prompt.report.as_ref().and_then(|report| report.content.lines().next());
    let before =
        heading.and_then(|line| line.strip_prefix("# ")).map(|text| text.replace('\\', ""));
    match before.filter(|before| *before != line(&task.title, LINE_BYTES_MAX)) {
        Some(before) => {
            format!("title changed from {} to {now}", quoted(&before, LINE_BYTES_MAX))
        }
        None => format!("title changed: now {now}"),
    }
}

fn other(change: &Change, prompt: &Prompt) -> String {
    let kind = match change.kind.as_str() {
        "ENTRY" => "entry".to_owned(),
        "TIME_ENTRY" => "time entry".to_owned(),
        kind => line(&spoken(&kind.to_lowercase()), LINE_BYTES_MAX),
    };
    let entries = prompt.task.iter().flat_map(|task| &task.entries);
    let entry = entries.into_iter().find(|entry| entry.id.is_some() && entry.id == change.record);
    let text = entry.map(|entry| quoted(&entry.text, ENTRY_BYTES_MAX));
    let name = change.title.as_deref().map(short).or(text);
    let name = name.map_or_else(String::new, |name| format!(": {name}"));
    match change.did {
        Did::Made => format!("new {kind}{name}"),
        Did::Changed => format!("{kind} changed{name}"),
        Did::Removed => format!("{kind} removed{name}"),
    }
}

fn short(title: &str) -> String {
    line(title, LINE_BYTES_MAX)
}

/// A name of the code as people say it.
pub(super) fn spoken(name: &str) -> String {
    name.replace('_', " ")
}

//! The page: which sections there are, and in which order they get their room.

use serde_json::Value;
use types::RecordId;

use crate::limits::{LINE_BYTES_MAX, QUOTE_BYTES_MAX};
use crate::plain::{count, line, minutes, quoted};
use crate::read::{Checklist, Entry, Input, Item, Linked, Prompt, Task};

use super::changes::spoken;
use super::private::Private;
use super::sheet::{Line, Sheet};
use super::{conclude, tell};

/// The section that speaks of what happened and not of how things stand.
const SINCE: &str = "Since last time";

/// A report as it would be written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Draft {
    pub(crate) content: String,
    pub(crate) claims: Vec<Value>,
}

/// The report of a task. What matters most comes first, so what has no room is what matters least.
pub(crate) fn draft(task: &Task, prompt: &Prompt) -> Draft {
    let mut sheet = Sheet::headed(&task.title, (&task.id).into(), Private::of(&prompt.notes));
    status(&mut sheet, task);
    sheet.section(SINCE);
    for told in tell(prompt) {
        sheet.put(&Line::read(&told.words, &told.sources));
    }
    if prompt.changes_left_out > 0 {
        let words = format!("{} more changes that were not shown", prompt.changes_left_out);
        sheet.put(&Line::read(&words, &[]));
    }
    sheet.section("Worth knowing");
    for one in conclude(task, prompt) {
        sheet.put(&Line::read(&one.words, &one.sources).concluded());
    }
    sheet.section("Open");
    task.open().for_each(|one| item(&mut sheet, one, "- [ ] ", "Open"));
    sheet.section("Received");
    prompt.received().for_each(|input| received(&mut sheet, input));
    sheet.section("Linked tasks");
    prompt.linked.iter().for_each(|one| linked(&mut sheet, one));
    sheet.section("Notes");
    latest(task).into_iter().for_each(|one| entry(&mut sheet, one));
    sheet.section("Done");
    task.done().for_each(|one| item(&mut sheet, one, "- [x] ", "Done"));
    let (content, claims) = sheet.finish();
    Draft { content, claims }
}

/// Whether the report that stands says the same. Where nothing changed, what it says about the last
/// change may stay.
pub(crate) fn stands(draft: &Draft, prompt: &Prompt) -> bool {
    let Some(report) = &prompt.report else { return false };
    let standing = match prompt.changed() {
        true => report.content.clone(),
        false => without_since(&report.content),
    };
    standing.trim() == draft.content.trim()
}

/// A report without the section that speaks of what happened.
fn without_since(content: &str) -> String {
    let heading = format!("\n## {SINCE}\n");
    let Some((before, after)) = content.split_once(&heading) else { return content.to_owned() };
    let rest = after.find("\n## ").or_else(|| after.find("\n*Put together"));
    format!("{before}{}", rest.map_or("", |at| &after[at..]))
}

fn status(sheet: &mut Sheet, task: &Task) {
    sheet.section("Status");
    let state = task.status.as_deref().map_or_else(|| "open".to_owned(), spoken);
    let mut words = format!("Status {}", line(&state, LINE_BYTES_MAX));
    if let Some(priority) = &task.priority {
        words = format!("{words}, priority {}", line(priority, LINE_BYTES_MAX));
    }
    words = match task.due {
        Some(due) => format!("{words}, due {due}"),
        None => format!("{words}, no due date"),
    };
    if !task.labels.is_empty() {
        words = format!("{words}, labels {}", line(&task.labels.join(", "), LINE_BYTES_MAX));
    }
    let lines = [Some((words, Vec::new())), progress(task), time(task), left_out(task)];
    for (words, sources) in lines.into_iter().flatten() {
        sheet.put(&Line::read(&format!("{words}."), &sources).marked("", &words));
    }
}

fn progress(task: &Task) -> Option<(String, Vec<RecordId>)> {
    let (done, all) = (task.done().count(), task.items().count());
    let lists = task.checklists.iter().filter_map(|list: &Checklist| list.id.as_ref());
    let mut sources: Vec<RecordId> = vec![(&task.id).into()];
    sources.extend(lists.map(RecordId::from));
    let shown = if task.hides_items() { " that were shown" } else { "" };
    let words = format!("{done} of {}{shown} done", count(all, "item", "items"));
    (all > 0).then_some((words, sources))
}

fn time(task: &Task) -> Option<(String, Vec<RecordId>)> {
    let words = match (task.spent(), task.estimate_minutes) {
        (Some(spent), Some(all)) => format!("{spent} spent of an estimated {}", minutes(all)),
        (Some(spent), None) => format!("{spent} spent"),
        (None, Some(all)) => format!("Estimated at {}", minutes(all)),
        (None, None) => return None,
    };
    Some((words, Vec::new()))
}

/// What was not shown, so that nobody takes this for all there is.
fn left_out(task: &Task) -> Option<(String, Vec<RecordId>)> {
    let parts = task.left_out.iter().map(|(name, count)| format!("{count} {name}"));
    let parts = line(&parts.collect::<Vec<_>>().join(", "), LINE_BYTES_MAX);
    (!parts.is_empty()).then(|| (format!("Not looked at: {parts}"), Vec::new()))
}

fn item(sheet: &mut Sheet, item: &Item, mark: &str, state: &str) {
    let said = format!("{state}: {}", line(&item.title, LINE_BYTES_MAX));
    let sources: Vec<RecordId> = item.id.iter().cloned().collect();
    let title = line(&item.title, LINE_BYTES_MAX);
    sheet.put(&Line::read(&title, &sources).marked(mark, &said));
}

/// Words from outside: told as somebody's, never taken over.
fn received(sheet: &mut Sheet, input: &Input) {
    let from = line(&input.from, LINE_BYTES_MAX);
    let words = format!("From {from}, not followed: {}", quoted(&input.text, QUOTE_BYTES_MAX));
    match &input.id {
        Some(id) => sheet.put(&Line::read(&words, std::slice::from_ref(id))),
        // No record was named for it, so it is not said to rest on one.
        None => sheet.put(&Line::read(&words, &[]).concluded()),
    }
}

fn linked(sheet: &mut Sheet, linked: &Linked) {
    let relation = match (linked.relation.as_str(), linked.outward) {
        ("blocks", true) => "Blocks".to_owned(),
        ("blocks", false) => "Blocked by".to_owned(),
        ("parent_of", true) => "Has the part".to_owned(),
        ("parent_of", false) => "Part of".to_owned(),
        ("followed_by", true) => "Carried on by".to_owned(),
        ("followed_by", false) => "Carries on from".to_owned(),
        ("relates_to", _) => "Related to".to_owned(),
        (other, _) => format!("Linked ({})", line(&spoken(other), LINE_BYTES_MAX)),
    };
    let state = linked.status.as_deref().map_or_else(String::new, |s| format!(" ({})", spoken(s)));
    let mut words = format!("{relation}: {}{state}", line(&linked.title, LINE_BYTES_MAX));
    if let Some(first) = linked.report.as_deref().and_then(first_line) {
        words = format!("{words}: {first}");
    }
    let sources: Vec<RecordId> = linked.id.iter().cloned().collect();
    sheet.put(&Line::read(&words, &sources));
}

/// The first line of a report that is more than its heading.
fn first_line(report: &str) -> Option<String> {
    let lines = || report.lines().map(str::trim).filter(|line| !line.is_empty());
    let said = lines().find(|line| !line.starts_with('#')).or_else(|| lines().next())?;
    Some(quoted(&said.trim_start_matches(['#', '-', ' ']).replace('\\', ""), LINE_BYTES_MAX))
}

/// The last few entries, the newest first.
fn latest(task: &Task) -> Vec<&Entry> {
    const NOTES_MAX: usize = 5;
    let mut entries: Vec<&Entry> = task.entries.iter().collect();
    entries.sort_by(|one, other| other.at.cmp(&one.at));
    entries.truncate(NOTES_MAX);
    entries
}

fn entry(sheet: &mut Sheet, entry: &Entry) {
    let day = entry.at.as_deref().and_then(|at| at.get(..10));
    let day = day.map_or_else(String::new, |day| format!("{}: ", line(day, 10)));
    let words = format!("{day}{}", quoted(&entry.text, QUOTE_BYTES_MAX));
    let sources: Vec<RecordId> = entry.id.iter().cloned().collect();
    sheet.put(&Line::read(&words, &sources));
}

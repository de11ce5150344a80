//! What the operator is told at the end of a turn.

use crate::course::{Course, Outcome};
use crate::deed;
use crate::limits::{LINE_BYTES_MAX, NAMES_MAX, QUOTE_BYTES_MAX};
use crate::plain::{count, line, names, quoted};
use crate::read::{Prompt, Task};
use crate::report::{conclude, tell};

/// After a look of its own: what changed, what is open, what became of the report.
pub(crate) fn look(prompt: &Prompt, course: &Course<'_>, may_report: bool) -> String {
    let Some(task) = &prompt.task else {
        return sentences([
            Some("I was shown no task, so I did nothing.".to_owned()),
            received(prompt),
        ]);
    };
    sentences([
        Some(news(task, prompt)),
        Some(open(task)),
        Some(conclusions(task, prompt)),
        received(prompt),
        Some(report(course, may_report)),
        failures(course, &["update_report"]),
    ])
}

/// How a task stands, in a few sentences.
pub(crate) fn standing(task: &Task, prompt: &Prompt) -> String {
    let status = task.status.as_deref().unwrap_or("open").replace('_', " ");
    let mut first =
        format!("{}: {}", quoted(&task.title, LINE_BYTES_MAX), line(&status, LINE_BYTES_MAX));
    if let Some(priority) = &task.priority {
        first = format!("{first}, priority {}", line(priority, LINE_BYTES_MAX));
    }
    if let Some(due) = task.due {
        first = format!("{first}, due {due}");
    }
    let spent = task.spent().map(|spent| format!("{spent} were spent."));
    sentences([Some(format!("{first}.")), Some(open(task)), spent, Some(conclusions(task, prompt))])
}

/// What changed, in one sentence; nothing if nothing did.
pub(crate) fn changes(prompt: &Prompt) -> Option<String> {
    let told = tell(prompt);
    let mut parts: Vec<String> =
        told.iter().take(NAMES_MAX).map(|told| told.words.clone()).collect();
    let more = told.len().saturating_sub(NAMES_MAX);
    parts.extend((more > 0).then(|| format!("and {more} more")));
    let hidden = prompt.changes_left_out;
    parts.extend((hidden > 0).then(|| format!("{hidden} that I was not shown")));
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// What is said of items goes for those that were shown.
pub(crate) fn of_those_shown(task: &Task) -> &'static str {
    if task.hides_items() { " (of those I was shown)" } else { "" }
}

/// What is said where there are no items to be seen.
pub(crate) fn no_items(task: &Task) -> &'static str {
    if task.hides_items() {
        "I was shown none of its checklist items."
    } else {
        "It has no checklist items."
    }
}

/// All of so many items.
pub(crate) fn all_of(all: usize) -> String {
    match all {
        1 => "the one item is".to_owned(),
        all => format!("all {all} items are"),
    }
}

fn news(task: &Task, prompt: &Prompt) -> String {
    let title = quoted(&task.title, LINE_BYTES_MAX);
    match (changes(prompt), prompt.wake.first) {
        (Some(changes), _) => format!("{title}: {changes}."),
        (None, true) => format!("This is my first look at {title}."),
        (None, false) => format!("{title}: nothing changed since I last looked."),
    }
}

fn open(task: &Task) -> String {
    let (done, all) = (task.done().count(), task.items().count());
    let shown = of_those_shown(task);
    let progress = format!("{done} of {} done{shown}", count(all, "item", "items"));
    match all - done {
        _ if all == 0 => no_items(task).to_owned(),
        0 => format!("{progress}."),
        _ => {
            let titles = names(task.open().map(|item| item.title.as_str()), NAMES_MAX);
            format!("{progress}; open: {titles}.")
        }
    }
}

fn conclusions(task: &Task, prompt: &Prompt) -> String {
    let words: Vec<String> = conclude(task, prompt).into_iter().map(|one| one.words).collect();
    words.join(" ")
}

/// What came from elsewhere. It is named so that the operator can decide about it.
pub(crate) fn received(prompt: &Prompt) -> Option<String> {
    let all = prompt.received().take(NAMES_MAX).map(|input| {
        let from = line(&input.from, LINE_BYTES_MAX);
        let words = quoted(&input.text, QUOTE_BYTES_MAX);
        format!("Received from {from}, and not followed because it is not your word: {words}.")
    });
    let all: Vec<String> = all.collect();
    (!all.is_empty()).then(|| all.join(" "))
}

fn report(course: &Course<'_>, may_report: bool) -> String {
    let asked = course.calls.iter().rev().find(|made| made.tool == "update_report");
    match asked {
        Some(made) => deed::told(made, &[]),
        None if may_report => {
            "The report stands as it is: it would be the same word for word.".to_owned()
        }
        None => "I may not write the report in this wake.".to_owned(),
    }
}

/// What went wrong, except with some tools that were told of already.
pub(crate) fn failures(course: &Course<'_>, except: &[&str]) -> Option<String> {
    let wrong = course
        .untold()
        .iter()
        .filter(|made| !matches!(made.outcome, Outcome::Done(_)) && !except.contains(&made.tool));
    let words: Vec<String> = wrong.map(|made| deed::told(made, &[])).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Sentences on lines of their own; empty ones are none.
pub(crate) fn sentences(all: impl IntoIterator<Item = Option<String>>) -> String {
    let said: Vec<String> = all.into_iter().flatten().filter(|one| !one.is_empty()).collect();
    said.join("\n")
}

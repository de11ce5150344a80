//! Answers to questions, out of what the task says.

use crate::brief;
use crate::limits::{LINE_BYTES_MAX, NAMES_MAX};
use crate::plain::{count, minutes, names, quoted};
use crate::read::{Item, Prompt, Task};
use crate::report::conclude;

use super::Question;
use super::find::find;

/// What the scribe is. It says so whenever it cannot help.
pub(crate) const WHO: &str = "I am scribe, Dormouse's built-in rule-based model: I follow fixed rules \
    and understand simple sentences only.";

/// What the scribe can do.
pub(crate) const CAN: &str = "I can keep this task's report, and: \
    “add ITEM”, “add items: a, b and c”, “check off ITEM”, “uncheck ITEM”, “rename to TITLE”, \
    “set priority p0” to “p3”, “due 2026-12-01”, “estimate 2h”, “note: TEXT”; and I answer “status?”, \
    “what is open?”, “what is done?”, “what is next?”, “when is it due?” and “how long?”.";

/// The answer to a question.
pub(crate) fn reply(question: &Question, prompt: &Prompt) -> String {
    match (question, &prompt.task) {
        (Question::Help, _) => format!("{WHO} {CAN}"),
        (Question::Thanks, _) => "You are welcome.".to_owned(),
        (_, None) => "I was shown no task, so I cannot say.".to_owned(),
        (Question::Summary, Some(task)) => brief::standing(task, prompt),
        (Question::Open, Some(task)) => open(task),
        (Question::Done, Some(task)) => done(task),
        (Question::Next, Some(task)) => next(task, prompt),
        (Question::Due, Some(task)) => due(task, prompt),
        (Question::HowLong, Some(task)) => how_long(task),
        (Question::Priority, Some(task)) => match &task.priority {
            Some(priority) => format!("Its priority is {priority}."),
            None => "I was not shown its priority.".to_owned(),
        },
        (Question::Blocked, Some(task)) => blocked(task, prompt),
        (Question::Changed, Some(_)) => changed(prompt),
        (Question::Item(name), Some(task)) => item(name, task),
    }
}

fn open(task: &Task) -> String {
    let open: Vec<&Item> = task.open().collect();
    match (open.len(), task.items().count()) {
        (_, 0) => brief::no_items(task).to_owned(),
        (0, all) if task.hides_items() => {
            format!("None of the {} that I was shown is open.", count(all, "item", "items"))
        }
        (0, all) => format!("Nothing is open: {} done.", brief::all_of(all)),
        (left, all) => {
            let titles = names(open.iter().map(|item| item.title.as_str()), NAMES_MAX * 2);
            format!("Open are {left} of {}: {titles}.", all_shown(all, task))
        }
    }
}

fn done(task: &Task) -> String {
    let done: Vec<&Item> = task.done().collect();
    match (done.len(), task.items().count()) {
        (_, 0) => brief::no_items(task).to_owned(),
        (0, all) => format!("None of {} is done.", all_shown(all, task)),
        (so_far, all) => {
            let titles = names(done.iter().map(|item| item.title.as_str()), NAMES_MAX * 2);
            format!("Done are {so_far} of {}: {titles}.", all_shown(all, task))
        }
    }
}

/// So many items, and that there are more if there are.
fn all_shown(all: usize, task: &Task) -> String {
    format!("{}{}", count(all, "item", "items"), brief::of_those_shown(task))
}

/// The first open item: the order of the list is all there is to go by.
fn next(task: &Task, prompt: &Prompt) -> String {
    let waits = prompt.linked.iter().find(|linked| linked.blocks());
    let first = task.open().next();
    match (waits, first) {
        (Some(linked), _) => {
            format!("It waits for {}, which is not done.", quoted(&linked.title, LINE_BYTES_MAX))
        }
        (None, Some(item)) => {
            let shown = brief::of_those_shown(task);
            format!("Next on the list{shown}: {}.", quoted(&item.title, LINE_BYTES_MAX))
        }
        (None, None) => open(task),
    }
}

fn due(task: &Task, prompt: &Prompt) -> String {
    let Some(due) = task.due else { return "It has no due date.".to_owned() };
    let about = conclude(task, prompt).into_iter().find(|one| one.words.contains("due"));
    match about {
        Some(one) if one.words.contains("overdue") => one.words,
        Some(one) => format!("It is due on {due}. {}", one.words),
        None => format!("It is due on {due}."),
    }
}

fn how_long(task: &Task) -> String {
    match (task.estimate_minutes, task.spent()) {
        (Some(all), Some(spent)) => {
            format!("It is estimated at {}; {spent} were spent.", minutes(all))
        }
        (Some(all), None) => {
            format!("It is estimated at {}; no time was recorded.", minutes(all))
        }
        (None, Some(spent)) => format!("{spent} were spent; there is no estimate."),
        (None, None) => "There is no estimate, and no time was recorded.".to_owned(),
    }
}

fn blocked(task: &Task, prompt: &Prompt) -> String {
    let before: Vec<&str> =
        prompt.linked.iter().filter(|one| one.blocks()).map(|one| one.title.as_str()).collect();
    if !before.is_empty() {
        return format!("It waits for {}.", names(before, NAMES_MAX));
    }
    match task.status.as_deref() {
        Some("blocked") => {
            "Its status is blocked, but no open task is linked as the cause.".to_owned()
        }
        _ => "I see nothing that it waits for.".to_owned(),
    }
}

fn changed(prompt: &Prompt) -> String {
    match brief::changes(prompt) {
        None => "Nothing changed since I last looked.".to_owned(),
        Some(changes) => format!("Since I last looked: {changes}."),
    }
}

fn item(name: &str, task: &Task) -> String {
    match find(task, name).as_slice() {
        [] => {
            let shown = brief::of_those_shown(task);
            format!("I found no item like {}{shown}.", quoted(name, LINE_BYTES_MAX))
        }
        [item] if item.checked => format!("{} is done.", quoted(&item.title, LINE_BYTES_MAX)),
        [item] => format!("{} is open.", quoted(&item.title, LINE_BYTES_MAX)),
        several => {
            let state = |item: &&Item| if item.checked { "done" } else { "open" };
            let each = several
                .iter()
                .take(NAMES_MAX)
                .map(|item| format!("{} is {}", quoted(&item.title, LINE_BYTES_MAX), state(item)));
            format!("{}.", each.collect::<Vec<_>>().join(", "))
        }
    }
}

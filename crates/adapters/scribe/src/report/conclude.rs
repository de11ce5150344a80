//! What follows from what was read. Whatever is here is marked as concluded, not read.

use types::RecordId;

use crate::limits::{NAMES_MAX, SOURCES_MAX};
use crate::plain::{count, minutes, names};
use crate::read::{Linked, Prompt, Task};

/// Something that follows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Conclusion {
    pub(crate) words: String,
    pub(crate) sources: Vec<RecordId>,
    /// Worth a private note, in these words.
    pub(crate) note: Option<String>,
}

/// All that follows.
pub(crate) fn conclude(task: &Task, prompt: &Prompt) -> Vec<Conclusion> {
    let all = [overdue(task, prompt), finished(task), waits(task, prompt), over_estimate(task)];
    all.into_iter().flatten().collect()
}

fn of(task: &Task, words: String) -> Conclusion {
    Conclusion { words, sources: vec![(&task.id).into()], note: None }
}

fn overdue(task: &Task, prompt: &Prompt) -> Option<Conclusion> {
    let (due, here) = (task.due?, prompt.wake.here()?);
    if task.is_closed() || due.day > here.day {
        return None;
    }
    // A day is over when the next begins, and a minute when it comes.
    let is_over = due.day < here.day || (due.time.is_some() && due <= here);
    if !is_over {
        return Some(of(task, "It is due today.".to_owned()));
    }
    let note = Some(format!("Overdue since {due}."));
    Some(Conclusion { note, ..of(task, format!("It is overdue: it was due on {due}.")) })
}

fn finished(task: &Task) -> Option<Conclusion> {
    let (open, all) = (task.open().count(), task.items().count());
    if all == 0 || task.hides_items() {
        return None;
    }
    let mut sources: Vec<RecordId> = vec![(&task.id).into()];
    if task.is_closed() {
        let left = task.open().filter_map(|item| item.id.clone());
        sources.extend(left.take(SOURCES_MAX - 1));
        let words = format!("It is closed with {} still open.", count(open, "item", "items"));
        return (open > 0).then(|| Conclusion { sources, ..of(task, words) });
    }
    let done = task.done().filter_map(|item| item.id.clone());
    sources.extend(done.take(SOURCES_MAX - 1));
    let words = "Everything on the checklist is done: the task could be closed.";
    let note = Some("Everything on the checklist is done.".to_owned());
    (open == 0).then(|| Conclusion { sources, note, ..of(task, words.to_owned()) })
}

fn waits(task: &Task, prompt: &Prompt) -> Option<Conclusion> {
    let before: Vec<&Linked> = prompt.linked.iter().filter(|linked| linked.blocks()).collect();
    if before.is_empty() || task.is_closed() {
        return None;
    }
    let titles = names(before.iter().map(|linked| linked.title.as_str()), NAMES_MAX);
    let mut sources: Vec<RecordId> = before.iter().filter_map(|one| one.id.clone()).collect();
    sources.push((&task.id).into());
    Some(Conclusion { sources, ..of(task, format!("It has to wait for {titles}.")) })
}

fn over_estimate(task: &Task) -> Option<Conclusion> {
    let (spent, estimate) = (task.spent_minutes?, task.estimate_minutes?);
    let over = spent.checked_sub(estimate).filter(|over| *over > 0 && estimate > 0)?;
    let at_least = if task.hides_time() { "at least " } else { "" };
    Some(of(task, format!("It has taken {at_least}{} more than estimated.", minutes(over))))
}

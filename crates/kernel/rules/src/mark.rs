//! Marks: by which words a record is found besides its id and its owner.
//!
//! The store keeps an index of them, in the same commit as the record. Only live records bear marks,
//! and only such as a query needs: a mark that nobody looks for is a page written for nothing.

use types::{At, Body, CategoryId, Day, Task, TaskLabelId};

/// The mark of a timer that runs.
pub const RUNNING: &str = "running";

/// The mark of a task that is not closed.
pub const OPEN: &str = "open";

/// The mark of an open task of a category.
#[must_use]
pub fn open_in(category: &CategoryId) -> String {
    format!("open={category}")
}

/// The mark of an open task that is due on a day.
#[must_use]
pub fn due(day: Day) -> String {
    format!("due={day}")
}

/// The mark of a task that was closed at an instant. An instant and no day: on which day it lies is
/// for whoever looks to say, by the clock where they are.
#[must_use]
pub fn closed(at: At) -> String {
    format!("closed={at}")
}

/// The mark of what belongs to a day.
#[must_use]
pub fn day(day: Day) -> String {
    format!("day={day}")
}

/// The mark of a task that bears a label.
#[must_use]
pub fn labelled(label: &TaskLabelId) -> String {
    format!("label={label}")
}

/// The mark of a note that lies in a category, whether it is about a task or not.
#[must_use]
pub fn lying_in(category: &CategoryId) -> String {
    format!("in={category}")
}

/// The mark of a name. Names that people would call the same have the same one.
#[must_use]
pub fn name(name: &str) -> String {
    format!("name={}", name.trim().to_lowercase())
}

/// The marks of a record.
#[must_use]
pub fn of(body: &Body) -> Vec<String> {
    match body {
        Body::Task(task) => of_task(task),
        Body::Category(category) => vec![name(&category.name)],
        Body::TaskLabel(label) => vec![name(&label.name)],
        Body::Entry(entry) => vec![day(entry.day), lying_in(&entry.category_id)],
        Body::TimeEntry(time) => {
            let running = time.ended_at.is_none().then(|| RUNNING.to_owned());
            running.into_iter().chain([day(time.day)]).collect()
        }
        Body::DayPlan(plan) => vec![day(plan.day)],
        Body::Rating(rating) => vec![day(rating.day)],
        _ => vec![],
    }
}

/// Those of its marks that no other live record of its kind may bear: a name, the timer that runs.
#[must_use]
pub fn unique(body: &Body) -> Vec<String> {
    match body {
        Body::Category(category) => vec![name(&category.name)],
        Body::TaskLabel(label) => vec![name(&label.name)],
        Body::TimeEntry(time) if time.ended_at.is_none() => vec![RUNNING.to_owned()],
        _ => vec![],
    }
}

fn of_task(task: &Task) -> Vec<String> {
    let mut marks: Vec<String> = task.labels.iter().map(labelled).collect();
    if !task.status.is_closed() {
        marks.push(OPEN.to_owned());
        marks.push(open_in(&task.category_id));
        marks.extend(task.due.map(|at| due(at.day)));
    } else {
        marks.extend(task.closed_at.map(closed));
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::TaskStatus;

    #[test]
    fn a_closed_task_is_neither_open_nor_due_but_keeps_its_labels() {
        let category: CategoryId = "category_home".parse().unwrap();
        let task = Task {
            due: Some("2026-11-15T09:00".parse().unwrap()),
            labels: ["label_garden".parse().unwrap()].into(),
            ..Task::new("ferns", category)
        };
        let open = ["label=label_garden", "open", "open=category_home", "due=2026-11-15"];
        assert_eq!(of(&task.clone().into()), open);
        let closed_at = Some(At::from_millis(1_794_700_800_123));
        let done = Task { status: TaskStatus::Done, closed_at, ..task };
        let closed = ["label=label_garden", "closed=2026-11-15T00:00:00.123Z"];
        assert_eq!(of(&done.into()), closed);
    }

    #[test]
    fn names_that_people_would_call_the_same_have_one_mark() {
        assert_eq!(name(" Work "), name("work"));
    }
}

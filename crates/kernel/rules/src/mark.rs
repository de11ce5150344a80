//! Marks: by which words a record is found besides its id and its owner.
//!
//! The store keeps an index of them, in the same commit as the record. Only live records bear marks,
//! and only such as a query needs: a mark that nobody looks for is a page written for nothing.

use std::collections::BTreeSet;

use types::{
    AgentId, AgentIdentity, At, Body, CategoryId, Day, Lifecycle, RecordId, Report, Task, TaskId,
    TaskLabelId,
};

/// The mark of a timer that runs.
pub const RUNNING: &str = "running";

/// What the mark of a name begins with.
pub const NAME: &str = "name=";

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

/// The mark of an agent that tends a task; one that is over tends nothing.
#[must_use]
pub fn tends(task: &TaskId) -> String {
    format!("task={task}")
}

/// The mark of a session with an agent.
#[must_use]
pub fn with(agent: &AgentId) -> String {
    format!("with={agent}")
}

/// The mark of a name. Names that people would call the same have the same one.
#[must_use]
pub fn name(name: &str) -> String {
    format!("{NAME}{}", name.trim().to_lowercase())
}

/// The mark of a report that rests on a record. In the order of marks the newest report of an agent on a
/// record comes last.
#[must_use]
pub fn resting_on(source: &RecordId, agent: &AgentId, written_at: At) -> String {
    format!("{}{written_at}", resting_on_for(source, agent))
}

/// What the marks of an agent's reports on a record begin with. No mark is as short as this.
#[must_use]
pub fn resting_on_for(source: &RecordId, agent: &AgentId) -> String {
    format!("source={source}/{agent}/")
}

/// Between which two texts the marks of all reports on a record lie.
#[must_use]
pub fn resting_on_any(source: &RecordId) -> (String, String) {
    // Nothing in an id sorts between the separator and this end.
    (format!("source={source}/"), format!("source={source}0"))
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
        Body::Agent(agent) => of_agent(agent),
        Body::AgentReport(report) => of_report(report),
        Body::AgentSession(session) => vec![with(&session.agent_id)],
        _ => vec![],
    }
}

/// Those of its marks that no other live record of its kind may bear: a name, the timer that runs,
/// a task that is tended.
#[must_use]
pub fn unique(body: &Body) -> Vec<String> {
    match body {
        Body::Category(category) => vec![name(&category.name)],
        Body::TaskLabel(label) => vec![name(&label.name)],
        Body::TimeEntry(time) if time.ended_at.is_none() => vec![RUNNING.to_owned()],
        Body::Agent(agent) => of_agent(agent),
        _ => vec![],
    }
}

fn of_agent(agent: &AgentIdentity) -> Vec<String> {
    match (agent.lifecycle, &agent.task_id) {
        (Lifecycle::Destroyed { .. }, _) | (_, None) => vec![],
        (_, Some(task)) => vec![tends(task)],
    }
}

fn of_report(report: &Report) -> Vec<String> {
    let sources: BTreeSet<RecordId> = report.sources().collect();
    let mark = |source| resting_on(source, &report.agent_id, report.written_at);
    sources.iter().map(mark).collect()
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
    fn the_newest_report_of_an_agent_on_a_record_has_its_last_mark() {
        let id = |text: &str| text.parse::<RecordId>().unwrap();
        let agent = |text: &str| text.parse::<AgentId>().unwrap();
        let at = |hours: i64| At::from_millis(hours * 3_600_000);
        let mut marks = [
            resting_on(&id("task_1"), &agent("agent_a"), at(30)),
            resting_on(&id("task_1"), &agent("agent_a"), at(2)),
            resting_on(&id("task_1"), &agent("agent_a-b"), at(1)),
            resting_on(&id("task_1"), &agent("agent_a0"), at(1)),
            resting_on(&id("task_10"), &agent("agent_a"), at(1)),
            resting_on(&id("task_1-0"), &agent("agent_a"), at(1)),
        ];
        marks.sort_unstable();
        let within = |from: &str, to: &str| -> Vec<&String> {
            marks.iter().filter(|mark| from <= mark.as_str() && mark.as_str() <= to).collect()
        };
        let (from, to) = resting_on_any(&id("task_1"));
        assert_eq!(within(&from, &to).len(), 4, "of the record and no other");
        let before = resting_on_for(&id("task_1"), &agent("agent_a"));
        let earlier = within(&from, &before);
        assert_eq!(earlier, [&resting_on(&id("task_1"), &agent("agent_a-b"), at(1))]);
        let own = within(&before, &format!("{before}~"));
        assert_eq!(own.last().unwrap().as_str(), "source=task_1/agent_a/1970-01-02T06:00:00.000Z");
        assert_eq!(own.len(), 2);
    }

    #[test]
    fn an_agent_bears_the_mark_of_its_task_until_it_is_over() {
        let of_stage = |lifecycle| of(&crate::dormancy::tests::agent(lifecycle).body);
        assert_eq!(of_stage(Lifecycle::Active), ["task=task_a"]);
        let cause = types::DormantCause::TaskMissing;
        assert_eq!(of_stage(Lifecycle::Dormant { cause }), ["task=task_a"]);
        assert!(of_stage(Lifecycle::Destroyed { at: At::EPOCH }).is_empty());
    }

    #[test]
    fn names_that_people_would_call_the_same_have_one_mark() {
        assert_eq!(name(" Work "), name("work"));
    }
}

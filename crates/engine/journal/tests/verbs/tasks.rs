//! Tasks.

use serde_json::{Value, json};
use types::{Body, Code, Task, TaskPriority, TaskStatus};

use crate::desk::Desk;

impl Desk {
    pub(crate) fn task_now(&self, id: &str) -> Task {
        match self.body(id) {
            Some(Body::Task(task)) => task,
            other => panic!("{id} is no task: {other:?}"),
        }
    }
}

#[test]
fn a_new_task_has_what_was_said_and_sane_defaults() {
    let desk = Desk::new();
    let plain = desk.task_now(&desk.task("  ferns ", "home"));
    assert_eq!((plain.title.as_str(), plain.priority), ("ferns", TaskPriority::P2));
    let arguments = json!({
        "title": "report", "categoryId": "work", "priority": "p0", "dueDate": "tomorrow 9:00",
        "estimateMinutes": 90, "language": "de"
    });
    let id = desk.done("create_task", arguments)["id"].as_str().unwrap().to_owned();
    let task = desk.task_now(&id);
    assert_eq!(task.due.unwrap().to_string(), "2027-01-02T09:00");
    assert_eq!((task.estimate_minutes, task.language.as_deref()), (Some(90), Some("de")));
}

#[test]
fn what_breaks_the_rules_of_a_task_is_refused_and_changes_nothing() {
    let desk = Desk::new();
    let new = |change: fn(&mut Value)| {
        let mut arguments = json!({ "title": "t", "categoryId": "home" });
        change(&mut arguments);
        desk.refused("create_task", arguments)
    };
    assert_eq!(new(|a| a["title"] = "x".repeat(1 << 20).into()), Code::InvalidRecord);
    assert_eq!(new(|a| a["title"] = "two\nlines".into()), Code::InvalidRecord);
    assert_eq!(new(|a| a["title"] = "  ".into()), Code::InvalidRecord);
    assert_eq!(new(|a| a["categoryId"] = "garden".into()), Code::UnknownCategory);
    assert_eq!(new(|a| a["dueDate"] = "whenever".into()), Code::BadTime);
    assert_eq!(new(|a| a["language"] = "Deutsch!".into()), Code::InvalidRecord);
    assert_eq!(new(|a| a["colour"] = "red".into()), Code::WrongUsage);
}

#[test]
fn a_task_is_meant_by_the_end_of_its_id_if_only_one_ends_so() {
    let desk = Desk::new();
    let id = desk.task("ferns", "home");
    let short = &id[id.len() - 6..];
    desk.done("set_task_title", json!({ "taskId": short, "title": "moss" }));
    assert_eq!(desk.task_now(&id).title, "moss");
    assert_eq!(
        desk.refused("set_task_title", json!({ "taskId": "zzzzzz", "title": "x" })),
        Code::UnknownTask
    );
    // An agent writes ids out: it must not act on a guess.
    let arguments = json!({ "taskId": short, "title": "x" });
    let (_, plan) = desk.plan("set_task_title", &["category_home"], &arguments);
    assert_eq!(plan.unwrap_err().kind, Code::OutOfScope);
}

#[test]
fn fields_that_are_not_given_stay_and_null_takes_away() {
    let desk = Desk::new();
    let id = desk.task("ferns", "home");
    desk.done(
        "update_task_fields",
        json!({
            "taskId": id, "status": "done", "dueDate": "2027-02-01", "estimateMinutes": 30
        }),
    );
    let task = desk.task_now(&id);
    assert!(task.closed_at.is_some() && task.title == "ferns" && task.estimate_minutes == Some(30));
    desk.done("update_task_fields", json!({ "taskId": id, "dueDate": null, "status": "open" }));
    let task = desk.task_now(&id);
    assert_eq!((task.due, task.closed_at, task.estimate_minutes), (None, None, Some(30)));
    assert_eq!(task.status, TaskStatus::Open);
}

#[test]
fn setting_what_is_so_already_is_no_operation() {
    let desk = Desk::new();
    let id = desk.task("ferns", "home");
    let same = desk.ask("set_task_title", json!({ "taskId": id, "title": "ferns" })).unwrap();
    assert_eq!((same.operation, &same.answer["changed"]), (None, &json!([])));
}

#[test]
fn what_is_left_out_is_not_taken_away() {
    let desk = Desk::new();
    let arguments = json!({
        "title": "ferns", "categoryId": "home", "dueDate": "tomorrow", "estimateMinutes": 45, "language": "de",
    });
    let id = desk.done("create_task", arguments)["id"].as_str().unwrap().to_owned();
    let fields = [
        ("update_task_due_date", "dueDate"),
        ("update_task_estimate", "estimateMinutes"),
        ("set_task_language", "language"),
    ];
    for (verb, field) in fields {
        assert_eq!(desk.refused(verb, json!({ "taskId": id })), Code::WrongUsage, "{verb}");
        desk.done(verb, json!({ "taskId": id, field: null }));
    }
    let task = desk.task_now(&id);
    assert_eq!((task.due, task.estimate_minutes, task.language), (None, None, None));
}

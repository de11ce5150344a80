//! What can be read: tasks and categories within reach, and which task somebody means.

use journal::{TaskFilter, TaskSort};
use serde_json::{Value, json};
use store::wait;
use types::{At, Code, RecordDraft, RecordId, Task, TaskPriority, TaskStatus, Write, limits};

use crate::desk::Desk;

impl Desk {
    /// What a read answers to an agent that may see these categories. It plans nothing.
    fn answer(&self, tool: &str, scope: &[&str], arguments: &Value) -> Value {
        let (_, planned) = self.plan(tool, scope, arguments);
        let planned = planned.unwrap();
        assert!(planned.writes.is_empty() && planned.guards.is_empty(), "{tool} only reads");
        planned.answer
    }

    fn made(&self, arguments: Value) -> String {
        self.done("create_task", arguments)["id"].as_str().unwrap().to_owned()
    }

    fn listed(&self, filter: TaskFilter) -> Vec<String> {
        let limit = if filter.limit == 0 { 100 } else { filter.limit };
        let tasks = wait(self.journal.task_list(TaskFilter { limit, ..filter })).unwrap();
        tasks.into_iter().map(|view| view.task.title).collect()
    }
}

fn titles(answer: &Value, list: &str) -> Vec<String> {
    let tasks = answer[list].as_array().unwrap().iter();
    tasks.map(|task| task["title"].as_str().unwrap().to_owned()).collect()
}

const HOME: &[&str] = &["category_home"];

#[test]
fn an_agent_sees_the_categories_and_tasks_of_its_scope_only() {
    let desk = Desk::new();
    desk.task("ferns", "home");
    desk.task("report", "work");
    let done = desk.task("moss", "home");
    desk.done("update_task_fields", json!({ "taskId": done, "status": "done" }));
    let categories = desk.answer("list_allowed_categories", HOME, &json!({}));
    assert_eq!(categories["categories"], json!([{ "id": "category_home", "name": "home" }]));
    let list = |scope: &[&str], arguments: Value| {
        titles(&desk.answer("list_tasks_in_scope", scope, &arguments), "tasks")
    };
    assert_eq!(list(HOME, json!({})), ["ferns"]);
    assert_eq!(list(HOME, json!({ "status": "done" })), ["moss"]);
    assert_eq!(list(HOME, json!({ "query": "FER" })), ["ferns"]);
    assert!(list(HOME, json!({ "query": "fer report" })).is_empty());
    assert_eq!(list(&["category_home", "category_work"], json!({})), ["report", "ferns"]);
    // Another's category is named to the gate, and shows nothing even so.
    let other = json!({ "categoryId": "category_work" });
    let (targets, planned) = desk.plan("list_tasks_in_scope", HOME, &other);
    assert!(targets.iter().any(|target| target.record.as_str() == "category_work"));
    assert!(titles(&planned.unwrap().answer, "tasks").is_empty());
    assert!(list(&[], json!({})).is_empty());
}

#[test]
fn a_list_says_how_far_each_task_is_and_whether_there_are_more() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let items = desk.items(&task, &["a", "b", "c"]);
    desk.done("update_checklist_items", json!({ "items": [{ "id": items[0], "checked": true }] }));
    desk.task("moss", "home");
    let answer = desk.answer("list_tasks_in_scope", HOME, &json!({ "limit": 1 }));
    assert_eq!((titles(&answer, "tasks"), &answer["more"]), (vec!["moss".into()], &json!(true)));
    let answer = desk.answer("list_tasks_in_scope", HOME, &json!({ "limit": 2 }));
    assert_eq!(answer["tasks"][1]["items"], json!({ "checked": 1, "all": 3 }));
    assert_eq!(answer["more"], false);
}

#[test]
fn a_reference_is_resolved_to_candidates_and_asks_if_more_than_one_may_be_meant() {
    let desk = Desk::new();
    let ferns = desk.task("Water the ferns", "home");
    desk.task("Water the moss", "home");
    desk.task("Water the ferns at work", "work");
    let resolve =
        |words: &str| desk.answer("resolve_task_reference", HOME, &json!({ "reference": words }));
    let clear = resolve("water the ferns");
    assert_eq!(clear["candidates"][0]["id"], json!(ferns));
    assert_eq!((&clear["verdict"], &clear["disambiguation"]), (&json!("exact"), &json!(false)));
    assert_eq!(clear["candidates"][0]["confidence"], 0.95);
    let both = resolve("water");
    assert_eq!((&both["verdict"], &both["disambiguation"]), (&json!("ambiguous"), &json!(true)));
    assert_eq!(titles(&both, "candidates").len(), 2, "nothing of another category is among them");
    let question = both["question"].as_str().unwrap();
    assert!(question.contains("moss") && question.contains(&ferns), "{question}");
    let none = resolve("zebra");
    assert_eq!((&none["verdict"], &none["candidates"]), (&json!("none"), &json!([])));
    assert!(none["question"].is_string());
    let one = json!({ "reference": "water", "limit": 1 });
    let one = desk.answer("resolve_task_reference", HOME, &one);
    assert_eq!(titles(&one, "candidates").len(), 1);
}

#[test]
fn an_id_or_a_title_names_a_task_however_old_but_none_outside_of_the_scope() {
    let desk = Desk::new();
    let (ferns, report) = (desk.task("ferns", "home"), desk.task("report", "work"));
    let resolve = |id: &str| {
        desk.answer("resolve_task_reference", HOME, &json!({ "reference": id }))["verdict"].clone()
    };
    assert_eq!((resolve(&ferns), resolve(&report)), (json!("exact"), json!("none")));
    // More than are looked at: it is found by its id all the same, and by its name.
    desk.errands(1_200);
    assert_eq!(resolve(&ferns), "exact");
    assert_eq!((resolve("Ferns"), resolve("report")), (json!("exact"), json!("none")));
}

#[test]
fn tasks_are_listed_in_the_order_asked_for() {
    let desk = Desk::new();
    let task = |title: &str, priority: &str, due: Value| {
        desk.made(json!({
            "title": title, "categoryId": "home", "priority": priority, "dueDate": due,
        }))
    };
    task("some day", "p3", Value::Null);
    task("late", "p1", json!("2026-12-30"));
    task("soon", "p1", json!("2027-01-02T09:00"));
    task("now", "p0", Value::Null);
    task("later", "p3", json!("2027-03-01"));
    let by = |sort| desk.listed(TaskFilter { sort: Some(sort), ..TaskFilter::default() });
    assert_eq!(by(TaskSort::Newest), ["later", "now", "soon", "late", "some day"]);
    assert_eq!(by(TaskSort::Due), ["late", "soon", "later", "now", "some day"]);
    assert_eq!(by(TaskSort::Priority), ["now", "late", "soon", "later", "some day"]);
    let first =
        |sort, limit| desk.listed(TaskFilter { sort: Some(sort), limit, ..TaskFilter::default() });
    assert_eq!(first(TaskSort::Due, 2), ["late", "soon"]);
    assert_eq!(first(TaskSort::Due, 4), ["late", "soon", "later", "now"]);
    assert_eq!(first(TaskSort::Priority, 2), ["now", "late"]);
    let day = Some("2027-01-31".parse().unwrap());
    let due = TaskFilter { due_by: day, ..TaskFilter::default() };
    assert_eq!(desk.listed(due.clone()), ["late", "soon"]);
    assert_eq!(desk.listed(TaskFilter { sort: Some(TaskSort::Newest), ..due }), ["soon", "late"]);
}

#[test]
fn of_one_day_what_is_due_first_is_listed_first_however_few_are_asked_for() {
    let desk = Desk::new();
    for (title, due) in [("evening", "T18:00"), ("morning", "T09:00"), ("noon", "T12:00")] {
        let due = format!("2027-01-02{due}");
        desk.made(json!({ "title": title, "categoryId": "home", "dueDate": due }));
    }
    desk.made(json!({ "title": "later", "categoryId": "home", "dueDate": "2027-01-03" }));
    let due = |limit| TaskFilter { sort: Some(TaskSort::Due), limit, ..TaskFilter::default() };
    assert_eq!(desk.listed(due(1)), ["morning"]);
    assert_eq!(desk.listed(due(2)), ["morning", "noon"]);
    assert_eq!(desk.listed(due(3)), ["morning", "noon", "evening"]);
}

#[test]
fn the_newest_task_is_listed_whatever_its_id() {
    let desk = Desk::new();
    // Older ones, whose ids come after those of all that is made here.
    desk.errands(6);
    let label = desk.done("add_label", json!({ "name": "soon" }))["id"].clone();
    let bearing = |task: &str| json!({ "taskId": task, "labelIds": [label] });
    for n in 0..6 {
        desk.done("assign_task_labels", bearing(&format!("task_zz{n:05}")));
    }
    let ferns = desk.task("ferns", "home");
    desk.done("assign_task_labels", bearing(&ferns));
    let moss = desk.task("moss", "work");
    desk.done("update_task_fields", json!({ "taskId": moss, "status": "in_progress" }));
    let first = |filter| desk.listed(TaskFilter { limit: 2, ..filter });
    assert_eq!(first(TaskFilter::default()), ["moss", "ferns"]);
    let home = TaskFilter { category: Some("home".into()), ..TaskFilter::default() };
    assert_eq!(first(home)[0], "ferns");
    let open = TaskFilter { status: Some(TaskStatus::Open), ..TaskFilter::default() };
    assert_eq!(first(open)[0], "ferns");
    let usual = TaskFilter { priority: Some(TaskPriority::P2), ..TaskFilter::default() };
    assert_eq!(first(usual), ["moss", "ferns"]);
    let soon = TaskFilter { label: Some("soon".into()), ..TaskFilter::default() };
    assert_eq!(first(soon)[0], "ferns");
    let listed = desk.answer("list_tasks_in_scope", HOME, &json!({ "limit": 1 }));
    assert_eq!(titles(&listed, "tasks"), ["ferns"]);
}

#[test]
fn what_is_rare_is_found_however_many_others_there_are() {
    let desk = Desk::new();
    desk.made(json!({ "title": "urgent", "categoryId": "home", "priority": "p0" }));
    desk.errands(1_100);
    let only = TaskFilter { priority: Some(TaskPriority::P0), ..TaskFilter::default() };
    assert_eq!(desk.listed(only), ["urgent"]);
    let first = TaskFilter { sort: Some(TaskSort::Priority), limit: 1, ..TaskFilter::default() };
    assert_eq!(desk.listed(first), ["urgent"]);
}

#[test]
fn what_is_rare_among_closed_tasks_is_found_however_old() {
    let desk = Desk::new();
    let many = |urgent: &'static str, status: TaskStatus| {
        desk.put((0..=limits::ROWS_PER_READ_MAX).map(|n| {
            let id: RecordId = format!("task_{}_{n}", status.as_str()).parse().unwrap();
            let (title, priority) = match n {
                0 => (urgent, TaskPriority::P0),
                _ => ("errand", TaskPriority::P2),
            };
            let closed_at = status.is_closed().then_some(At::EPOCH);
            let plain = Task::new(title, "category_home".parse().unwrap());
            Write::Record(RecordDraft::live(id, Task { priority, status, closed_at, ..plain }))
        }));
    };
    many("was urgent", TaskStatus::Done);
    let urgent = TaskFilter { priority: Some(TaskPriority::P0), ..TaskFilter::default() };
    let status = Some(TaskStatus::Done);
    assert_eq!(desk.listed(TaskFilter { status, ..urgent.clone() }), ["was urgent"]);
    many("urgent", TaskStatus::Open);
    let mut all = desk.listed(TaskFilter { all: true, ..urgent.clone() });
    all.sort();
    assert_eq!(all, ["urgent", "was urgent"]);
    assert_eq!(desk.listed(urgent), ["urgent"]);
}

#[test]
fn a_task_that_should_have_been_done_is_overdue_until_it_is_closed() {
    let desk = Desk::new();
    let id = desk.made(json!({ "title": "late", "categoryId": "home", "dueDate": "2026-12-31" }));
    let view = wait(desk.journal.task_get(&id)).unwrap();
    assert!(view.overdue);
    assert_eq!(view.due_words.as_deref(), Some("yesterday"));
    desk.done("update_task_fields", json!({ "taskId": id, "status": "done" }));
    assert!(!wait(desk.journal.task_get(&id)).unwrap().overdue);
    let closed = TaskFilter {
        status: Some(TaskStatus::Done),
        category: Some("home".into()),
        ..TaskFilter::default()
    };
    assert_eq!(desk.listed(closed), ["late"]);
}

#[test]
fn all_that_is_said_about_a_new_task_is_one_operation() {
    let desk = Desk::new();
    let parent = desk.task("garden", "home");
    let arguments = json!({
        "title": "ferns", "categoryId": "home", "estimateMinutes": "1h30", "status": "done",
        "items": ["water", { "title": "repot", "checked": true }], "parentTaskId": parent,
    });
    let made = desk.ask("create_task", arguments).unwrap();
    let id = made.answer["id"].as_str().unwrap().to_owned();
    let task = desk.task_now(&id);
    assert_eq!((task.estimate_minutes, task.status), (Some(90), TaskStatus::Done));
    assert!(task.closed_at.is_some());
    assert_eq!(desk.titles(&id), ["water", "repot"]);
    assert_eq!(desk.relations(&parent), [("parent_of".to_owned(), "ferns".to_owned())]);
    desk.undo(made.operation.unwrap()).unwrap();
    assert_eq!((desk.body(&id), desk.relations(&parent)), (None, vec![]));
    let tools = desk.journal.tools();
    let create = tools.iter().find(|tool| tool.contract().name == "create_task").unwrap();
    let offered = (create.contract().input)();
    assert!(offered["properties"]["items"].is_null(), "agents add items by another tool");
    let wrong = json!({ "title": "t", "categoryId": "home", "estimateMinutes": "a while" });
    assert_eq!(desk.refused("create_task", wrong), Code::BadTime);
}

#[test]
fn a_preview_refuses_what_the_doing_would_refuse() {
    let desk = Desk::new();
    let refused = |verb: &str, arguments: Value| {
        let ask = journal::Ask { verb: verb.to_owned(), arguments, request: None, preview: true };
        types::Problem::from(wait(desk.journal.perform(ask)).unwrap_err()).code
    };
    let lines = json!({ "title": "two\nlines", "categoryId": "home" });
    assert_eq!(refused("create_task", lines), Code::InvalidRecord);
    assert_eq!(refused("add_category", json!({ "name": "Work" })), Code::NameTaken);
    let taken = json!({ "categoryId": "home", "name": "work" });
    assert_eq!(refused("edit_category", taken), Code::NameTaken);
}

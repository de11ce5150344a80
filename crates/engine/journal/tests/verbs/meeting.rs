//! Files that meet what is in the journal already.

use journal::{Format, Import, Meeting};
use serde_json::{Value, json};
use types::{Body, Code, limits};

use crate::desk::Desk;
use crate::exchange::{broken, file};

const WHEN: &str = "2026-11-01T00:00:00Z";

fn skipping(text: &str) -> Import {
    Import { meeting: Meeting::Skip, ..file(Format::Json, text) }
}

fn note(task: &str, category: &str) -> Value {
    json!({
        "id": "entry_a", "created_at": WHEN, "kind": "text", "text": "n", "at": WHEN,
        "day": "2026-11-01", "category_id": category, "task_id": task
    })
}

#[test]
fn a_note_comes_to_where_the_journal_keeps_its_task() {
    let desk = Desk::new();
    desk.import(Format::Json, &broken(|_| {}));
    desk.done("update_task_fields", json!({ "taskId": "task_0", "categoryId": "home" }));
    let text = broken(|v| v["entries"] = json!([note("task_0", "category_a")]));
    assert_eq!(desk.refuses(file(Format::Json, &text)).code, Code::ImportConflict);
    let alone = json!({ "dormouse": 1, "entries": [note("task_0", "category_a")] }).to_string();
    let problem = desk.refuses(file(Format::Json, &alone));
    assert_eq!(problem.code, Code::BadImport);
    assert!(problem.message.contains("entries[0]: entry_a lies elsewhere"), "{problem:?}");
    let skipped = desk.import_as(skipping(&text)).unwrap();
    assert_eq!((skipped.added["entries"], skipped.skipped["tasks"]), (1, 1));
    assert_eq!(desk.entry_now("entry_a").category_id.as_str(), "category_home");
    let again = desk.import_as(skipping(&text)).unwrap();
    assert!(again.added.is_empty() && again.operations.is_empty(), "{again:?}");
}

#[test]
fn an_item_is_of_the_task_that_its_checklist_is_of() {
    let desk = Desk::new();
    let astray = broken(|v| v["items"][0]["task_id"] = "task_1".into());
    let problem = desk.refuses(file(Format::Json, &astray));
    assert_eq!(problem.code, Code::BadImport);
    assert!(problem.message.contains("items[0]: item_a is of task_1"), "{problem:?}");
}

#[test]
fn nothing_comes_in_that_would_rest_on_what_was_removed() {
    let desk = Desk::new();
    desk.import(Format::Json, &broken(|_| {}));
    for task in ["task_0", "task_1", "task_2"] {
        desk.done("remove_task", json!({ "taskId": task }));
    }
    desk.done("remove_category", json!({ "categoryId": "a" }));
    let whole: Value = serde_json::from_str(&broken(|_| {})).unwrap();
    let only = |section: &str| json!({ "dormouse": 1, section: whole[section] }).to_string();
    for (section, said) in [
        ("tasks", "tasks[0]: task_0 names a category that was removed: category_a"),
        ("checklists", "checklists[0]: checklist_a names a task that was removed: task_0"),
        ("links", "links[0]: task_0 was removed"),
    ] {
        let problem = desk.refuses(file(Format::Json, &only(section)));
        assert_eq!(problem.code, Code::BadImport, "{section}");
        assert!(problem.message.contains(said), "{problem:?}");
    }
    // Time was spent all the same.
    let spent = json!({
        "id": "time_a", "created_at": WHEN, "task_id": "task_0", "started_at": WHEN,
        "ended_at": "2026-11-01T01:00:00Z", "day": "2026-11-01"
    });
    desk.import(Format::Json, &json!({ "dormouse": 1, "time": [spent] }).to_string());
    desk.import(Format::Json, &broken(|_| {}));
    assert!(matches!(desk.body("task_0"), Some(Body::Task(_))));
}

#[test]
fn a_checklist_does_not_come_to_have_more_than_it_may_in_two_files() {
    let desk = Desk::new();
    desk.import(Format::Json, &broken(|_| {}));
    let items = |numbers: std::ops::Range<usize>| {
        let item = |n: usize| {
            json!({
                "id": format!("item_{n}"), "created_at": WHEN, "checklist_id": "checklist_a",
                "task_id": "task_0", "title": "i", "checked": false, "rank": "i"
            })
        };
        json!({ "dormouse": 1, "items": numbers.map(item).collect::<Vec<Value>>() }).to_string()
    };
    let most = limits::CHECKLIST_ITEMS_MAX;
    desk.import(Format::Json, &items(1..most / 2));
    let problem = desk.refuses(file(Format::Json, &items(most / 2..most + 1)));
    assert_eq!(problem.code, Code::BadImport);
    assert!(problem.message.contains("checklist_a has more than 1000"), "{problem:?}");
    desk.import(Format::Json, &items(1..most));
    let lists = |numbers: std::ops::Range<usize>| {
        let list = |n: usize| {
            json!({
                "id": format!("checklist_{n}"), "created_at": WHEN, "task_id": "task_0",
                "title": "l"
            })
        };
        json!({ "dormouse": 1, "checklists": numbers.map(list).collect::<Vec<Value>>() })
            .to_string()
    };
    desk.import(Format::Json, &lists(1..30));
    assert_eq!(desk.refuses(file(Format::Json, &lists(30..51))).code, Code::BadImport);
}

#[test]
fn what_a_file_called_otherwise_before_is_still_what_it_means() {
    let desk = Desk::new();
    let first = "Buy milk @shop\n";
    desk.import(Format::TodoTxt, first);
    desk.done("edit_category", json!({ "categoryId": "inbox", "name": "errands" }));
    desk.done("edit_label", json!({ "labelId": "@shop", "name": "market" }));
    desk.import(Format::TodoTxt, "Buy bread @shop\nBuy salt @Shop\n");
    for title in ["Buy bread", "Buy salt", "Buy milk"] {
        let task = desk.task_titled(title);
        assert_eq!((task.category.as_str(), task.labels), ("errands", vec!["market".to_owned()]));
    }
    let again = desk.import(Format::TodoTxt, first);
    assert!(again.added.is_empty() && again.operations.is_empty(), "{again:?}");
    // A page that was written out has it under its new name, and may have the old one added by hand.
    let page = desk.export(Format::Markdown) + "\n# inbox\n- [ ] Buy oil\n";
    desk.import(Format::Markdown, &page);
    assert_eq!(desk.task_titled("Buy oil").category, "errands");
    // What is called so anew is something else.
    desk.done("add_category", json!({ "name": "inbox" }));
    desk.import(Format::TodoTxt, "Buy rice\n");
    assert_eq!(desk.task_titled("Buy rice").category, "inbox");
}

//! Labels.

use journal::LabelView;
use serde_json::{Value, json};
use types::{Code, RecordDraft, RecordId, Task, TaskLabelId, Write};

use crate::desk::Desk;

impl Desk {
    fn label(&self, arguments: Value) -> String {
        self.done("add_label", arguments)["id"].as_str().unwrap().to_owned()
    }

    fn labels(&self) -> Vec<LabelView> {
        store::wait(self.journal.label_list()).unwrap()
    }

    fn borne_by(&self, task: &str) -> usize {
        self.task_now(task).labels.len()
    }
}

#[test]
fn labels_are_listed_with_how_many_open_tasks_bear_them() {
    let desk = Desk::new();
    desk.label(json!({ "name": "urgent", "colour": "#ff0000" }));
    desk.label(json!({ "name": "plants", "categoryId": "home" }));
    let (one, two) = (desk.task("ferns", "home"), desk.task("moss", "home"));
    for task in [&one, &two] {
        desk.done(
            "assign_task_labels",
            json!({ "taskId": task, "labelIds": ["plants", "urgent"] }),
        );
    }
    desk.done("update_task_fields", json!({ "taskId": two, "status": "done" }));
    let shown: Vec<_> = desk
        .labels()
        .into_iter()
        .map(|label| (label.name, label.category, label.open_tasks))
        .collect();
    let home = Some("home".to_owned());
    assert_eq!(shown, [("plants".to_owned(), home, 1), ("urgent".to_owned(), None, 1)]);
}

#[test]
fn a_label_is_changed_and_put_back() {
    let desk = Desk::new();
    let id = desk.label(json!({ "name": "plants", "colour": "#00ff00" }));
    let change =
        json!({ "labelId": "plants", "name": "Green", "colour": null, "categoryId": "home" });
    let changed = desk.operation("edit_label", change);
    let label = &desk.labels()[0];
    assert_eq!((label.id.as_str(), label.name.as_str()), (id.as_str(), "Green"));
    assert_eq!((label.colour.as_ref(), label.category.as_deref()), (None, Some("home")));
    desk.undo(changed).unwrap();
    assert_eq!(desk.labels()[0].name, "plants");
    desk.label(json!({ "name": "urgent" }));
    let taken = json!({ "labelId": id, "name": "URGENT" });
    assert_eq!(desk.refused("edit_label", taken), Code::NameTaken);
    assert_eq!(desk.refused("add_label", json!({ "name": "Urgent " })), Code::NameTaken);
}

#[test]
fn a_label_is_not_bound_to_a_category_whose_tasks_are_not_all_that_bear_it() {
    let desk = Desk::new();
    desk.label(json!({ "name": "plants" }));
    let task = desk.task("ferns", "work");
    desk.done("assign_task_labels", json!({ "taskId": task, "labelIds": ["plants"] }));
    let bind = |category: &str| json!({ "labelId": "plants", "categoryId": category });
    assert_eq!(desk.refused("edit_label", bind("home")), Code::OtherCategory);
    desk.done("edit_label", bind("work"));
    desk.done("edit_label", json!({ "labelId": "plants", "categoryId": null }));
    assert_eq!(desk.labels()[0].category, None);
}

#[test]
fn a_label_that_tasks_bear_goes_only_by_force_and_from_all_of_them_at_once() {
    let desk = Desk::new();
    desk.label(json!({ "name": "plants" }));
    let tasks: Vec<String> = (0..3).map(|n| desk.task(&format!("t{n}"), "home")).collect();
    for task in &tasks {
        desk.done("assign_task_labels", json!({ "taskId": task, "labelIds": ["plants"] }));
    }
    desk.done("update_task_fields", json!({ "taskId": tasks[0], "status": "cancelled" }));
    let remove = json!({ "labelId": "plants" });
    assert_eq!(desk.refused("remove_label", remove), Code::NotEmpty);
    let forced = json!({ "labelId": "plants", "force": true });
    let removal = desk.operation("remove_label", forced);
    assert!(tasks.iter().all(|task| desk.borne_by(task) == 0) && desk.labels().is_empty());
    let undone = desk.undo(removal).unwrap();
    assert!(tasks.iter().all(|task| desk.borne_by(task) == 1));
    let told = undone.answer["records"].as_array().unwrap();
    let label = told.iter().find(|record| record["name"] == "plants").unwrap();
    assert_eq!((&label["what"], told.len()), (&json!("brought back"), 4));
}

#[test]
fn a_label_that_is_gone_can_still_be_taken_from_a_task() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let gone: TaskLabelId = "label_from_elsewhere".parse().unwrap();
    let labelled = Task { labels: [gone.clone()].into(), ..desk.task_now(&task) };
    let id: RecordId = task.parse().unwrap();
    desk.put([Write::Record(RecordDraft::live(id, labelled))].into_iter());
    let take = |label: &str| json!({ "taskId": task, "removeLabelIds": [label] });
    assert_eq!(desk.refused("assign_task_labels", take("label_nope")), Code::UnknownRecord);
    desk.done("assign_task_labels", take(gone.as_str()));
    assert!(desk.task_now(&task).labels.is_empty());
    desk.done("update_task_fields", json!({ "taskId": task, "categoryId": "work" }));
}

#[test]
fn a_label_stays_while_one_of_many_tasks_that_bear_it_is_newer() {
    let desk = Desk::new();
    let label = desk.label(json!({ "name": "soon" }));
    let bear = |title: String| {
        desk.world.advance_ms(10);
        desk.done(
            "create_task",
            json!({ "title": title, "categoryId": "home", "labelIds": [label] }),
        )
    };
    (0..12).for_each(|n| drop(bear(format!("errand {n}"))));
    let removed = desk.operation("remove_label", json!({ "labelId": label, "force": true }));
    let back = desk.undo(removed).unwrap().operation.unwrap();
    let newer = bear("one more".to_owned())["id"].as_str().unwrap().to_owned();
    assert_eq!(desk.undo(back).unwrap_err().code, Code::CannotUndo);
    desk.done("assign_task_labels", json!({ "taskId": newer, "removeLabelIds": [label] }));
    desk.undo(back).unwrap();
    assert_eq!(desk.body(&label), None);
}

#[test]
fn undoing_gives_no_task_a_label_of_another_category() {
    let desk = Desk::new();
    let label = desk.label(json!({ "name": "soon", "categoryId": "home" }));
    let freed = desk.operation("edit_label", json!({ "labelId": label, "categoryId": null }));
    let fields = json!({ "title": "ferns", "categoryId": "work", "labelIds": [label] });
    let task = desk.done("create_task", fields)["id"].as_str().unwrap().to_owned();
    assert_eq!(desk.undo(freed).unwrap_err().code, Code::CannotUndo);
    let moved =
        desk.operation("update_task_fields", json!({ "taskId": task, "categoryId": "home" }));
    let again = desk.undo(freed).unwrap().operation.unwrap();
    assert_eq!(desk.undo(moved).unwrap_err().code, Code::CannotUndo);
    desk.undo(again).unwrap();
    desk.undo(moved).unwrap();
    assert_eq!(desk.task_now(&task).category_id.as_str(), "category_work");
}

#[test]
fn open_tasks_are_counted_however_many_there_are() {
    let desk = Desk::new();
    let label = desk.label(json!({ "name": "soon" }));
    desk.put((0..1_500).map(|n| {
        let id: RecordId = format!("task_zz{n:05}").parse().unwrap();
        let task = Task::new(format!("errand {n}"), "category_home".parse().unwrap());
        let labels = if n % 2 == 0 { [label.parse().unwrap()].into() } else { task.labels.clone() };
        Write::Record(RecordDraft::live(id, Task { labels, ..task }))
    }));
    assert_eq!(desk.labels()[0].open_tasks, 750);
}

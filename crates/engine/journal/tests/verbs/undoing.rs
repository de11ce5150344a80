//! The way back.

use serde_json::json;
use types::{Code, RunKey};

use crate::desk::Desk;

#[test]
fn a_change_is_put_back_and_the_undoing_can_be_undone() {
    let desk = Desk::new();
    let id = desk.task("ferns", "home");
    let change = desk.operation("set_task_title", json!({ "taskId": id, "title": "moss" }));
    let undone = desk.undo(change).unwrap();
    assert_eq!(desk.task_now(&id).title, "ferns");
    assert_eq!(undone.answer["changed"], json!([id]));
    desk.undo(undone.operation.unwrap()).unwrap();
    assert_eq!(desk.task_now(&id).title, "moss");
}

#[test]
fn what_was_changed_since_is_not_put_back_and_the_refusal_says_by_what() {
    let desk = Desk::new();
    let id = desk.task("ferns", "home");
    let first = desk.operation("set_task_title", json!({ "taskId": id, "title": "moss" }));
    desk.done("update_task_priority", json!({ "taskId": id, "priority": "p0" }));
    let problem = desk.undo(first).unwrap_err();
    assert_eq!(problem.code, Code::CannotUndo);
    assert!(problem.message.contains("update_task_priority"), "{}", problem.message);
    assert_eq!(desk.task_now(&id).title, "moss");
}

#[test]
fn undoing_twice_is_refused() {
    let desk = Desk::new();
    let id = desk.task("ferns", "home");
    let change = desk.operation("set_task_title", json!({ "taskId": id, "title": "moss" }));
    desk.undo(change).unwrap();
    let problem = desk.undo(change).unwrap_err();
    assert_eq!(problem.code, Code::CannotUndo);
    assert!(problem.message.contains("undone already"), "{}", problem.message);
    assert!(!problem.hint.contains("first"), "nobody is told to do it again: {}", problem.hint);
}

#[test]
fn a_made_record_goes_unless_something_newer_rests_on_it() {
    let desk = Desk::new();
    let category = desk.ask("add_category", json!({ "name": "garden" })).unwrap();
    let task = desk.task("ferns", "garden");
    let made = category.operation.unwrap();
    assert_eq!(desk.undo(made).unwrap_err().code, Code::CannotUndo);
    desk.done("remove_task", json!({ "taskId": task }));
    desk.undo(made).unwrap();
    assert_eq!(
        desk.refused("create_task", json!({ "title": "t", "categoryId": "garden" })),
        Code::UnknownCategory
    );
}

#[test]
fn a_category_does_not_go_while_a_label_is_for_its_tasks() {
    let desk = Desk::new();
    let made = desk.operation("add_category", json!({ "name": "garden" }));
    let label =
        desk.done("add_label", json!({ "name": "soon", "categoryId": "garden" }))["id"].clone();
    assert_eq!(desk.undo(made).unwrap_err().code, Code::CannotUndo);
    desk.done("edit_label", json!({ "labelId": label, "categoryId": null }));
    desk.undo(made).unwrap();
}

#[test]
fn a_name_that_was_taken_meanwhile_stays_with_its_new_owner() {
    let desk = Desk::new();
    let garden = desk.ask("add_category", json!({ "name": "garden" })).unwrap();
    let undone = desk.undo(garden.operation.unwrap()).unwrap();
    desk.done("add_category", json!({ "name": "Garden" }));
    assert_eq!(desk.undo(undone.operation.unwrap()).unwrap_err().code, Code::NameTaken);
    assert_eq!(desk.refused("add_category", json!({ "name": "GARDEN" })), Code::NameTaken);
}

#[test]
fn a_task_does_not_come_back_with_a_label_that_is_gone() {
    let desk = Desk::new();
    let label = desk.done("add_label", json!({ "name": "soon" }))["id"].clone();
    let fields = json!({ "title": "ferns", "categoryId": "home", "labelIds": [label] });
    let task = desk.done("create_task", fields)["id"].clone();
    let removed = desk.operation("remove_task", json!({ "taskId": task }));
    let unlabelled = desk.operation("remove_label", json!({ "labelId": label }));
    let problem = desk.undo(removed).unwrap_err();
    assert_eq!(problem.code, Code::CannotUndo);
    assert!(problem.message.contains(label.as_str().unwrap()), "{}", problem.message);
    desk.undo(unlabelled).unwrap();
    desk.undo(removed).unwrap();
    assert_eq!(desk.task_now(task.as_str().unwrap()).labels.len(), 1);
}

#[test]
fn the_same_request_again_answers_as_before_and_does_nothing() {
    let desk = Desk::new();
    let ask = |title: &str| {
        let arguments = json!({ "title": title, "categoryId": "home" });
        let (verb, request) = ("create_task".to_owned(), Some("r1".to_owned()));
        let ask = journal::Ask { verb, arguments, request, preview: false };
        store::wait(desk.journal.perform(ask)).unwrap()
    };
    let (first, again) = (ask("ferns"), ask("moss"));
    assert!(!first.repeated && again.repeated);
    assert_eq!(first.answer, again.answer);
    assert_eq!(first.operation, again.operation);
}

#[test]
fn history_says_who_did_what_when_by_which_operation() {
    let desk = Desk::new();
    let id = desk.task("ferns", "home");
    let change = desk.operation("set_task_title", json!({ "taskId": id, "title": "moss" }));
    let history = store::wait(desk.journal.history(Some(id.parse().unwrap()), None, 10)).unwrap();
    let verbs: Vec<&str> = history.iter().filter_map(|entry| entry.verb.as_deref()).collect();
    assert_eq!(verbs, ["set_task_title", "create_task"]);
    assert_eq!(history[0].operation, Some(change));
    assert_eq!(history[0].records[0].2, ["title"]);
    let all = store::wait(desk.journal.history(None, None, 2)).unwrap();
    assert_eq!(all, history);
}

#[test]
fn a_named_request_that_had_nothing_to_change_is_remembered_all_the_same() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let ask = || {
        let arguments = json!({ "taskId": task, "title": "ferns" });
        let (verb, request) = ("set_task_title".to_owned(), Some("r1".to_owned()));
        let ask = journal::Ask { verb, arguments, request, preview: false };
        store::wait(desk.journal.perform(ask)).unwrap()
    };
    assert_eq!(ask().answer["changed"], json!([]));
    desk.done("set_task_title", json!({ "taskId": task, "title": "moss" }));
    assert!(ask().repeated);
    assert_eq!(desk.task_now(&task).title, "moss");
}

#[test]
fn undoing_twice_goes_two_steps_back_and_redoing_forward_again() {
    let desk = Desk::new();
    let id = desk.task("ferns", "home");
    let first = desk.operation("set_task_title", json!({ "taskId": id, "title": "moss" }));
    let second = desk.operation("update_task_priority", json!({ "taskId": id, "priority": "p0" }));
    let third = desk.operation("set_task_title", json!({ "taskId": id, "title": "ivy" }));
    desk.undo(third).unwrap();
    let problem = desk.undo(first).unwrap_err();
    assert!(problem.message.contains("update_task_priority"), "{}", problem.message);
    let undone = desk.undo(second).unwrap();
    desk.undo(first).unwrap();
    let task = desk.task_now(&id);
    assert_eq!((task.title.as_str(), task.priority.as_str()), ("ferns", "p2"));
    assert_eq!(desk.undo(first).unwrap_err().code, Code::CannotUndo, "it is undone already");
    let problem = desk.undo(undone.operation.unwrap()).unwrap_err();
    assert_eq!(problem.code, Code::CannotUndo, "what came before it was undone since");
}

#[test]
fn what_was_undone_and_brought_back_can_be_undone_again_by_its_own_name() {
    let desk = Desk::new();
    let id = desk.task("ferns", "home");
    let change = desk.operation("set_task_title", json!({ "taskId": id, "title": "moss" }));
    for _ in 0..2 {
        let undone = desk.undo(change).unwrap();
        assert_eq!(desk.task_now(&id).title, "ferns");
        desk.undo(undone.operation.unwrap()).unwrap();
        assert_eq!(desk.task_now(&id).title, "moss");
    }
}

#[test]
fn a_run_is_not_undone_over_what_was_changed_while_it_went_on() {
    let desk = Desk::new();
    let (ferns, moss) = (desk.task("ferns", "home"), desk.task("moss", "home"));
    let run = RunKey(rules::hash::fields(["run"]));
    let undo = || store::wait(desk.journal.undo(&run.to_string(), None));
    desk.in_run(run, "set_task_title", &json!({ "taskId": ferns, "title": "ivy" }));
    let own = desk.operation("set_task_title", json!({ "taskId": ferns, "title": "my ferns" }));
    desk.in_run(run, "update_task_priority", &json!({ "taskId": moss, "priority": "p0" }));
    let problem = types::Problem::from(undo().unwrap_err());
    assert_eq!(problem.code, Code::CannotUndo);
    assert_eq!(desk.task_now(&ferns).title, "my ferns");
    desk.undo(own).unwrap();
    undo().unwrap();
    let (ferns, moss) = (desk.task_now(&ferns), desk.task_now(&moss));
    assert_eq!((ferns.title.as_str(), moss.priority.as_str()), ("ferns", "p2"));
}

#[test]
fn the_last_thing_that_somebody_did_is_found_however_much_agents_did_since() {
    let desk = Desk::new();
    let undo_last = || store::wait(desk.journal.undo("last", None)).map_err(types::Problem::from);
    let ferns = desk.task("ferns", "home");
    let moss = desk.task("moss", "home");
    for n in 0..60 {
        let run = RunKey(rules::hash::fields(["run", &n.to_string()]));
        let title = format!("errand {n}");
        desk.in_run(run, "set_task_title", &json!({ "taskId": ferns, "title": title }));
    }
    undo_last().unwrap();
    assert_eq!((desk.body(&moss), desk.body(&ferns).is_some()), (None, true));
    let problem = undo_last().unwrap_err();
    assert!(problem.message.contains(&ferns), "it is the next, and was changed: {problem:?}");
}

#[test]
fn a_task_that_was_brought_back_is_removed_again_though_a_note_outlived_it() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    desk.note(json!({ "text": "they like mist", "taskId": task }));
    let removed = desk.operation("remove_task", json!({ "taskId": task }));
    let back = desk.undo(removed).unwrap().operation.unwrap();
    let again = desk.undo(back).unwrap().operation.unwrap();
    desk.undo(again).unwrap();
    let made = json!({ "title": "moss", "categoryId": "home" });
    let moss = desk.ask("create_task", made).unwrap();
    desk.note(json!({ "text": "so does it", "taskId": moss.answer["id"] }));
    assert_eq!(desk.undo(moss.operation.unwrap()).unwrap_err().code, Code::CannotUndo);
}

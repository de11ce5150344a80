//! Tasks that carry on from others.

use serde_json::{Value, json};
use store::wait;
use types::{Code, TaskStatus, limits};

use crate::checklists::ids;
use crate::desk::Desk;

impl Desk {
    /// Its relations, as the task shows them: how, and the other one's title.
    pub(crate) fn relations(&self, task: &str) -> Vec<(String, String)> {
        let view = wait(self.journal.task_get(task)).unwrap();
        view.relations.into_iter().map(|(how, _, title)| (how, title)).collect()
    }

    /// A task with two lists: one item done, three to do.
    fn half_done(&self) -> String {
        let task = self.task("release", "work");
        let items = self.items(&task, &["build", "test"]);
        self.done(
            "update_checklist_items",
            json!({ "items": [{ "id": items[0], "checked": true }] }),
        );
        let more = json!({ "taskId": task, "title": "news", "items": ["write", "send"] });
        self.done("create_checklist", more);
        task
    }
}

fn pair(how: &str, title: &str) -> (String, String) {
    (how.to_owned(), title.to_owned())
}

fn conclude(task: &str) -> Value {
    json!({ "taskId": task, "closeAs": "DONE", "followUpTitle": "next release" })
}

#[test]
fn concluding_closes_the_task_and_each_open_item_is_in_the_follow_up_once() {
    let desk = Desk::new();
    let task = desk.half_done();
    let before = desk.titles(&task);
    let shown = desk.preview("conclude_task_with_rollover", conclude(&task));
    assert_eq!(shown["carried"].as_array().unwrap().len(), 3);
    assert_eq!(shown["task"]["status"], "done");
    let done = desk.ask("conclude_task_with_rollover", conclude(&task)).unwrap();
    let next = done.answer["followUp"]["id"].as_str().unwrap().to_owned();
    assert_eq!(desk.titles(&task), ["build"]);
    assert_eq!(desk.titles(&next), ["test", "write", "send"]);
    let lists = wait(desk.journal.task_get(&next)).unwrap().checklists;
    let names: Vec<&str> = lists.iter().map(|list| list.title.as_str()).collect();
    assert_eq!(names, ["Checklist", "news"]);
    let closed = desk.task_now(&task);
    assert_eq!(closed.status, TaskStatus::Done);
    assert!(closed.closed_at.is_some());
    assert_eq!(desk.relations(&task), [pair("followed_by", "next release")]);
    assert_eq!(desk.relations(&next), [pair("follows", "release")]);
    desk.undo(done.operation.unwrap()).unwrap();
    assert_eq!(desk.titles(&task), before);
    assert_eq!(desk.task_now(&task).status, TaskStatus::Open);
    assert_eq!((desk.body(&next), desk.relations(&task)), (None, vec![]));
}

#[test]
fn a_closed_task_is_not_concluded_once_more() {
    let desk = Desk::new();
    let task = desk.half_done();
    desk.done("conclude_task_with_rollover", conclude(&task));
    assert_eq!(desk.refused("conclude_task_with_rollover", conclude(&task)), Code::NoSuchStep);
}

#[test]
fn concluding_is_for_wakes_in_which_somebody_spoke() {
    let desk = Desk::new();
    let tools = desk.journal.tools();
    let contract =
        |name: &str| *tools.iter().find(|tool| tool.contract().name == name).unwrap().contract();
    let conclude = contract("conclude_task_with_rollover");
    assert!(conclude.preview && conclude.risk == tool::Risk::High);
    let spoken = [types::WakeReason::UserInitiated, types::WakeReason::Manual];
    assert_eq!(conclude.wake_reasons, spoken);
    for name in ["move_checklist_items", "move_checklist_items_to_new_task"] {
        assert!(contract(name).preview && contract(name).risk == tool::Risk::High, "{name}");
    }
}

#[test]
fn a_follow_up_takes_what_it_is_told_to_take() {
    let desk = Desk::new();
    let task = desk.half_done();
    let follow = |carry: bool, close: Value, keep: bool| {
        let arguments = json!({
            "sourceTaskId": task, "newTaskTitle": "next", "carryOverOpenChecklistItems": carry,
            "closeSourceTaskAs": close, "preserveCategoryAndLabels": keep,
        });
        desk.done("create_follow_up_task", arguments)
    };
    let labels = json!({ "taskId": task, "labelIds": ["urgent", "plants"] });
    desk.done("add_label", json!({ "name": "urgent" }));
    desk.done("add_label", json!({ "name": "plants", "categoryId": "work" }));
    desk.done("assign_task_labels", labels);
    let worn = |task: &Value| desk.task_now(task["id"].as_str().unwrap()).labels;
    let plain = follow(false, Value::Null, false);
    assert!(desk.titles(plain["id"].as_str().unwrap()).is_empty());
    assert!(worn(&plain).is_empty(), "labels follow only if they are to");
    assert_eq!(desk.task_now(&task).status, TaskStatus::Open);
    let carried = follow(true, json!("cancelled"), true);
    assert_eq!(ids(&carried["carried"]).len(), 3);
    assert_eq!(desk.task_now(&task).status, TaskStatus::Cancelled);
    assert_eq!(desk.titles(&task), ["build"]);
    let next = desk.task_now(carried["id"].as_str().unwrap());
    assert_eq!(next.category_id, desk.task_now(&task).category_id);
    assert_eq!((next.labels.len(), next.labels), (2, desk.task_now(&task).labels));
    // A closed task can be followed up too; nothing is left to carry.
    let last = follow(true, Value::Null, true);
    assert!(last["carried"].as_array().unwrap().is_empty());
    assert_eq!(desk.relations(&task).len(), 3);
}

#[test]
fn items_do_not_follow_into_another_category() {
    let desk = Desk::new();
    let task = desk.half_done();
    let follow = |carry: bool, keep: bool| {
        json!({
            "sourceTaskId": task, "newTaskTitle": "next", "carryOverOpenChecklistItems": carry,
            "preserveCategoryAndLabels": keep, "categoryId": "home",
        })
    };
    assert_eq!(desk.refused("create_follow_up_task", follow(true, false)), Code::OtherCategory);
    assert_eq!(desk.refused("create_follow_up_task", follow(false, true)), Code::WrongUsage);
    let next = desk.done("create_follow_up_task", follow(false, false));
    let next = desk.task_now(next["id"].as_str().unwrap());
    assert_eq!(next.category_id.as_str(), "category_home");
}

#[test]
fn more_items_than_fit_into_one_step_are_refused_and_none_is_carried() {
    let desk = Desk::new();
    let task = desk.task("archive", "work");
    let max = limits::CHECKLIST_ITEMS_MAX;
    for list in 0..2 {
        let items: Vec<String> = (0..max).map(|n| format!("{list}-{n}")).collect();
        let arguments = json!({ "taskId": task, "title": format!("list {list}"), "items": items });
        desk.done("create_checklist", arguments);
    }
    assert_eq!(desk.refused("conclude_task_with_rollover", conclude(&task)), Code::LimitReached);
    assert_eq!(desk.refused("remove_task", json!({ "taskId": task })), Code::LimitReached);
    assert_eq!(desk.titles(&task).len(), 2 * max);
}

#[test]
fn an_agents_plan_names_every_item_it_carries_and_where_they_go() {
    let desk = Desk::new();
    let task = desk.half_done();
    let (targets, planned) =
        desk.plan("conclude_task_with_rollover", &["category_work"], &conclude(&task));
    // The task, its two lists with open items, and the three items.
    assert_eq!(targets.len(), 6);
    assert!(targets.iter().all(|target| target.category == targets.first().unwrap().category));
    let planned = planned.unwrap();
    let into: Vec<&str> = planned.destinations.iter().map(types::CategoryId::as_str).collect();
    assert_eq!(into, ["category_work"]);
}

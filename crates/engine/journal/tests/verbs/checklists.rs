//! Checklists and their items.

use serde_json::{Value, json};
use store::wait;
use types::{Body, ChecklistItem, Code, RecordDraft, RecordId, Write, limits};

use crate::desk::Desk;

impl Desk {
    /// What a task shows of its items: title, and whether it is done, list by list.
    pub(crate) fn shown_items(&self, task: &str) -> Vec<(String, bool)> {
        let view = wait(self.journal.task_get(task)).unwrap();
        let items = view.checklists.into_iter().flat_map(|list| list.items);
        items.map(|item| (item.title, item.checked)).collect()
    }

    pub(crate) fn titles(&self, task: &str) -> Vec<String> {
        self.shown_items(task).into_iter().map(|(title, _)| title).collect()
    }

    /// Adds items to a task, and answers with their ids.
    pub(crate) fn items(&self, task: &str, titles: &[&str]) -> Vec<String> {
        let arguments = json!({ "taskId": task, "items": titles });
        ids(&self.done("add_multiple_checklist_items", arguments)["items"])
    }

    pub(crate) fn item_now(&self, id: &str) -> ChecklistItem {
        match self.body(id) {
            Some(Body::ChecklistItem(item)) => item,
            other => panic!("{id} is no item: {other:?}"),
        }
    }

    fn list(&self, task: &str, title: &str) -> String {
        let arguments = json!({ "taskId": task, "title": title });
        self.done("create_checklist", arguments)["id"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn ids(items: &Value) -> Vec<String> {
    let items = items.as_array().unwrap();
    items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

fn many(count: usize) -> Value {
    (0..count).map(|n| json!(format!("item {n}"))).collect()
}

#[test]
fn items_are_added_in_order_to_the_first_list_which_is_made_if_there_is_none() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let mixed = json!([" water ", { "title": "repot", "checked": true }]);
    let first =
        desk.operation("add_multiple_checklist_items", json!({ "taskId": task, "items": mixed }));
    desk.items(&task, &["feed"]);
    let view = wait(desk.journal.task_get(&task)).unwrap();
    assert_eq!(view.checklists.len(), 1);
    assert_eq!(view.checklists[0].title, "Checklist");
    let expected = [("water", false), ("repot", true), ("feed", false)];
    assert_eq!(desk.shown_items(&task), expected.map(|(title, done)| (title.to_owned(), done)));
    assert_eq!(view.progress, (1, 3));
    // What was added later lies on the list that the first operation made.
    assert_eq!(desk.undo(first).unwrap_err().code, Code::CannotUndo);
}

#[test]
fn adding_is_one_operation_and_undoing_it_takes_all_of_it_away() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let arguments = json!({ "taskId": task, "items": ["a", "b", "c"] });
    let added = desk.operation("add_multiple_checklist_items", arguments);
    desk.undo(added).unwrap();
    assert!(wait(desk.journal.task_get(&task)).unwrap().checklists.is_empty());
}

#[test]
fn a_list_of_another_task_is_refused_and_nothing_is_added() {
    let desk = Desk::new();
    let (ferns, moss) = (desk.task("ferns", "home"), desk.task("moss", "home"));
    let list = desk.list(&moss, "tools");
    let add = |arguments: Value| desk.refused("add_multiple_checklist_items", arguments);
    let items = json!(["x"]);
    assert_eq!(
        add(json!({ "taskId": ferns, "items": items, "checklistId": list })),
        Code::UnknownRecord
    );
    assert_eq!(add(json!({ "taskId": ferns, "items": [] })), Code::WrongUsage);
    assert_eq!(add(json!({ "taskId": ferns, "items": ["a", "two\nlines"] })), Code::InvalidRecord);
    assert_eq!(add(json!({ "taskId": "task_nobody", "items": items })), Code::UnknownTask);
}

#[test]
fn a_list_has_room_for_a_thousand_items_and_a_task_for_fifty_lists() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let max = limits::CHECKLIST_ITEMS_MAX;
    let add = |count| json!({ "taskId": task, "items": many(count) });
    assert_eq!(desk.refused("add_multiple_checklist_items", add(max + 1)), Code::LimitReached);
    desk.done("add_multiple_checklist_items", add(max));
    assert_eq!(desk.refused("add_multiple_checklist_items", add(1)), Code::LimitReached);
    for n in 1..limits::CHECKLISTS_MAX {
        desk.list(&task, &format!("list {n}"));
    }
    let one_more = json!({ "taskId": task, "title": "one more" });
    assert_eq!(desk.refused("create_checklist", one_more), Code::LimitReached);
    // All are shown, although they are more than one read returns.
    let second = wait(desk.journal.task_get(&task)).unwrap().checklists[1].id.to_string();
    let arguments = json!({ "taskId": task, "items": many(5), "checklistId": second });
    desk.done("add_multiple_checklist_items", arguments);
    assert_eq!(desk.titles(&task).len(), max + 5);
}

#[test]
fn items_do_not_come_back_to_a_list_that_has_been_filled_since() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let full = json!({ "taskId": task, "items": many(limits::CHECKLIST_ITEMS_MAX) });
    let items = ids(&desk.done("add_multiple_checklist_items", full)["items"]);
    let removed = desk.operation("remove_checklist_items", json!({ "itemIds": items[..2] }));
    let one = desk.items(&task, &["one more"]);
    assert_eq!(desk.undo(removed).unwrap_err().code, Code::CannotUndo);
    desk.done("remove_checklist_items", json!({ "itemIds": one }));
    desk.undo(removed).unwrap();
    assert_eq!(desk.titles(&task).len(), limits::CHECKLIST_ITEMS_MAX);
}

#[test]
fn items_are_checked_reworded_and_put_back() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let items = desk.items(&task, &["water", "repot"]);
    let change = json!({ "taskId": task, "items": [
        { "id": items[0], "checked": true }, { "id": items[1], "title": " repot them " },
    ] });
    let done = desk.operation("update_checklist_items", change);
    let now = [("water".to_owned(), true), ("repot them".to_owned(), false)];
    assert_eq!(desk.shown_items(&task), now);
    desk.undo(done).unwrap();
    assert_eq!(desk.titles(&task), ["water", "repot"]);
    let other = desk.task("moss", "home");
    let refused = |arguments| desk.refused("update_checklist_items", arguments);
    let check = json!([{ "id": items[0], "checked": true }]);
    assert_eq!(refused(json!({ "taskId": other, "items": check })), Code::UnknownRecord);
    let twice = json!([{ "id": items[0], "checked": true }, { "id": items[0], "title": "x" }]);
    assert_eq!(refused(json!({ "items": twice })), Code::WrongUsage);
    assert_eq!(refused(json!({ "items": [] })), Code::WrongUsage);
    let one_unknown = json!([{ "id": items[0], "checked": true }, { "id": "item_nobody" }]);
    assert_eq!(refused(json!({ "items": one_unknown })), Code::UnknownRecord);
}

#[test]
fn items_move_to_another_list_in_the_order_named_and_back_by_undoing() {
    let desk = Desk::new();
    let (ferns, moss) = (desk.task("ferns", "home"), desk.task("moss", "home"));
    let items = desk.items(&ferns, &["a", "b", "c"]);
    desk.done("update_checklist_items", json!({ "items": [{ "id": items[0], "checked": true }] }));
    desk.items(&moss, &["there"]);
    let lists = [&items[0], &desk.items(&moss, &["too"])[0]];
    let [from, to] = lists.map(|item| desk.item_now(item).checklist_id.to_string());
    let arguments = |keep: bool| {
        json!({
            "itemIds": [items[2], items[0], items[2]], "fromChecklistId": from,
            "toChecklistId": to, "preserveCheckedState": keep,
        })
    };
    let shown = desk.preview("move_checklist_items", arguments(true));
    assert_eq!(ids(&shown["items"]), [items[2].as_str(), &items[0]]);
    let moved = desk.operation("move_checklist_items", arguments(true));
    assert_eq!(desk.titles(&moss), ["there", "too", "c", "a"]);
    assert!(desk.shown_items(&moss)[3].1, "what was done stays done");
    assert_eq!(desk.item_now(&items[0]).task_id.as_str(), moss);
    assert_eq!(desk.titles(&ferns), ["b"]);
    desk.undo(moved).unwrap();
    assert_eq!((desk.titles(&ferns), desk.titles(&moss)).0, ["a", "b", "c"]);
    desk.done("move_checklist_items", arguments(false));
    assert!(!desk.shown_items(&moss)[3].1, "what was done is to be done again");
}

#[test]
fn items_that_are_elsewhere_or_would_change_their_category_do_not_move() {
    let desk = Desk::new();
    let (ferns, report) = (desk.task("ferns", "home"), desk.task("report", "work"));
    let items = desk.items(&ferns, &["a"]);
    let from = desk.item_now(&items[0]).checklist_id.to_string();
    let (second, work) = (desk.list(&ferns, "second"), desk.list(&report, "work"));
    let refused = |from: &str, to: &str| {
        let arguments = json!({
            "itemIds": items, "fromChecklistId": from, "toChecklistId": to,
            "preserveCheckedState": true,
        });
        desk.refused("move_checklist_items", arguments)
    };
    assert_eq!(refused(&from, &work), Code::OtherCategory);
    assert_eq!(refused(&second, &from), Code::UnknownRecord);
    assert_eq!(refused(&from, &from), Code::WrongUsage);
    assert_eq!(refused(&from, "checklist_nobody"), Code::UnknownRecord);
}

#[test]
fn items_move_to_a_task_of_their_own_and_undoing_brings_all_back() {
    let desk = Desk::new();
    let ferns = desk.task("ferns", "home");
    let items = desk.items(&ferns, &["a", "b", "c"]);
    let arguments = json!({ "itemIds": [items[1], items[0]], "newTaskTitle": " soil " });
    let shown = desk.preview("move_checklist_items_to_new_task", arguments.clone());
    assert_eq!((&shown["title"], ids(&shown["items"]).len()), (&json!("soil"), 2));
    let moved = desk.ask("move_checklist_items_to_new_task", arguments).unwrap();
    let soil = moved.answer["id"].as_str().unwrap().to_owned();
    assert_eq!(
        (desk.titles(&soil), desk.titles(&ferns)),
        (vec!["b".into(), "a".into()], vec!["c".into()])
    );
    assert_eq!(desk.task_now(&soil).category_id.as_str(), "category_home");
    let undone = desk.undo(moved.operation.unwrap()).unwrap();
    assert_eq!(desk.titles(&ferns), ["a", "b", "c"]);
    assert_eq!(desk.body(&soil), None);
    desk.undo(undone.operation.unwrap()).unwrap();
    assert_eq!(desk.titles(&soil), ["b", "a"]);
    let report = desk.task("report", "work");
    let mixed = [desk.items(&report, &["x"])[0].clone(), items[2].clone()];
    let mixed = json!({ "itemIds": mixed, "newTaskTitle": "both" });
    assert_eq!(desk.refused("move_checklist_items_to_new_task", mixed), Code::OtherCategory);
}

#[test]
fn a_new_task_that_somebody_uses_stays_when_its_making_is_undone() {
    let desk = Desk::new();
    let ferns = desk.task("ferns", "home");
    let items = desk.items(&ferns, &["a"]);
    let arguments = json!({ "itemIds": items, "newTaskTitle": "soil" });
    let moved = desk.ask("move_checklist_items_to_new_task", arguments).unwrap();
    desk.items(moved.answer["id"].as_str().unwrap(), &["more"]);
    assert_eq!(desk.undo(moved.operation.unwrap()).unwrap_err().code, Code::CannotUndo);
}

#[test]
fn lists_are_renamed_and_removed_with_their_items() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let items = desk.items(&task, &["a", "b"]);
    let list = desk.item_now(&items[0]).checklist_id.to_string();
    desk.done("edit_checklist", json!({ "checklistId": list, "title": "soil" }));
    assert_eq!(wait(desk.journal.task_get(&task)).unwrap().checklists[0].title, "soil");
    let one = desk.operation("remove_checklist_items", json!({ "itemIds": [items[0]] }));
    assert_eq!(desk.titles(&task), ["b"]);
    desk.undo(one).unwrap();
    let gone = desk.operation("remove_checklist", json!({ "checklistId": list }));
    assert!(wait(desk.journal.task_get(&task)).unwrap().checklists.is_empty());
    desk.undo(gone).unwrap();
    assert_eq!(desk.titles(&task), ["a", "b"]);
}

#[test]
fn an_item_goes_where_it_is_put_and_only_its_own_key_changes() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let items = desk.items(&task, &["a", "b", "c", "d"]);
    let put = |arguments: Value| desk.ask("reorder_checklist_items", arguments).unwrap();
    let moved = put(json!({ "itemId": items[3], "before": items[1] }));
    assert_eq!(moved.answer["changed"], json!([items[3]]));
    assert_eq!(desk.titles(&task), ["a", "d", "b", "c"]);
    put(json!({ "itemId": items[0], "after": items[1] }));
    assert_eq!(desk.titles(&task), ["d", "b", "a", "c"]);
    put(json!({ "itemId": items[2], "toTop": true }));
    put(json!({ "itemId": items[3], "toEnd": true }));
    assert_eq!(desk.titles(&task), ["c", "b", "a", "d"]);
    let same = put(json!({ "itemId": items[3], "toEnd": true }));
    assert_eq!(same.operation, None, "it is there already");
    let refused = |arguments| desk.refused("reorder_checklist_items", arguments);
    assert_eq!(refused(json!({ "itemId": items[0] })), Code::WrongUsage);
    assert_eq!(refused(json!({ "itemId": items[0], "after": items[0] })), Code::WrongUsage);
    let elsewhere = desk.items(&desk.task("moss", "home"), &["x"]);
    assert_eq!(refused(json!({ "itemId": items[0], "after": elsewhere[0] })), Code::UnknownRecord);
}

#[test]
fn a_place_without_room_numbers_the_list_afresh() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let items = desk.items(&task, &["a", "b", "c"]);
    let rank = |keys: [&str; 3]| {
        desk.put(items.iter().zip(keys).map(|(id, rank)| {
            let item = ChecklistItem { rank: rank.to_owned(), ..desk.item_now(id) };
            Write::Record(RecordDraft::live(id.parse::<RecordId>().unwrap(), item))
        }));
    };
    let put =
        |arguments: Value| ids_of(&desk.done("reorder_checklist_items", arguments)["changed"]);
    let full = format!("1{}1", "0".repeat(limits::RANK_BYTES_MAX - 2));
    for keys in [["1", &full, "2"], ["1", "1", "2"], ["1", "10", "2"]] {
        rank(keys);
        assert_eq!(desk.titles(&task), ["a", "b", "c"]);
        let changed = put(json!({ "itemId": items[2], "after": items[0] }));
        assert_eq!(changed, items_in(&items, [0, 2, 1]));
        assert_eq!(desk.titles(&task), ["a", "c", "b"]);
    }
    // The same at the end of a list.
    rank(["1", "2", &"z".repeat(limits::RANK_BYTES_MAX)]);
    desk.items(&task, &["d"]);
    assert_eq!(desk.titles(&task), ["a", "b", "c", "d"]);
}

fn ids_of(changed: &Value) -> Vec<String> {
    changed.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

fn items_in(items: &[String], places: [usize; 3]) -> Vec<String> {
    places.into_iter().map(|place| items[place].clone()).collect()
}

#[test]
fn an_agent_may_plan_within_its_categories_only_and_names_what_it_touches() {
    let desk = Desk::new();
    let ferns = desk.task("ferns", "home");
    let items = desk.items(&ferns, &["a"]);
    let arguments = json!({ "items": [{ "id": items[0], "checked": true }] });
    let (targets, planned) = desk.plan("update_checklist_items", &["category_home"], &arguments);
    let named: Vec<&str> = targets.iter().map(|target| target.record.as_str()).collect();
    assert_eq!(named, [items[0].as_str(), &ferns]);
    assert!(targets.iter().all(|target| {
        target.category.as_ref().is_some_and(|category| category.as_str() == "category_home")
    }));
    assert_eq!(planned.unwrap().writes.len(), 1);
    // Short ids are for people.
    let short = &items[0][items[0].len() - 6..];
    let arguments = json!({ "items": [{ "id": short, "checked": true }] });
    let (_, planned) = desk.plan("update_checklist_items", &["category_home"], &arguments);
    assert_eq!(planned.unwrap_err().kind, Code::OutOfScope);
}

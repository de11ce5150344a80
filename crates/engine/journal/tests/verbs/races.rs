//! Two at once: what somebody else does between the look and the writing.

use serde_json::{Value, json};
use store::wait;
use tool::Planned;
use types::{At, Author, Commit, Conflict, Domain, Outcome};

use crate::desk::Desk;

impl Desk {
    /// Writes a plan that was made before.
    fn write(&self, planned: Planned) -> Outcome {
        let Planned { guards, writes, .. } = planned;
        let commit = Commit::new(Domain::Journal, Author::Operator, At::EPOCH, writes);
        wait(self.store.commit(Commit { guards, ..commit })).unwrap()
    }

    /// Plans something as an agent of these categories, lets somebody else do something, and says which
    /// record was in the way of writing the plan then.
    fn too_late(
        &self,
        (tool, arguments): (&str, Value),
        scope: &[&str],
        meanwhile: (&str, Value),
    ) -> String {
        let planned = self.plan(tool, scope, &arguments).1.unwrap();
        assert!(!planned.writes.is_empty(), "{tool} changes something");
        self.done(meanwhile.0, meanwhile.1);
        match self.write(planned) {
            Outcome::Conflict(Conflict::Revision { record, .. }) => record.to_string(),
            other => panic!("{tool}: {other:?}"),
        }
    }
}

#[test]
fn no_plan_of_an_agent_is_written_once_its_task_lies_in_another_category() {
    let spent = ["2026-12-31T10:00:00Z", "2026-12-31T11:00:00Z"];
    for tool in [
        "start_task_timer",
        "create_retrospective_time_entry",
        "annotate_time_entry",
        "add_multiple_checklist_items",
        "update_checklist_items",
        "move_checklist_items_to_new_task",
        "create_or_update_rating",
        "pin_day_plan_tasks",
        "upsert_day_plan_blocks",
    ] {
        let desk = Desk::new();
        let task = desk.task("ferns", "work");
        let item = desk.items(&task, &["water"]).remove(0);
        let time = json!({ "taskId": task, "startedAt": spent[0], "endedAt": spent[1] });
        let time = desk.done("create_retrospective_time_entry", time)["id"].clone();
        let block = json!({
            "categoryId": "category_work", "taskId": task,
            "startTime": "2027-01-01T10:00:00Z", "endTime": "2027-01-01T11:00:00Z",
        });
        let arguments = match tool {
            "start_task_timer" => json!({ "taskId": task }),
            "create_retrospective_time_entry" => {
                json!({ "taskId": task, "startedAt": spent[0], "endedAt": spent[1] })
            }
            "annotate_time_entry" => json!({ "timeEntryId": time, "description": "watered" }),
            "add_multiple_checklist_items" => json!({ "taskId": task, "items": ["prune"] }),
            "update_checklist_items" => json!({ "items": [{ "id": item, "checked": true }] }),
            "move_checklist_items_to_new_task" => {
                json!({ "itemIds": [item], "newTaskTitle": "moss" })
            }
            "create_or_update_rating" => json!({ "targetId": task, "score": 3 }),
            "pin_day_plan_tasks" => json!({ "planDate": "2027-01-01", "taskIds": [task] }),
            _ => json!({ "planDate": "2027-01-01", "upserts": [block] }),
        };
        let leaves = json!({ "taskId": task, "categoryId": "home" });
        let moved = ("update_task_fields", leaves);
        assert_eq!(desk.too_late((tool, arguments), &["category_work"], moved), task);
    }
}

#[test]
fn nothing_is_built_on_what_was_removed_meanwhile() {
    let desk = Desk::new();
    let made = |verb: &str, arguments: Value| {
        desk.done(verb, arguments)["id"].as_str().unwrap().to_owned()
    };
    let garden = made("add_category", json!({ "name": "garden" }));
    let create = ("create_task", json!({ "title": "ferns", "categoryId": garden }));
    let removed = ("remove_category", json!({ "categoryId": garden }));
    assert_eq!(desk.too_late(create, &[&garden], removed), garden);

    let (task, label) = (desk.task("ferns", "home"), made("add_label", json!({ "name": "soon" })));
    let assign = ("assign_task_labels", json!({ "taskId": task, "labelIds": [label] }));
    let removed = ("remove_label", json!({ "labelId": label }));
    assert_eq!(desk.too_late(assign, &["category_home"], removed), label);

    let note = desk.note(json!({ "text": "an hour of ferns", "taskId": task }));
    let spent = json!({
        "taskId": task, "sourceEntryId": note,
        "startedAt": "2026-12-31T10:00:00Z", "endedAt": "2026-12-31T11:00:00Z",
    });
    let removed = ("remove_entry", json!({ "entryId": note }));
    let log = ("create_retrospective_time_entry", spent);
    assert_eq!(desk.too_late(log, &["category_home"], removed), note);
}

#[test]
fn ten_at_once_on_one_task_all_get_through() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    std::thread::scope(|scope| {
        for n in 0..10 {
            let (desk, task) = (&desk, &task);
            scope.spawn(move || {
                let (priority, item) = (format!("p{}", n % 4), format!("item {n}"));
                let both = [
                    ("update_task_priority", json!({ "taskId": task, "priority": priority })),
                    ("add_multiple_checklist_items", json!({ "taskId": task, "items": [item] })),
                ];
                for (verb, arguments) in both {
                    desk.ask(verb, arguments).unwrap();
                }
            });
        }
    });
    let view = store::wait(desk.journal.task_get(&task)).unwrap();
    let items: usize = view.checklists.iter().map(|list| list.items.len()).sum();
    assert_eq!(items, 10);
}

#[test]
fn an_item_that_comes_meanwhile_is_carried_too_and_never_left_behind() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    desk.items(&task, &["water"]);
    let arguments = json!({ "taskId": task, "closeAs": "done", "followUpTitle": "more" });
    let (_, planned) = desk.plan("conclude_task_with_rollover", &["category_home"], &arguments);
    desk.items(&task, &["feed"]);
    let outcome = desk.write(planned.unwrap());
    assert!(matches!(outcome, Outcome::Conflict(Conflict::Stirred { .. })), "{outcome:?}");
    let (_, planned) = desk.plan("conclude_task_with_rollover", &["category_home"], &arguments);
    assert!(matches!(desk.write(planned.unwrap()), Outcome::Applied(_)));
}

#[test]
fn two_who_relate_the_same_tasks_the_other_way_round_make_no_circle() {
    let desk = Desk::new();
    for _ in 0..20 {
        let (one, other) = (desk.task("ferns", "home"), desk.task("moss", "home"));
        let relate = |from: &str, to: &str| json!({ "fromTaskId": from, "relation": "blocks", "toTaskId": to });
        let (there, back) = (relate(&one, &other), relate(&other, &one));
        let done = std::thread::scope(|scope| {
            let first = scope.spawn(|| desk.ask("relate_tasks", there).is_ok());
            let second = scope.spawn(|| desk.ask("relate_tasks", back).is_ok());
            (first.join().unwrap(), second.join().unwrap())
        });
        assert_ne!(done.0, done.1, "one of the two, and not both");
    }
}

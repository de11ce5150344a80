//! Two at once: what somebody else does between the look and the writing.

use std::sync::atomic::{AtomicUsize, Ordering};

use journal::Ask;
use serde_json::{Value, json};
use store::wait;
use tool::Planned;
use types::{At, Author, Code, Commit, Conflict, Domain, OperationId, Outcome, RatingId};

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

/// Something that was made, and by what.
struct Made {
    id: String,
    by: OperationId,
}

fn made(desk: &Desk, verb: &str, arguments: Value) -> Made {
    let answer = desk.ask(verb, arguments).unwrap();
    let id = answer.answer["id"].as_str().unwrap().to_owned();
    Made { id, by: answer.operation.unwrap() }
}

fn ferns(desk: &Desk) -> Made {
    made(desk, "create_task", json!({ "title": "ferns", "categoryId": "home" }))
}

fn unmade(desk: &Desk, on: &Made) -> bool {
    desk.undo(on.by).is_ok()
}

fn rated(desk: &Desk, on: &Made) -> bool {
    desk.ask("create_or_update_rating", json!({ "targetId": on.id, "score": 3 })).is_ok()
}

/// Does two things that cannot both be done, each at the same moment as the other, often.
fn never_both(
    begin: impl Fn(&Desk) -> Made,
    one: impl Fn(&Desk, &Made) -> bool + Sync,
    other: impl Fn(&Desk, &Made) -> bool + Sync,
) {
    let desk = Desk::new();
    for round in 0..40 {
        let on = begin(&desk);
        let done = std::thread::scope(|scope| {
            let first = scope.spawn(|| one(&desk, &on));
            let second = scope.spawn(|| other(&desk, &on));
            (first.join().unwrap(), second.join().unwrap())
        });
        assert!(!(done.0 && done.1), "round {round}: something rests on what is gone");
    }
}

#[test]
fn nothing_comes_to_rest_on_a_task_that_goes_at_that_moment() {
    let item = |desk: &Desk, on: &Made| {
        let arguments = json!({ "taskId": on.id, "items": ["late"] });
        desk.ask("add_multiple_checklist_items", arguments).is_ok()
    };
    never_both(ferns, unmade, item);
    never_both(ferns, unmade, rated);
    // Who removes a task takes its rating along.
    let desk = Desk::new();
    for _ in 0..40 {
        let on = ferns(&desk);
        std::thread::scope(|scope| {
            scope.spawn(|| desk.ask("remove_task", json!({ "taskId": on.id })).is_ok());
            scope.spawn(|| rated(&desk, &on));
        });
        let rating = RatingId::from_digest(&rules::hash::fields(["rating", &on.id]));
        let rating = wait(desk.store.record(Domain::Journal, rating.into())).unwrap();
        assert!(rating.is_none_or(|rating| rating.deleted_at.is_some()));
    }
}

#[test]
fn nothing_comes_to_lie_in_a_category_that_goes_at_that_moment() {
    let number = AtomicUsize::new(0);
    let named = |name: &str| format!("{name} {}", number.fetch_add(1, Ordering::Relaxed));
    let category = |desk: &Desk| made(desk, "add_category", json!({ "name": named("garden") }));
    let remove = |desk: &Desk, on: &Made| {
        desk.ask("remove_category", json!({ "categoryId": on.id })).is_ok()
    };
    let closed = |desk: &Desk, on: &Made| {
        let arguments = json!({ "title": "ferns", "categoryId": on.id, "status": "done" });
        desk.ask("create_task", arguments).is_ok()
    };
    let label = |desk: &Desk, on: &Made| {
        let arguments = json!({ "name": named("soon"), "categoryId": on.id });
        desk.ask("add_label", arguments).is_ok()
    };
    never_both(category, remove, closed);
    never_both(category, remove, label);
    never_both(category, unmade, closed);
}

#[test]
fn nothing_comes_to_bear_a_label_that_goes_at_that_moment() {
    let number = AtomicUsize::new(0);
    let label = |desk: &Desk| {
        let name = format!("soon {}", number.fetch_add(1, Ordering::Relaxed));
        made(desk, "add_label", json!({ "name": name }))
    };
    let assign = |desk: &Desk, on: &Made| {
        let task = desk.task("ferns", "home");
        desk.ask("assign_task_labels", json!({ "taskId": task, "labelIds": [on.id] })).is_ok()
    };
    let remove = |desk: &Desk, on: &Made| {
        let removed = desk.ask("remove_label", json!({ "labelId": on.id }));
        let code = removed.as_ref().err().map(|problem| problem.code);
        assert!(matches!(code, None | Some(Code::NotEmpty)), "{removed:?}");
        removed.is_ok()
    };
    never_both(label, unmade, assign);
    never_both(label, remove, assign);
}

#[test]
fn one_request_that_is_made_four_times_at_once_is_done_once_and_all_hear_the_same() {
    let desk = Desk::new();
    for round in 0..20 {
        let on = ferns(&desk);
        let (verb, request) = ("remove_task", Some(format!("remove {round}")));
        let ask = || Ask {
            verb: verb.to_owned(),
            arguments: json!({ "taskId": on.id }),
            request: request.clone(),
            preview: false,
        };
        let answers: Vec<_> = std::thread::scope(|scope| {
            let asked: Vec<_> =
                (0..4).map(|_| scope.spawn(|| wait(desk.journal.perform(ask())))).collect();
            asked.into_iter().map(|asked| asked.join().unwrap().unwrap().operation).collect()
        });
        assert!(answers.windows(2).all(|two| two[0] == two[1]), "{answers:?}");
    }
}

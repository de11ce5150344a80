//! Plans of days.

use serde_json::{Value, json};
use types::{Body, Code, DayPlan};

use crate::desk::Desk;

const DAY: &str = "2027-01-01";

impl Desk {
    fn plan_now(&self, day: &str) -> DayPlan {
        match self.body(&format!("plan_{day}")) {
            Some(Body::DayPlan(plan)) => plan,
            other => panic!("{day} has no plan: {other:?}"),
        }
    }

    /// Adds a block to the first day and answers with its id.
    fn block(&self, from: &str, to: &str, category: &str) -> String {
        let block = json!({ "startTime": from, "endTime": to, "categoryId": category });
        let arguments = json!({ "planDate": DAY, "upserts": [block] });
        let answer = self.done("upsert_day_plan_blocks", arguments);
        answer["upserted"][0].as_str().unwrap().to_owned()
    }

    fn pin(&self, tasks: &[&String]) -> Value {
        self.done("pin_day_plan_tasks", json!({ "planDate": DAY, "taskIds": tasks }))
    }
}

fn ids(list: &Value, name: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|one| one[name].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_day_has_one_plan_which_the_first_look_makes() {
    let desk = Desk::at_noon();
    let first = desk.ask("get_or_create_day_plan", json!({ "planDate": "today" })).unwrap();
    assert_eq!((&first.answer["id"], first.operation.is_some()), (&json!("plan_2027-01-01"), true));
    let again = desk.ask("get_or_create_day_plan", json!({ "planDate": DAY })).unwrap();
    assert_eq!((&again.answer["changed"], again.operation), (&json!([]), None));
    // The way back, and forth again: the place of a plan that was there once can be taken again.
    desk.undo(first.operation.unwrap()).unwrap();
    assert!(desk.body("plan_2027-01-01").is_none());
    desk.done("get_or_create_day_plan", json!({ "planDate": DAY }));
    assert_eq!(desk.plan_now(DAY), DayPlan::empty(DAY.parse().unwrap()));
}

#[test]
fn blocks_are_added_changed_and_removed_in_one_go_and_lie_in_the_order_of_the_day() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let (late, early) = (desk.block("14:00", "15:00", "home"), desk.block("9:00", "11:00", "work"));
    let answer = desk.done(
        "upsert_day_plan_blocks",
        json!({
            "planDate": DAY,
            "upserts": [
                { "id": late, "startTime": "16:00", "note": " prune ", "taskId": task },
                { "id": "block_mine", "startTime": "12:00", "endTime": "24:00", "categoryId": "home" },
            ],
            "deletes": [&early[early.len() - 6..]],
        }),
    );
    assert_eq!(ids(&answer["blocks"], "id"), ["block_mine", late.as_str()]);
    let plan = desk.plan_now(DAY);
    let moved = plan.blocks.iter().find(|block| block.id.as_str() == late).unwrap();
    // What was not said stayed: the category, and how long it is.
    assert_eq!((moved.category_id.as_str(), moved.note.as_str()), ("category_home", "prune"));
    assert_eq!(moved.ends_at.to_string(), "2027-01-01T17:00:00.000Z");
    assert_eq!(plan.blocks[0].ends_at.to_string(), "2027-01-02T00:00:00.000Z");
    assert_eq!(answer["overlaps"], json!([["block_mine", late]]));
    let off = json!({ "planDate": DAY, "upserts": [{ "id": late, "taskId": null }] });
    desk.done("upsert_day_plan_blocks", off);
    assert!(desk.plan_now(DAY).blocks.iter().all(|block| block.task_id.is_none()));
}

#[test]
fn a_block_may_take_its_category_from_its_task_but_not_have_another() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let mut block = json!({ "startTime": "9:00", "endTime": "10:00", "taskId": task });
    desk.done("upsert_day_plan_blocks", json!({ "planDate": DAY, "upserts": [block] }));
    assert_eq!(desk.plan_now(DAY).blocks[0].category_id.as_str(), "category_home");
    block["categoryId"] = "work".into();
    let other = json!({ "planDate": DAY, "upserts": [block] });
    assert_eq!(desk.refused("upsert_day_plan_blocks", other), Code::OtherCategory);
}

#[test]
fn a_block_lies_on_its_day_by_the_clock_of_the_home() {
    let desk = Desk::at_noon();
    desk.world.move_to("Europe/Berlin");
    let refused = |from: &str, to: &str| {
        let block = json!({ "startTime": from, "endTime": to, "categoryId": "home" });
        desk.refused("upsert_day_plan_blocks", json!({ "planDate": DAY, "upserts": [block] }))
    };
    assert_eq!(refused("2026-12-31T23:30:00+01:00", "2027-01-01T01:00:00+01:00"), Code::BadTime);
    assert_eq!(refused("2027-01-01T23:00:00Z", "2027-01-01T23:30:00Z"), Code::BadTime);
    assert_eq!(refused("22:00", "tomorrow 1:00"), Code::BadTime);
    assert_eq!(refused("11:00", "10:00"), Code::EndBeforeStart);
    assert_eq!(refused("11:00", "later"), Code::BadTime);
    let id = desk.block("0:00", "24:00", "home");
    let block = desk.plan_now(DAY).blocks.remove(0);
    assert_eq!(
        (block.id.as_str(), block.starts_at.to_string().as_str()),
        (id.as_str(), "2026-12-31T23:00:00.000Z")
    );
    let answer = desk.done("get_or_create_day_plan", json!({ "planDate": DAY }));
    assert_eq!(answer["blocks"][0]["startTime"], "2027-01-01T00:00:00+01:00");
}

#[test]
fn a_block_over_midnight_is_refused_with_what_works_and_one_without_length_as_empty() {
    let desk = Desk::at_noon();
    let refused = |from: &str, to: &str| {
        let block = json!({ "startTime": from, "endTime": to, "categoryId": "home" });
        let arguments = json!({ "planDate": DAY, "upserts": [block] });
        desk.ask("upsert_day_plan_blocks", arguments).unwrap_err()
    };
    for (from, to) in [("22:00", "1:00"), ("22:00", "tomorrow 1:00")] {
        let hint = refused(from, to).hint;
        assert!(hint.contains("`24:00`") && hint.contains("`--day`"), "{hint}");
    }
    desk.block("22:00", "24:00", "home");
    let empty = refused("9:00", "9:00");
    assert!(empty.message.ends_with("no time at all"), "{}", empty.message);
    assert_eq!((empty.code, empty.hint.as_str()), (Code::EndBeforeStart, "end it later"));
}

#[test]
fn what_a_block_lacks_and_blocks_that_are_not_there_are_refused() {
    let desk = Desk::at_noon();
    desk.block("9:00", "10:00", "home");
    let refused = |arguments: Value| {
        let mut arguments = arguments;
        arguments["planDate"] = DAY.into();
        desk.refused("upsert_day_plan_blocks", arguments)
    };
    let times = json!({ "startTime": "9:00", "endTime": "10:00" });
    assert_eq!(refused(json!({ "upserts": [times] })), Code::WrongUsage);
    assert_eq!(
        refused(json!({ "upserts": [{ "startTime": "9:00", "categoryId": "home" }] })),
        Code::WrongUsage
    );
    assert_eq!(refused(json!({ "deletes": ["block_nope"] })), Code::UnknownRecord);
    assert_eq!(refused(json!({ "deletes": ["zzzzzz"] })), Code::UnknownRecord);
    assert_eq!(refused(json!({ "upserts": [{ "id": "zzzzzz" }] })), Code::UnknownRecord);
    let nothing = desk.ask("upsert_day_plan_blocks", json!({ "planDate": "2027-01-05" })).unwrap();
    assert!(nothing.operation.is_none() && desk.body("plan_2027-01-05").is_none());
}

#[test]
fn an_agent_sees_and_changes_blocks_of_its_categories_alone() {
    let desk = Desk::at_noon();
    let (ferns, report) = (desk.task("ferns", "home"), desk.task("report", "work"));
    let (home, work) = (desk.block("9:00", "11:00", "home"), desk.block("10:00", "12:00", "work"));
    desk.pin(&[&ferns, &report]);
    desk.done("close_day", json!({ "planDate": DAY, "note": "a long day" }));
    desk.done("reopen_day", json!({ "planDate": DAY }));
    let get = json!({ "planDate": DAY });
    let (targets, planned) = desk.plan("get_or_create_day_plan", &["category_home"], &get);
    let answer = planned.unwrap().answer;
    assert_eq!(ids(&answer["blocks"], "id"), [home.as_str()]);
    assert_eq!(ids(&answer["pinned"], "taskId"), [ferns.as_str()]);
    // Nothing of the other category: no overlap with it, no word about the whole day.
    assert_eq!((&answer["overlaps"], &answer["note"]), (&json!([]), &Value::Null));
    let text = answer.to_string();
    assert!(!text.contains(&work) && !text.contains(&report) && !text.contains("report"), "{text}");
    assert!(
        targets.iter().all(|t| t.category.as_ref().is_none_or(|c| c.as_str() != "category_work"))
    );
    // What it tries with the other's block fails, and the gate sees where that lies.
    for arguments in [
        json!({ "planDate": DAY, "deletes": [work] }),
        json!({ "planDate": DAY, "upserts": [{ "id": work, "note": "mine" }] }),
    ] {
        let tool = "upsert_day_plan_blocks";
        let (targets, planned) = desk.plan(tool, &["category_home"], &arguments);
        assert_eq!(planned.unwrap_err().kind, Code::OutOfScope);
        let touched = targets.iter().find(|target| target.record.as_str() == work).unwrap();
        assert_eq!(touched.category.as_ref().unwrap().as_str(), "category_work");
    }
    // An agent writes ids out.
    let short = json!({ "planDate": DAY, "deletes": [&home[home.len() - 6..]] });
    let (_, planned) = desk.plan("upsert_day_plan_blocks", &["category_home"], &short);
    assert_eq!(planned.unwrap_err().kind, Code::OutOfScope);
}

#[test]
fn the_gate_sees_where_an_agents_block_was_and_where_it_goes() {
    let desk = Desk::at_noon();
    let home = desk.block("9:00", "11:00", "home");
    let block = json!({ "id": home, "categoryId": "category_work" });
    let arguments = json!({ "planDate": DAY, "upserts": [block] });
    let scope = ["category_home", "category_work"];
    let (targets, planned) = desk.plan("upsert_day_plan_blocks", &scope, &arguments);
    let planned = planned.unwrap();
    assert_eq!(planned.destinations, ["category_work".parse().unwrap()].into());
    let touched = |record: &str| {
        let found = targets.iter().find(|target| target.record.as_str() == record).unwrap();
        found.category.as_ref().map(ToString::to_string)
    };
    assert_eq!(touched(&home).as_deref(), Some("category_home"));
    assert_eq!(touched("plan_2027-01-01"), None);
}

#[test]
fn tasks_are_pinned_once_in_their_order_and_taken_off_even_when_they_are_gone() {
    let desk = Desk::at_noon();
    let (ferns, report) = (desk.task("ferns", "home"), desk.task("report", "work"));
    desk.pin(&[&report]);
    let answer = desk.pin(&[&ferns, &report]);
    assert_eq!(ids(&answer["pinned"], "taskId"), [report.clone(), ferns.clone()]);
    desk.done("remove_task", json!({ "taskId": report }));
    let off = |task: &str| json!({ "planDate": DAY, "unpinTaskIds": [task] });
    let answer = desk.done("pin_day_plan_tasks", off(&report[report.len() - 6..]));
    assert_eq!(ids(&answer["pinned"], "taskId"), [ferns.as_str()]);
    assert_eq!(desk.refused("pin_day_plan_tasks", off("task_nope")), Code::UnknownTask);
    let unknown = json!({ "planDate": DAY, "taskIds": ["task_nope"] });
    assert_eq!(desk.refused("pin_day_plan_tasks", unknown), Code::UnknownTask);
    let (targets, _) = desk.plan(
        "pin_day_plan_tasks",
        &["category_work"],
        &json!({ "planDate": DAY, "taskIds": [], "unpinTaskIds": [ferns] }),
    );
    let touched = targets.iter().find(|target| target.record.as_str() == ferns).unwrap();
    assert_eq!(touched.category.as_ref().unwrap().as_str(), "category_home");
}

#[test]
fn the_rest_of_a_day_is_planned_anew_and_a_preview_changes_nothing() {
    let desk = Desk::at_noon();
    let morning = desk.block("9:00", "10:00", "home");
    let (one, two) = (desk.block("13:00", "14:00", "home"), desk.block("15:00", "16:00", "work"));
    let arguments = json!({
        "planDate": DAY, "fromTime": "12:00",
        "blocks": [{ "startTime": "14:00", "endTime": "15:00", "categoryId": "home", "note": "new" }]
    });
    let preview = desk.preview("replan_day_blocks", arguments.clone());
    assert_eq!(preview["removed"], json!([one, two]));
    assert_eq!(desk.plan_now(DAY).blocks.len(), 3);
    let done = desk.ask("replan_day_blocks", arguments).unwrap();
    assert_eq!(done.answer["blocks"].as_array().unwrap().len(), 2);
    let blocks = desk.plan_now(DAY).blocks;
    assert_eq!((blocks[0].id.as_str(), blocks[1].note.as_str()), (morning.as_str(), "new"));
    desk.undo(done.operation.unwrap()).unwrap();
    let ids: Vec<String> =
        desk.plan_now(DAY).blocks.iter().map(|block| block.id.to_string()).collect();
    assert_eq!(ids, [morning, one, two]);
    let early = json!({
        "planDate": DAY, "fromTime": "12:00",
        "blocks": [{ "startTime": "11:00", "endTime": "15:00", "categoryId": "home" }]
    });
    assert_eq!(desk.refused("replan_day_blocks", early), Code::BadTime);
}

#[test]
fn an_agent_plans_only_its_own_part_of_the_day_anew() {
    let desk = Desk::at_noon();
    let (home, work) = (desk.block("13:00", "14:00", "home"), desk.block("15:00", "16:00", "work"));
    let arguments = json!({ "planDate": DAY, "fromTime": "2027-01-01T12:00:00Z", "blocks": [] });
    let (targets, planned) = desk.plan("replan_day_blocks", &["category_home"], &arguments);
    let planned = planned.unwrap();
    assert_eq!(planned.answer["removed"], json!([home]));
    assert!(targets.iter().all(|target| target.record.as_str() != work));
    let types::Write::Record(draft) = &planned.writes[0] else { panic!("a plan is a record") };
    let Body::DayPlan(plan) = &draft.body else { panic!("a plan is a plan") };
    let left: Vec<&str> = plan.blocks.iter().map(|block| block.id.as_str()).collect();
    assert_eq!(left, [work.as_str()]);
}

#[test]
fn a_closed_day_stays_as_it_is_until_it_is_opened_again() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let block = desk.block("9:00", "10:00", "home");
    let closed = desk.operation("close_day", json!({ "planDate": DAY, "note": "good" }));
    let plan = desk.plan_now(DAY);
    assert_eq!((plan.note.as_str(), plan.closed_at.is_some()), ("good", true));
    for (verb, arguments) in [
        ("upsert_day_plan_blocks", json!({ "planDate": DAY, "deletes": [block] })),
        ("pin_day_plan_tasks", json!({ "planDate": DAY, "taskIds": [task] })),
        ("replan_day_blocks", json!({ "planDate": DAY, "blocks": [] })),
        ("close_day", json!({ "planDate": DAY, "note": "better" })),
    ] {
        assert_eq!(desk.refused(verb, arguments), Code::DayClosed, "{verb}");
    }
    assert_eq!(desk.ask("close_day", json!({ "planDate": DAY })).unwrap().operation, None);
    assert_eq!(desk.done("get_or_create_day_plan", json!({ "planDate": DAY }))["closed"], true);
    desk.done("reopen_day", json!({ "planDate": DAY }));
    assert_eq!(desk.ask("reopen_day", json!({ "planDate": DAY })).unwrap().operation, None);
    let undone = desk.undo(closed).unwrap_err();
    assert_eq!(undone.code, Code::CannotUndo, "it was opened since");
    desk.done("upsert_day_plan_blocks", json!({ "planDate": DAY, "deletes": [block] }));
    assert!(desk.plan_now(DAY).blocks.is_empty());
}

#[test]
fn what_is_open_is_carried_to_the_next_day_in_the_same_operation() {
    let desk = Desk::at_noon();
    let [ferns, moss, report] =
        [("ferns", "home"), ("moss", "home"), ("report", "work")].map(|(t, c)| desk.task(t, c));
    desk.pin(&[&ferns, &moss, &report]);
    desk.done("update_task_fields", json!({ "taskId": moss, "status": "done" }));
    let next = json!({ "planDate": "2027-01-02", "taskIds": [report] });
    desk.done("pin_day_plan_tasks", next);
    let close = json!({ "planDate": DAY, "carryPinsTo": "next" });
    let done = desk.ask("close_day", close.clone()).unwrap();
    assert_eq!(done.answer["carried"], json!([ferns, report]));
    let pinned = |day: &str| -> Vec<String> {
        desk.plan_now(day).pinned.iter().map(ToString::to_string).collect()
    };
    assert_eq!(pinned("2027-01-02"), [report.clone(), ferns.clone()]);
    assert_eq!(pinned(DAY).len(), 3, "the closed day tells what was meant");
    desk.undo(done.operation.unwrap()).unwrap();
    assert_eq!(pinned("2027-01-02"), [report.as_str()]);
    assert!(desk.plan_now(DAY).closed_at.is_none());
    let back = json!({ "planDate": DAY, "carryPinsTo": DAY });
    assert_eq!(desk.refused("close_day", back), Code::BadTime);
    desk.done("close_day", json!({ "planDate": "2027-01-02" }));
    assert_eq!(desk.refused("close_day", close), Code::DayClosed);
}

#[test]
fn a_plan_that_a_look_made_goes_again_even_if_its_day_was_rated() {
    let desk = Desk::new();
    let made = desk.operation("get_or_create_day_plan", json!({ "planDate": "today" }));
    desk.done("create_or_update_rating", json!({ "targetId": "today", "score": 4 }));
    desk.undo(made).unwrap();
    assert!(store::wait(desk.journal.rating_get("today")).unwrap().is_some());
}

#[test]
fn who_travels_can_still_change_what_a_block_says() {
    let desk = Desk::new();
    desk.world.move_to("Europe/Berlin");
    let block = desk.block("22:00", "23:00", "work");
    desk.world.move_to("Asia/Tokyo");
    let change = |field: &str, value: &str| json!({ "planDate": "2027-01-01", "upserts": [{ "id": block, field: value }] });
    desk.done("upsert_day_plan_blocks", change("note", "letters"));
    assert_eq!(desk.plan_now("2027-01-01").blocks[0].note, "letters");
    let later = change("endTime", "2027-01-02T08:00:00+09:00");
    assert_eq!(desk.refused("upsert_day_plan_blocks", later), Code::BadTime);
}

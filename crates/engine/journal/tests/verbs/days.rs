//! The view of a day.

use journal::DayView;
use serde_json::json;
use store::wait;

use crate::desk::Desk;

fn day(desk: &Desk, text: &str) -> DayView {
    wait(desk.journal.day_get(text)).unwrap()
}

#[test]
fn a_day_shows_what_is_planned_due_running_done_said_and_how_it_was() {
    let desk = Desk::at_noon();
    let task = |title: &str, due: &str| {
        let arguments = json!({ "title": title, "categoryId": "home", "dueDate": due });
        desk.done("create_task", arguments)["id"].as_str().unwrap().to_owned()
    };
    let (rent, ferns, moss) =
        (task("rent", "2026-12-28"), task("ferns", "today 17:00"), task("moss", "tomorrow"));
    desk.done("update_task_fields", json!({ "taskId": moss, "status": "done" }));
    desk.said("entry_1", "category_home");
    let block = |from: &str, to: &str| json!({ "startTime": from, "endTime": to, "taskId": ferns });
    let blocks = [block("9:00", "10:00"), block("11:30", "12:30"), block("12:30", "24:00")];
    desk.done("upsert_day_plan_blocks", json!({ "planDate": "today", "upserts": blocks }));
    desk.done("pin_day_plan_tasks", json!({ "planDate": "today", "taskIds": [rent, moss] }));
    desk.log(&ferns, "9:00", "9:30");
    desk.done("start_task_timer", json!({ "taskId": rent }));
    desk.done("create_or_update_rating", json!({ "targetId": "today", "score": 4 }));
    let today = day(&desk, "today");
    assert_eq!((today.name.as_str(), today.now.as_deref()), ("today", Some("12:00")));
    let blocks: Vec<(&str, &str, Option<i64>)> =
        today.blocks.iter().map(|b| (b.from.as_str(), b.to.as_str(), b.free_after)).collect();
    let planned =
        [("09:00", "10:00", Some(90)), ("11:30", "12:30", None), ("12:30", "24:00", None)];
    assert_eq!((blocks, today.current), (planned.to_vec(), Some(1)));
    assert_eq!(today.blocks[0].task.as_ref().unwrap().1, "ferns");
    let titles = |tasks: &[journal::TaskView]| -> Vec<String> {
        tasks.iter().map(|view| view.task.title.clone()).collect()
    };
    assert_eq!(titles(&today.due), ["ferns"]);
    assert_eq!(titles(&today.overdue), ["rent"]);
    assert_eq!(titles(&today.closed), ["moss"]);
    let pins: Vec<_> = today.pinned.iter().map(|pin| pin.status.unwrap().as_str()).collect();
    assert_eq!(pins, ["open", "done"]);
    assert_eq!((today.time.minutes, today.running.unwrap().title), (30, "rent".to_owned()));
    assert_eq!(today.notes[0].line, "I pruned the ferns all morning");
    assert_eq!(today.rating.unwrap().score, 4);
}

#[test]
fn another_day_shows_its_own_and_a_day_on_which_nothing_is_shows_nothing() {
    let desk = Desk::at_noon();
    let due = json!({ "title": "moss", "categoryId": "home", "dueDate": "tomorrow" });
    desk.done("create_task", due);
    let tomorrow = day(&desk, "tomorrow");
    assert_eq!((tomorrow.due.len(), tomorrow.overdue.len(), tomorrow.now), (1, 0, None));
    let friday = day(&desk, "2027-01-08");
    assert_eq!(friday.name, "Fri 8 Jan");
    assert!(friday.blocks.is_empty() && friday.due.is_empty() && friday.time.entries.is_empty());
    assert!(desk.body("plan_2027-01-08").is_none(), "looking plans nothing");
}

#[test]
fn what_was_closed_counts_on_the_day_that_it_was_here() {
    let desk = Desk::at_noon();
    desk.world.set("2027-01-01T23:30:00Z".parse().unwrap());
    let task = desk.task("ferns", "home");
    desk.done("update_task_fields", json!({ "taskId": task, "status": "done" }));
    assert_eq!(day(&desk, "2027-01-01").closed.len(), 1);
    desk.world.move_to("Europe/Berlin");
    assert_eq!(day(&desk, "2027-01-01").closed.len(), 0);
    assert_eq!(day(&desk, "2027-01-02").closed.len(), 1);
}

#[test]
fn blocks_that_start_together_have_no_gap_between_them() {
    let desk = Desk::at_noon();
    let block =
        |from: &str, to: &str| json!({ "startTime": from, "endTime": to, "categoryId": "home" });
    let blocks = [block("9:00", "10:00"), block("12:00", "13:00"), block("12:00", "14:00")];
    desk.done("upsert_day_plan_blocks", json!({ "planDate": "today", "upserts": blocks }));
    let free: Vec<Option<i64>> =
        day(&desk, "today").blocks.iter().map(|block| block.free_after).collect();
    assert_eq!(free, [Some(120), None, None]);
}

//! Ratings.

use serde_json::{Value, json};
use store::wait;
use types::{Body, Code, Rating, WakeReason};

use crate::desk::Desk;

impl Desk {
    fn rate(&self, target: &str, score: u8) -> Value {
        self.done("create_or_update_rating", json!({ "targetId": target, "score": score }))
    }

    fn rating_now(&self, answer: &Value) -> Rating {
        match self.body(answer["id"].as_str().unwrap()) {
            Some(Body::Rating(rating)) => rating,
            other => panic!("no rating: {other:?}"),
        }
    }
}

#[test]
fn there_is_one_rating_per_target_and_what_is_not_said_again_stays() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let first = desk.done(
        "create_or_update_rating",
        json!({ "targetId": task, "score": 4, "dimensions": { "focus": 3 }, "note": " calm " }),
    );
    desk.world.advance_ms(86_400_000);
    let again = desk.done(
        "create_or_update_rating",
        json!({ "targetId": &task[task.len() - 6..], "score": 5, "dimensions": { "energy": 2 } }),
    );
    assert_eq!(first["id"], again["id"]);
    let rating = desk.rating_now(&again);
    assert_eq!((rating.score, rating.note.as_str()), (5, "calm"));
    assert_eq!(rating.dimensions, [("energy".to_owned(), 2), ("focus".to_owned(), 3)].into());
    // A task belongs to no day: the rating keeps the day on which it was first given.
    assert_eq!(rating.day.to_string(), "2027-01-01");
    let same =
        desk.ask("create_or_update_rating", json!({ "targetId": task, "score": 5 })).unwrap();
    assert_eq!(same.operation, None);
}

#[test]
fn days_entries_and_time_are_rated_on_their_own_days() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    desk.said("entry_1", "category_work");
    let time = desk.log(&task, "yesterday 9:00", "10:00")["id"].as_str().unwrap().to_owned();
    for (target, about, day, category) in [
        ("yesterday", "plan_2026-12-31", "2026-12-31", None),
        ("plan_2027-01-01", "plan_2027-01-01", "2027-01-01", None),
        (time.as_str(), time.as_str(), "2026-12-31", Some("category_home")),
        ("entry_1", "entry_1", "2027-01-01", Some("category_work")),
    ] {
        let rating = desk.rating_now(&desk.rate(target, 3));
        let own = rating.category_id.as_ref().map(ToString::to_string);
        assert_eq!((rating.target_id.as_str(), own.as_deref()), (about, category));
        assert_eq!(rating.day.to_string(), day);
    }
    assert!(desk.body("plan_2027-01-01").is_none(), "rating a day plans nothing");
}

#[test]
fn what_cannot_be_rated_or_scored_is_refused() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let rate = |target: &str, score: u8| {
        let arguments = json!({ "targetId": target, "score": score });
        desk.refused("create_or_update_rating", arguments)
    };
    assert_eq!(rate(&task, 0), Code::InvalidRecord);
    assert_eq!(rate(&task, 6), Code::InvalidRecord);
    assert_eq!(rate("category_home", 3), Code::UnknownRecord);
    assert_eq!(rate("task_nope", 3), Code::UnknownTask);
    assert_eq!(rate("plan_someday", 3), Code::InvalidRecord);
    assert_eq!(rate("zzzzzz", 3), Code::UnknownRecord);
    assert_eq!(desk.refused("remove_rating", json!({ "targetId": task })), Code::UnknownRecord);
}

#[test]
fn a_rating_is_given_only_when_somebody_spoke() {
    let desk = Desk::new();
    let tools = desk.journal.tools();
    let find = |name: &str| *tools.iter().find(|t| t.contract().name == name).unwrap().contract();
    let spoken = [WakeReason::UserInitiated, WakeReason::Manual];
    assert_eq!(find("create_or_update_rating").wake_reasons, spoken);
    assert_eq!(find("get_rating_for_target").wake_reasons, WakeReason::ALL);
    for kept in ["remove_rating", "close_day", "reopen_day", "edit_time_entry", "remove_time_entry"]
    {
        assert!(tools.iter().all(|tool| tool.contract().name != kept), "{kept}");
    }
}

#[test]
fn a_removed_rating_can_be_given_again_and_undone() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    desk.rate(&task, 2);
    let removed = desk.operation("remove_rating", json!({ "targetId": task }));
    let found = desk.done("get_rating_for_target", json!({ "targetId": task }));
    assert_eq!(found["rating"], Value::Null);
    desk.undo(removed).unwrap();
    desk.done("remove_rating", json!({ "targetId": task }));
    let again = desk.operation("create_or_update_rating", json!({ "targetId": task, "score": 4 }));
    let found = desk.done("get_rating_for_target", json!({ "targetId": task }));
    assert_eq!(found["rating"]["score"], 4);
    desk.undo(again).unwrap();
    assert_eq!(wait(desk.journal.rating_get(&task)).unwrap(), None);
}

#[test]
fn a_summary_counts_what_lies_within_reach_by_where_it_lies_now() {
    let desk = Desk::at_noon();
    let [ferns, moss, report] =
        [("ferns", "home"), ("moss", "home"), ("report", "work")].map(|(t, c)| desk.task(t, c));
    let time = desk.log(&report, "yesterday 9:00", "10:00")["id"].as_str().unwrap().to_owned();
    desk.rate(&ferns, 5);
    desk.rate(&moss, 4);
    let focus = json!({ "targetId": time, "score": 2, "dimensions": { "focus": 1 } });
    desk.done("create_or_update_rating", focus);
    desk.rate("today", 1);
    let range = json!({ "from": "2026-12-31", "to": "2027-01-01" });
    let all = desk.done("get_ratings_summary", range.clone());
    assert_eq!((&all["count"], &all["mean"]), (&json!(4), &json!(3.0)));
    assert_eq!(all["dimensions"], json!({ "focus": { "count": 1, "mean": 1.0 } }));
    assert_eq!(all["days"][0], json!({ "day": "2026-12-31", "count": 1, "mean": 2.0 }));
    let agent = |scope: &str| {
        let (_, planned) = desk.plan("get_ratings_summary", &[scope], &range);
        let planned = planned.unwrap();
        assert!(planned.writes.is_empty());
        (planned.answer["count"].clone(), planned.answer["mean"].clone())
    };
    // The day's own rating is nobody's but the operator's.
    assert_eq!(agent("category_home"), (json!(2), json!(4.5)));
    assert_eq!(agent("category_work"), (json!(1), json!(2.0)));
    desk.done("update_task_fields", json!({ "taskId": moss, "categoryId": "work" }));
    assert_eq!(agent("category_home"), (json!(1), json!(5.0)));
    let home = json!({ "from": "today", "to": "today", "categoryId": "home" });
    assert_eq!(desk.done("get_ratings_summary", home)["count"], 1);
    let view = wait(desk.journal.ratings("2026-12-31", "today", None)).unwrap();
    assert_eq!((view.all.count, view.all.mean, view.days.len()), (4, Some(3.0), 2));
    let turned = json!({ "from": "today", "to": "yesterday" });
    assert_eq!(desk.refused("get_ratings_summary", turned), Code::EndBeforeStart);
}

#[test]
fn an_agent_is_judged_by_what_it_rates_and_rates_no_days() {
    let desk = Desk::at_noon();
    let task = desk.task("report", "work");
    desk.rate(&task, 3);
    let arguments = json!({ "targetId": task });
    let (targets, planned) = desk.plan("get_rating_for_target", &["category_home"], &arguments);
    assert!(planned.is_ok(), "the gate refuses it, by these");
    assert_eq!(targets.len(), 2);
    assert!(targets.iter().all(|t| t.category.as_ref().unwrap().as_str() == "category_work"));
    desk.rate("today", 3);
    for tool in ["get_rating_for_target", "create_or_update_rating"] {
        let day = json!({ "targetId": "plan_2027-01-01", "score": 5 });
        let day =
            if tool.starts_with("get") { json!({ "targetId": day["targetId"] }) } else { day };
        let (_, planned) = desk.plan(tool, &["category_home"], &day);
        assert_eq!(planned.unwrap_err().kind, Code::OtherCategory, "{tool}");
    }
}

#[test]
fn a_rating_goes_with_what_is_rated_and_comes_back_with_it() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let note = desk.note(json!({ "text": "thirsty", "taskId": task }));
    let counted = || wait(desk.journal.ratings("today", "today", None)).unwrap().all.count;
    for (rated, verb, name) in
        [(&task, "remove_task", "taskId"), (&note, "remove_entry", "entryId")]
    {
        desk.rate(rated, 4);
        let removed = desk.operation(verb, json!({ name: rated }));
        assert_eq!(counted(), 0, "nobody could take the rating of what is gone back");
        desk.undo(removed).unwrap();
        assert_eq!(counted(), 1);
        desk.done("remove_rating", json!({ "targetId": rated }));
    }
}

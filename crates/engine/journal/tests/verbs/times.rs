//! Time entries and the timer.

use serde_json::{Value, json};
use store::wait;
use types::{
    Author, Body, Code, Commit, Domain, Entry, EntryKind, RecordDraft, RecordId, Relation, RunKey,
    TimeEntry, Write,
};

use crate::desk::Desk;

const MORNING: &str = "2027-01-01T12:00:00Z";

impl Desk {
    /// A desk at noon of its first day.
    pub(crate) fn at_noon() -> Desk {
        let desk = Desk::new();
        desk.world.set(MORNING.parse().unwrap());
        desk
    }

    pub(crate) fn log(&self, task: &str, from: &str, to: &str) -> Value {
        let arguments = json!({ "taskId": task, "startedAt": from, "endedAt": to });
        self.done("create_retrospective_time_entry", arguments)
    }

    pub(crate) fn time_now(&self, id: &Value) -> TimeEntry {
        match self.body(id.as_str().unwrap()) {
            Some(Body::TimeEntry(time)) => time,
            other => panic!("{id} is no time: {other:?}"),
        }
    }

    /// An entry of a category, as if somebody had said it.
    pub(crate) fn said(&self, id: &str, category: &str) {
        let entry = Entry {
            kind: EntryKind::Text,
            text: "I pruned the ferns all morning\nand then some".to_owned(),
            media: None,
            category_id: category.parse().unwrap(),
            task_id: None,
            at: MORNING.parse().unwrap(),
            day: "2027-01-01".parse().unwrap(),
        };
        let draft = RecordDraft::live(id.parse::<RecordId>().unwrap(), entry);
        let (writes, at) = (vec![Write::Record(draft)], MORNING.parse().unwrap());
        wait(self.store.commit(Commit::new(Domain::Journal, Author::Operator, at, writes)))
            .unwrap();
    }

    fn told_in(&self, id: &Value) -> Vec<String> {
        let from = id.as_str().unwrap().parse().unwrap();
        let links = wait(self.store.links_from(Domain::Journal, from, Relation::ToldIn)).unwrap();
        links.into_iter().map(|link| link.to.to_string()).collect()
    }
}

#[test]
fn time_is_recorded_with_its_day_and_linked_to_where_it_was_told() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    desk.said("entry_1", "category_home");
    let logged = desk.done(
        "create_retrospective_time_entry",
        json!({
            "taskId": task, "startedAt": "2027-01-01T09:00:00+01:00", "description": " pruned ",
            "endedAt": "2027-01-01T10:30:00+01:00", "sourceEntryId": "entry_1"
        }),
    );
    assert_eq!((&logged["minutes"], &logged["overlaps"]), (&json!(90), &json!([])));
    let time = desk.time_now(&logged["id"]);
    assert_eq!(json!(time.task_id), json!(task));
    assert_eq!(
        (time.description.as_str(), time.day.to_string().as_str()),
        ("pruned", "2027-01-01")
    );
    assert_eq!(time.started_at.to_string(), "2027-01-01T08:00:00.000Z");
    assert_eq!(time.source_entry_id.unwrap().as_str(), "entry_1");
    assert_eq!(desk.told_in(&logged["id"]), ["entry_1"]);
}

#[test]
fn people_may_say_one_end_and_how_long_or_only_how_long() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let log = |change: Value| {
        let mut arguments = json!({ "taskId": task });
        arguments.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let logged = desk.done("create_retrospective_time_entry", arguments);
        let clock = |end: &str| logged[end].as_str().unwrap()[..16].to_owned();
        (clock("startedAt"), clock("endedAt"))
    };
    let at = |from: &str, to: &str| (format!("2027-01-01T{from}"), format!("2027-01-01T{to}"));
    assert_eq!(log(json!({ "startedAt": "9:00", "endedAt": "10:30" })), at("09:00", "10:30"));
    assert_eq!(log(json!({ "startedAt": "9:00", "duration": "45m" })), at("09:00", "09:45"));
    assert_eq!(log(json!({ "endedAt": "9:00", "duration": "1h" })), at("08:00", "09:00"));
    assert_eq!(log(json!({ "duration": "45m" })), at("11:15", "12:00"));
    assert_eq!(log(json!({ "startedAt": "11:00" })), at("11:00", "12:00"));
    // The end without a day is on the day of the start.
    let yesterday = log(json!({ "startedAt": "yesterday 9:00", "endedAt": "10:00" }));
    assert_eq!(yesterday.1, "2026-12-31T10:00");
    for unclear in [
        json!({ "taskId": task }),
        json!({ "taskId": task, "endedAt": "9:00" }),
        json!({ "taskId": task, "startedAt": "9:00", "endedAt": "9:30", "duration": "30m" }),
    ] {
        let code = desk.refused("create_retrospective_time_entry", unclear);
        assert_eq!(code, Code::WrongUsage);
    }
}

#[test]
fn time_that_ends_before_it_begins_or_has_not_come_is_refused() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let log = |from: &str, to: &str, source: &str| {
        let mut arguments = json!({ "taskId": task, "startedAt": from, "endedAt": to });
        if !source.is_empty() {
            arguments["sourceEntryId"] = source.into();
        }
        desk.refused("create_retrospective_time_entry", arguments)
    };
    assert_eq!(log("10:00", "9:00", ""), Code::EndBeforeStart);
    assert_eq!(log("10:00", "10:00", ""), Code::EndBeforeStart);
    assert_eq!(log("13:00", "14:00", ""), Code::BadTime);
    assert_eq!(log("soonish", "14:00", ""), Code::BadTime);
    assert_eq!(log("2026-12-01 9:00", "2026-12-30 9:00", ""), Code::InvalidRecord);
    assert_eq!(log("9:00", "10:00", "entry_nope"), Code::UnknownRecord);
    let nothing = json!({ "taskId": "task_nope", "startedAt": "9:00", "endedAt": "10:00" });
    assert_eq!(desk.refused("create_retrospective_time_entry", nothing), Code::UnknownTask);
}

#[test]
fn time_over_midnight_is_refused_with_what_works_and_time_without_length_as_empty() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let log = |ends: Value| {
        let mut arguments = json!({ "taskId": task });
        arguments.as_object_mut().unwrap().extend(ends.as_object().unwrap().clone());
        desk.ask("create_retrospective_time_entry", arguments)
    };
    for night in [
        json!({ "startedAt": "23:00", "endedAt": "1:00" }),
        json!({ "startedAt": "yesterday 23:00", "endedAt": "1:00" }),
        json!({ "startedAt": "23:00", "duration": "2h" }),
    ] {
        let hint = log(night).unwrap_err().hint;
        assert!(hint.contains("`yesterday 23:00`"), "{hint}");
    }
    let night = log(json!({ "startedAt": "yesterday 23:00", "endedAt": "today 1:00" })).unwrap();
    assert_eq!(night.answer["minutes"], 120);
    for (empty, code) in [
        (json!({ "startedAt": "9:00", "endedAt": "9:00" }), Code::EndBeforeStart),
        (json!({ "startedAt": "9:00", "duration": "0m" }), Code::BadTime),
        (json!({ "duration": "0" }), Code::BadTime),
    ] {
        let refused = log(empty).unwrap_err();
        assert!(refused.message.ends_with("no time at all"), "{}", refused.message);
        assert_eq!(refused.code, code);
    }
}

#[test]
fn what_overlaps_is_recorded_and_named_but_what_only_touches_is_not() {
    let desk = Desk::at_noon();
    let (ferns, moss) = (desk.task("ferns", "home"), desk.task("moss", "home"));
    let night = desk.log(&ferns, "yesterday 23:00", "2027-01-01 01:00");
    let first = desk.log(&ferns, "9:00", "10:00");
    assert_eq!(desk.log(&moss, "10:00", "11:00")["overlaps"], json!([]));
    let named = |answer: &Value| -> Vec<Value> {
        answer["overlaps"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect()
    };
    assert_eq!(named(&desk.log(&moss, "9:30", "9:45")), [first["id"].clone()]);
    assert_eq!(named(&desk.log(&moss, "0:30", "0:45")), [night["id"].clone()]);
    let timer = desk.done("start_task_timer", json!({ "taskId": ferns }));
    desk.world.advance_ms(3_600_000);
    assert_eq!(named(&desk.log(&moss, "12:30", "12:45")), [timer["id"].clone()]);
}

#[test]
fn an_agent_is_judged_by_the_task_and_by_where_the_time_was_told_and_learns_of_no_other_category() {
    let desk = Desk::at_noon();
    let (ferns, report) = (desk.task("ferns", "home"), desk.task("report", "work"));
    desk.said("entry_1", "category_work");
    desk.log(&report, "9:00", "10:00");
    let arguments = json!({
        "taskId": ferns, "startedAt": "2027-01-01T09:00:00Z", "endedAt": "2027-01-01T10:00:00Z",
        "description": "pruned", "sourceEntryId": "entry_1"
    });
    let tool = "create_retrospective_time_entry";
    let (targets, planned) = desk.plan(tool, &["category_home"], &arguments);
    let seen: Vec<(&str, &str)> = targets
        .iter()
        .map(|target| (target.record.as_str(), target.category.as_ref().unwrap().as_str()))
        .collect();
    assert_eq!(seen, [("entry_1", "category_work"), (ferns.as_str(), "category_home")]);
    let planned = planned.unwrap();
    assert_eq!(planned.destinations, ["category_home".parse().unwrap()].into());
    // It overlaps time of another category, which is not its to know.
    assert_eq!(planned.answer["overlaps"], json!([]));
}

#[test]
fn only_one_timer_runs() {
    let desk = Desk::at_noon();
    let (ferns, report) = (desk.task("ferns", "home"), desk.task("report", "work"));
    let timer = desk.done("start_task_timer", json!({ "taskId": ferns, "description": "prune" }));
    assert_eq!(timer["running"], true);
    let problem = desk.ask("start_task_timer", json!({ "taskId": report })).unwrap_err();
    assert_eq!(problem.code, Code::TimerRunning);
    assert!(problem.message.contains("ferns") && problem.message.contains("12:00"), "{problem:?}");
    // Somebody who may not know of it learns that one runs, and no more.
    let (_, plan) = desk.plan("start_task_timer", &["category_work"], &json!({ "taskId": report }));
    let failure = plan.unwrap_err();
    assert_eq!(
        (failure.kind, failure.message.as_str()),
        (Code::TimerRunning, "a timer runs already")
    );
    desk.world.advance_ms(25 * 60_000);
    let stop = json!({ "timeEntryId": timer["id"] });
    let stopped = desk.done("stop_task_timer", stop.clone());
    assert_eq!((&stopped["minutes"], &stopped["running"]), (&json!(25), &json!(false)));
    assert_eq!(desk.refused("stop_task_timer", stop), Code::NoSuchStep);
    desk.done("start_task_timer", json!({ "taskId": report }));
}

#[test]
fn a_timer_is_stopped_at_a_time_that_has_passed_and_may_say_what_was_done() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let id = desk.done("start_task_timer", json!({ "taskId": task }))["id"].clone();
    desk.world.advance_ms(3_600_000);
    let stop = |at: &str| json!({ "timeEntryId": id, "endedAt": at, "description": "pruned" });
    assert_eq!(desk.refused("stop_task_timer", stop("14:00")), Code::BadTime);
    assert_eq!(desk.refused("stop_task_timer", stop("11:00")), Code::EndBeforeStart);
    assert_eq!(desk.done("stop_task_timer", stop("12:40"))["minutes"], 39);
    assert_eq!(desk.time_now(&id).description, "pruned");
}

#[test]
fn a_timer_that_was_started_under_a_clock_that_was_ahead_can_be_stopped_and_counts_nothing() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    desk.world.advance_ms(7_200_000);
    let timer = desk.done("start_task_timer", json!({ "taskId": task }));
    desk.world.advance_ms(-7_200_000);
    let at = json!({ "timeEntryId": timer["id"], "endedAt": "12:00" });
    assert_eq!(
        desk.refused("stop_task_timer", at),
        Code::EndBeforeStart,
        "what is asked for is not bent"
    );
    let stopped = desk.done("stop_task_timer", json!({ "timeEntryId": timer["id"] }));
    assert_eq!((&stopped["minutes"], &stopped["running"]), (&json!(0), &json!(false)));
    assert!(stopped["note"].as_str().unwrap().contains("counts nothing"), "{stopped}");
    // Whoever is quick needs no such word.
    let timer = desk.done("start_task_timer", json!({ "taskId": task }));
    let stopped = desk.done("stop_task_timer", json!({ "timeEntryId": timer["id"] }));
    assert_eq!((&stopped["minutes"], &stopped["note"]), (&json!(0), &Value::Null));
}

#[test]
fn time_is_annotated_by_its_id_alone() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let id = desk.log(&task, "9:00", "10:00")["id"].clone();
    let said = |id: &Value| json!({ "timeEntryId": id, "description": " pruned " });
    let change = desk.operation("annotate_time_entry", said(&id));
    assert_eq!(desk.time_now(&id).description, "pruned");
    desk.undo(change).unwrap();
    assert_eq!(desk.time_now(&id).description, "");
    assert_eq!(desk.refused("annotate_time_entry", said(&json!(task))), Code::UnknownRecord);
    let long = json!({ "timeEntryId": id, "description": "x".repeat(1 << 14) });
    assert_eq!(desk.refused("annotate_time_entry", long), Code::InvalidRecord);
    let (targets, _) = desk.plan("annotate_time_entry", &["category_work"], &said(&id));
    let categories: Vec<&str> =
        targets.iter().map(|target| target.category.as_ref().unwrap().as_str()).collect();
    // The time and its task, which says where it lies.
    assert_eq!(categories, ["category_home", "category_home"]);
}

#[test]
fn time_of_a_task_that_nobody_can_read_is_the_operators_alone() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let id = desk.log(&task, "9:00", "10:00")["id"].clone();
    let strange =
        TimeEntry { task_id: "task_from_elsewhere".parse().unwrap(), ..desk.time_now(&id) };
    let record: types::RecordId = id.as_str().unwrap().parse().unwrap();
    desk.put([types::Write::Record(types::RecordDraft::live(record, strange))].into_iter());
    let said = json!({ "timeEntryId": id, "description": "pruned" });
    let (targets, planned) = desk.plan("annotate_time_entry", &["category_home"], &said);
    assert!(targets.is_empty());
    assert_eq!(planned.unwrap_err().kind, Code::OutOfScope);
    desk.done("annotate_time_entry", said);
}

#[test]
fn time_is_corrected_and_its_day_follows_its_start() {
    let desk = Desk::at_noon();
    let (ferns, moss) = (desk.task("ferns", "home"), desk.task("moss", "home"));
    let id = desk.log(&ferns, "9:00", "10:00")["id"].clone();
    let edit = |change: Value| {
        let mut arguments = json!({ "timeEntryId": id });
        arguments.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        arguments
    };
    desk.done("edit_time_entry", edit(json!({ "startedAt": "yesterday 22:00", "taskId": moss })));
    let time = desk.time_now(&id);
    assert_eq!(
        (time.day.to_string().as_str(), time.task_id.as_str()),
        ("2026-12-31", moss.as_str())
    );
    desk.done("edit_time_entry", edit(json!({ "endedAt": "23:00" })));
    assert_eq!(desk.time_now(&id).minutes(), Some(60));
    let backwards = edit(json!({ "endedAt": "21:00" }));
    assert_eq!(desk.refused("edit_time_entry", backwards), Code::EndBeforeStart);
    let ahead = edit(json!({ "startedAt": "tomorrow 9:00", "endedAt": "tomorrow 10:00" }));
    assert_eq!(desk.refused("edit_time_entry", ahead), Code::BadTime);
    let same = desk.ask("edit_time_entry", edit(json!({}))).unwrap();
    assert_eq!(same.operation, None);
}

#[test]
fn a_removed_stretch_goes_with_its_rating_and_link_and_all_come_back() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    desk.said("entry_1", "category_home");
    let arguments = json!({
        "taskId": task, "startedAt": "9:00", "endedAt": "10:00", "sourceEntryId": "entry_1"
    });
    let id = desk.done("create_retrospective_time_entry", arguments)["id"].clone();
    let rating = json!({ "targetId": id, "score": 4 });
    let rating = desk.done("create_or_update_rating", rating)["id"].as_str().unwrap().to_owned();
    let removal = desk.operation("remove_time_entry", json!({ "timeEntryId": id }));
    assert!(desk.body(id.as_str().unwrap()).is_none() && desk.body(&rating).is_none());
    assert!(desk.told_in(&id).is_empty());
    desk.undo(removal).unwrap();
    assert!(desk.body(id.as_str().unwrap()).is_some() && desk.body(&rating).is_some());
    assert_eq!(desk.told_in(&id), ["entry_1"]);
}

#[test]
fn undoing_a_stretch_is_refused_while_a_rating_rests_on_it() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let arguments = json!({ "taskId": task, "startedAt": "9:00", "endedAt": "10:00" });
    let logged = desk.ask("create_retrospective_time_entry", arguments).unwrap();
    let (id, made) = (logged.answer["id"].clone(), logged.operation.unwrap());
    let rated = desk.operation("create_or_update_rating", json!({ "targetId": id, "score": 4 }));
    assert_eq!(desk.undo(made).unwrap_err().code, Code::CannotUndo);
    desk.undo(rated).unwrap();
    desk.undo(made).unwrap();
    assert!(desk.body(id.as_str().unwrap()).is_none());
}

#[test]
fn a_timer_that_was_stopped_does_not_run_again_by_undo_while_another_does() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let first = desk.done("start_task_timer", json!({ "taskId": task }))["id"].clone();
    let stopped = desk.operation("stop_task_timer", json!({ "timeEntryId": first }));
    let second = desk.operation("start_task_timer", json!({ "taskId": task }));
    assert_eq!(desk.undo(stopped).unwrap_err().code, Code::TimerRunning);
    desk.undo(second).unwrap();
    desk.undo(stopped).unwrap();
    assert!(desk.time_now(&first).ended_at.is_none());
}

#[test]
fn a_run_that_went_from_one_timer_to_another_is_undone_as_a_whole() {
    let desk = Desk::at_noon();
    let (ferns, moss) = (desk.task("ferns", "home"), desk.task("moss", "home"));
    let first = desk.done("start_task_timer", json!({ "taskId": ferns }))["id"].clone();
    let run = RunKey(rules::hash::fields(["run"]));
    desk.world.advance_ms(60_000);
    desk.in_run(run, "stop_task_timer", &json!({ "timeEntryId": first }));
    let then = desk.in_run(run, "start_task_timer", &json!({ "taskId": moss }))["id"].clone();
    wait(desk.journal.undo(&run.to_string(), None)).unwrap();
    assert_eq!(desk.time_now(&first).ended_at, None);
    assert_eq!(desk.body(then.as_str().unwrap()), None);
}

#[test]
fn time_is_shown_running_first_with_what_it_comes_to() {
    let desk = Desk::at_noon();
    let (ferns, report) = (desk.task("ferns", "home"), desk.task("report", "work"));
    desk.log(&ferns, "yesterday 8:00", "yesterday 9:00");
    desk.log(&ferns, "9:00", "9:30");
    desk.log(&report, "10:00", "11:00");
    desk.log(&ferns, "11:00", "11:15");
    desk.done("start_task_timer", json!({ "taskId": report }));
    desk.world.advance_ms(10 * 60_000);
    desk.done("remove_task", json!({ "taskId": report }));
    let sheet = wait(desk.journal.time_sheet("today", "today")).unwrap();
    let shown: Vec<(&str, &str, i64)> =
        sheet.entries.iter().map(|t| (t.title.as_str(), t.from.as_str(), t.minutes)).collect();
    let rest = [("ferns", "09:00", 30), ("report", "10:00", 60), ("ferns", "11:00", 15)];
    assert_eq!(shown, [&[("report", "12:00", 10)][..], &rest].concat());
    let spent = |of: &[journal::SpentView]| -> Vec<(String, i64)> {
        of.iter().map(|spent| (spent.name.clone(), spent.minutes)).collect()
    };
    assert_eq!(spent(&sheet.by_task), [("report".to_owned(), 70), ("ferns".to_owned(), 45)]);
    assert_eq!(spent(&sheet.by_category), [("work".to_owned(), 70), ("home".to_owned(), 45)]);
    assert_eq!(sheet.minutes, 115);
    let both = wait(desk.journal.time_sheet("yesterday", "today")).unwrap();
    assert_eq!((both.entries.len(), both.minutes), (5, 175));
    assert_eq!(wait(desk.journal.timer()).unwrap().unwrap().title, "report");
    for (from, to, code) in
        [("today", "yesterday", Code::EndBeforeStart), ("2025-01-01", "2027-01-01", Code::BadTime)]
    {
        let problem: types::Problem = wait(desk.journal.time_sheet(from, to)).unwrap_err().into();
        assert_eq!(problem.code, code);
    }
}

#[test]
fn who_travels_sees_and_corrects_time_by_the_day_and_the_clock_of_one_place() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let id = desk.log(&task, "0:30", "1:30")["id"].clone();
    desk.world.move_to("America/New_York");
    let shown = |time: &journal::TimeView| {
        format!("{} {} {}-{}", time.day, time.day_name, time.from, time.to.as_ref().unwrap())
    };
    // It counts on the day on which it was spent.
    let sheet = wait(desk.journal.time_sheet("today", "today")).unwrap();
    assert_eq!(
        sheet.entries.iter().map(shown).collect::<Vec<_>>(),
        ["2026-12-31 yesterday 19:30-20:30"]
    );
    desk.done("edit_time_entry", json!({ "timeEntryId": id, "endedAt": "21:00" }));
    let time = wait(desk.journal.time_get(id.as_str().unwrap())).unwrap();
    assert_eq!(shown(&time), "2026-12-31 yesterday 19:30-21:00");
    assert_eq!(desk.time_now(&id).day.to_string(), "2027-01-01");
    desk.done("edit_time_entry", json!({ "timeEntryId": id, "startedAt": "19:00" }));
    assert_eq!(desk.time_now(&id).day.to_string(), "2026-12-31");
}

#[test]
fn a_range_that_fills_more_than_a_page_is_read_whole() {
    let desk = Desk::at_noon();
    let task = desk.task("ferns", "home");
    let day = |n: i64| rules::day::shifted("2026-12-31".parse().unwrap(), -(n % 3)).unwrap();
    let drafts: Vec<Write> = (0..1_500)
        .map(|n| {
            let time = TimeEntry {
                task_id: task.parse().unwrap(),
                started_at: types::At::from_millis(n * 60_000),
                ended_at: Some(types::At::from_millis((n + 1) * 60_000)),
                day: day(n),
                description: String::new(),
                source_entry_id: None,
            };
            let id: RecordId = format!("time_{n:04}").parse().unwrap();
            Write::Record(RecordDraft::live(id, time))
        })
        .collect();
    let at = MORNING.parse().unwrap();
    wait(desk.store.commit(Commit::new(Domain::Journal, Author::Operator, at, drafts))).unwrap();
    let sheet = wait(desk.journal.time_sheet("2026-12-01", "2026-12-31")).unwrap();
    assert_eq!((sheet.entries.len(), sheet.minutes), (1_500, 1_500));
    let one = wait(desk.journal.time_sheet("2026-12-31", "2026-12-31")).unwrap();
    assert_eq!(one.entries.len(), 500);
}

//! Turns that go on: answers of tools, words thrown in, the report after a change.

use serde_json::json;
use types::BlockKind;

use crate::given::{Given, arguments, calls, change, now, ok, refused, task};

#[test]
fn after_an_order_the_report_is_brought_up_to_date_and_the_brief_says_what_was_done() {
    let given = Given::prompt("add Rake the lawn and check off seeds");
    let orders = given.ask();
    assert_eq!(orders.calls.len(), 2);
    let made = json!({ "ok": true, "tool_name": "add_multiple_checklist_items",
                       "payload": { "items": [{ "id": "item_rake", "title": "Rake the lawn" }] } });
    let given = given.then(&orders, &[made, ok("update_checklist_items")]);
    let report = given.ask();
    let written = arguments(&report, "update_report");
    assert_eq!(report.calls[0].id, "scribe-3");
    let content = written["content"].as_str().unwrap();
    for line in ["- new item: Rake the lawn", "- checked off: Order seeds", "- [ ] Rake the lawn"] {
        assert!(content.contains(line), "{line}:\n{content}");
    }
    assert!(content.contains("2 of 4 items done."), "{content}");
    let claims = written["claims"].as_array().unwrap();
    let new = claims.iter().find(|claim| claim["text"] == "Open: Rake the lawn").unwrap();
    assert_eq!(new["sources"], json!(["item_rake"]));

    let brief = given.then(&report, &[ok("update_report")]).ask();
    assert_eq!(calls(&brief), []);
    assert_eq!(brief.text, "Added “Rake the lawn”.\nChecked off “Order seeds”.");
}

#[test]
fn an_order_that_failed_is_told_with_its_reason_and_not_tried_again() {
    let given = Given::prompt("add rake");
    let order = given.ask();
    let given = given.then(&order, &[refused("add_multiple_checklist_items")]);
    let brief = given.ask();
    assert_eq!(calls(&brief), []);
    assert_eq!(brief.text, "I could not add “rake”: this needs a person (policy_denied).");

    let again = given.then(&brief, &[]).interjected("add rake").ask();
    assert_eq!(calls(&again), []);
    assert!(again.text.contains("the same call failed before"), "{}", again.text);
}

#[test]
fn an_answer_that_cannot_be_read_counts_as_a_failure() {
    let given = Given::prompt("add rake");
    let order = given.ask();
    let brief = given.then(&order, &[json!("so what")]).ask();
    assert!(brief.text.starts_with("I could not add “rake”"), "{}", brief.text);
}

#[test]
fn a_preview_is_not_taken_for_the_deed() {
    let given = Given::prompt("add rake");
    let order = given.ask();
    let shown = json!({ "ok": true, "preview": true, "tool_name": "x", "payload": {} });
    let brief = given.then(&order, &[shown]).ask();
    assert_eq!(calls(&brief), []);
    assert!(brief.text.contains("nothing was done"), "{}", brief.text);
}

#[test]
fn what_is_thrown_in_is_followed_and_all_is_told_at_the_end() {
    let given = Given::wake();
    let look = given.ask();
    let given = given.then(&look, &[ok("update_report")]).interjected("check off seeds");
    let order = given.ask();
    assert_eq!(order.calls[0].id, "scribe-2");
    assert_eq!(calls(&order)[0].0, "update_checklist_items");
    let given = given.then(&order, &[ok("update_checklist_items")]);
    let report = given.ask();
    assert!(arguments(&report, "update_report").to_string().contains("checked off: Order seeds"));
    let brief = given.then(&report, &[ok("update_report")]).ask();
    assert_eq!(brief.text, "Checked off “Order seeds”.");
}

#[test]
fn a_question_is_answered_after_the_report_has_caught_up_with_what_changed() {
    let delta = json!([change("item_milk", "CHECKLIST_ITEM", "changed", &["checked"])]);
    let given = Given::prompt("what is open?").delta(&delta);
    let report = given.ask();
    assert_eq!(calls(&report)[0].0, "update_report");
    let answer = given.then(&report, &[ok("update_report")]).ask();
    assert_eq!(answer.text, "Open are 2 of 3 items: “Order seeds”, “Dig the beds”.");
}

#[test]
fn of_what_it_was_not_shown_it_says_nothing() {
    let mut cut = task();
    cut["left_out"] = json!({ "items": 7, "time_entries": 3 });
    for (question, answer) in [
        (
            "what is open?",
            "Open are 2 of 3 items (of those I was shown): “Order seeds”, “Dig the beds”.",
        ),
        ("what is done?", "Done are 1 of 3 items (of those I was shown): “Buy milk”."),
        ("what is next?", "Next on the list (of those I was shown): “Order seeds”."),
        ("how long will it take?", "It is estimated at 2 h; 45 min or more were spent."),
    ] {
        assert_eq!(Given::prompt(question).task(&cut).ask().text, answer);
    }
    for list in cut["checklists"].as_array_mut().unwrap() {
        for item in list["items"].as_array_mut().unwrap() {
            item["checked"] = json!(true);
        }
    }
    let open = Given::prompt("what is open?").task(&cut).ask();
    assert_eq!(open.text, "None of the 3 items that I was shown is open.");
    cut["checklists"] = json!([]);
    for question in ["what is open?", "what is done?", "what is next?"] {
        let answer = Given::prompt(question).task(&cut).ask().text;
        assert_eq!(answer, "I was shown none of its checklist items.");
    }
    let changed = |left_out: u64| {
        let given = Given::prompt("what changed?").delta(&json!([{ "left_out": left_out }]));
        let report = given.ask();
        if calls(&report).is_empty() {
            report.text
        } else {
            given.then(&report, &[ok("update_report")]).ask().text
        }
    };
    assert_eq!(changed(4), "Since I last looked: 4 that I was not shown.");
    assert_eq!(changed(0), "Nothing changed since I last looked.");
}

#[test]
fn what_is_due_is_late_by_the_clock_where_the_person_is() {
    let today = |due: &str| format!("It is due on {due}. It is due today.");
    let late = |due: &str| format!("It is overdue: it was due on {due}.");
    let (day, minute) = ("2026-11-15", "2026-11-15T09:00");
    for (due, instant, answer) in [
        (day, "2026-11-15T23:59:00-11:00", today(day)),
        (day, "2026-11-16T00:00:00-11:00", late(day)),
        (day, "2026-11-14T23:59:00+13:00", format!("It is due on {day}.")),
        (minute, "2026-11-15T08:59:59+01:00", today(minute)),
        (minute, "2026-11-15T09:00:00+01:00", late(minute)),
        // As it was recorded before places were told.
        (day, "2026-11-15T09:00:00.000Z", today(day)),
    ] {
        let mut task = task();
        task["due"] = json!(due);
        let given = Given::prompt("when is it due?").task(&task);
        let answered = given.data(BlockKind::Wake, "# This wake", &now(instant)).ask();
        assert_eq!(answered.text, answer, "{instant}");
    }
}

#[test]
fn an_agent_that_never_reported_does_so_whatever_it_is_asked() {
    let first = json!({ "reason": "user_initiated", "why": "", "now": "2026-11-15T09:00:00.000Z",
                        "first": true, "hints": 0, "asks": "report" });
    let given = Given::prompt("what is next?").data(BlockKind::Wake, "# This wake", &first);
    let report = given.ask();
    assert_eq!(calls(&report)[0].0, "update_report");
    let answer = given.then(&report, &[ok("update_report")]).ask();
    assert_eq!(answer.text, "Next on the list: “Order seeds”.");
}

#[test]
fn the_report_is_written_anew_when_asked_for_and_only_if_it_differs() {
    let given = Given::prompt("update the report");
    let report = given.ask();
    let written = arguments(&report, "update_report");
    let brief = given.then(&report, &[ok("update_report")]).ask();
    assert_eq!(brief.text, "The report is up to date.");
    let content = written["content"].as_str().unwrap();
    let same = Given::prompt("update the report").report(content, "2026-11-15T08:00:00.000Z").ask();
    assert_eq!(calls(&same), []);
    assert!(same.text.contains("the same word for word"), "{}", same.text);
}

#[test]
fn what_has_changed_is_reported_before_anything_is_asked_back() {
    let changed = json!([change("task_garden", "TASK", "changed", &["title"])]);
    let given = Given::prompt("due tomorrow").delta(&changed);
    let first = given.ask();
    assert_eq!(calls(&first).iter().map(|(tool, _)| *tool).collect::<Vec<_>>(), ["update_report"]);
    let brief = given.then(&first, &[ok("update_report")]).ask();
    assert_eq!(calls(&brief), []);
    assert!(brief.text.starts_with("I need the date"), "{}", brief.text);
    let clear = Given::prompt("due tomorrow").ask();
    assert_eq!(calls(&clear), [], "nothing has changed");
}

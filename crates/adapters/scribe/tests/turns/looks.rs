//! Wakes of its own: the report, the note and the brief.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use types::BlockKind;

use crate::given::{Given, arguments, calls, change, ok, refused, task};

/// The report of a wake as people see it, with what each line rests on.
fn page(given: &Given) -> String {
    let report = arguments(&given.ask(), "update_report");
    let claim = |claim: &Value| {
        let mark = if claim["inferred"] == true { "concluded" } else { "read" };
        let sources: Vec<&str> =
            claim["sources"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        let (section, text) = (claim["section"].as_str().unwrap(), claim["text"].as_str().unwrap());
        format!("{section} | {mark} | {} | {text}\n", sources.join(" "))
    };
    let claims: String = report["claims"].as_array().unwrap().iter().map(claim).collect();
    format!("{}\n~~ claims\n{claims}", report["content"].as_str().unwrap())
}

/// Compares with a file; `DORMOUSE_REFRESH=1 cargo test -p scribe` writes it anew.
fn golden(name: &str, given: &Given) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    let page = page(given);
    if std::env::var_os("DORMOUSE_REFRESH").is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert_eq!(page, fs::read_to_string(&path).unwrap_or_default(), "{name}");
}

fn all_done() -> Value {
    let mut task = task();
    for item in task["checklists"][0]["items"].as_array_mut().unwrap() {
        item["checked"] = json!(true);
    }
    task
}

#[test]
fn a_first_look_reports_what_the_task_says() {
    golden("first_look.md", &Given::wake());
}

#[test]
fn a_later_look_says_in_words_what_changed() {
    let old = "# Plan a garden\n\nStatus open.\n";
    let given = Given::wake().report(old, "2026-11-10T00:00:00.000Z").delta(&json!([
        change("item_milk", "CHECKLIST_ITEM", "changed", &["checked"]),
        change("item_beds", "CHECKLIST_ITEM", "made", &[]),
        change("task_garden", "TASK", "changed", &["due", "title", "closed_at"]),
        change("entry_new", "ENTRY", "made", &[]),
        { "record": "item_gone", "kind": "CHECKLIST_ITEM", "did": "removed", "fields": [],
          "by": "agent", "title": "Rent a plough", "at": "2026-11-15T08:00:00.000Z" },
        { "left_out": 3 },
    ]));
    golden("later_look.md", &given);
}

#[test]
fn a_task_that_is_done_overdue_and_blocked_is_told_as_concluded() {
    let mut task = all_done();
    task["due"] = json!("2026-11-10T09:00");
    task["time_spent_minutes"] = json!(200);
    let given = Given::wake().task(&task).linked(&json!([
        { "id": "task_soil", "title": "Test the soil", "status": "open", "relation": "blocks",
          "direction": "from", "latestTaskAgentReport": "# Test the soil\n\nThe kit is ordered.\n" },
        { "id": "task_house", "title": "The house", "status": "done", "relation": "parent_of",
          "direction": "from", "latestTaskAgentReport": null },
    ]));
    golden("conclusions.md", &given);
}

#[test]
fn a_task_with_more_than_fits_is_cut_and_says_so() {
    let mut task = task();
    let item = |n: usize| {
        let title = format!("Item {n}: {}", "a long story ".repeat(20));
        json!({ "id": format!("item_{n}"), "title": title, "checked": n.is_multiple_of(3) })
    };
    task["checklists"][0]["items"] = (0..200).map(item).collect();
    task["left_out"] = json!({ "items": 100, "entries": 7 });
    golden("too_much.md", &Given::wake().task(&task));
}

#[test]
fn the_report_and_the_note_come_in_one_answer_and_then_the_brief() {
    let delta = json!([change("item_milk", "CHECKLIST_ITEM", "changed", &["checked"])]);
    let given = Given::wake().delta(&delta);
    let first = given.ask();
    let asked: Vec<&str> = calls(&first).iter().map(|(tool, _)| *tool).collect();
    assert_eq!(asked, ["update_report", "record_observations"]);
    assert_eq!(first.calls[0].id, "scribe-1");
    assert_eq!(first.calls[1].id, "scribe-2");
    let notes = arguments(&first, "record_observations");
    assert_eq!(notes, json!({ "notes": ["Finished: Buy milk."] }));

    let brief = given.then(&first, &[ok("update_report"), ok("record_observations")]).ask();
    assert_eq!(calls(&brief), []);
    assert_eq!(
        brief.text,
        "“Plan the spring garden”: checked off: Buy milk.\n\
         1 of 3 items done; open: “Order seeds”, “Dig the beds”.\n\
         Wrote the report anew."
    );
}

#[test]
fn a_report_that_would_be_the_same_is_not_written_again() {
    let delta = json!([change("item_milk", "CHECKLIST_ITEM", "changed", &["checked"])]);
    let report = arguments(&Given::wake().delta(&delta).ask(), "update_report");
    let content = report["content"].as_str().unwrap();
    let again = Given::wake().report(content, "2026-11-15T08:00:00.000Z");
    let brief = again.ask();
    assert_eq!(calls(&brief), []);
    assert!(brief.text.contains("nothing changed since I last looked"), "{}", brief.text);
    assert!(brief.text.contains("the same word for word"), "{}", brief.text);
    // The same event again is the same report.
    let same = Given::wake().report(content, "2026-11-15T08:00:00.000Z").delta(&delta);
    assert_eq!(same.ask().calls.len(), 1, "only the note");
    assert_eq!(same.ask().calls[0].tool, "record_observations");
}

#[test]
fn notes_are_made_once_and_stay_out_of_the_report() {
    let mut late = all_done();
    late["due"] = json!("2026-11-10");
    let notes = |given: Given| {
        let response = given.ask();
        let found = response.calls.iter().find(|call| call.tool == "record_observations");
        found.map(|call| call.arguments.clone().unwrap()["notes"][0].as_str().unwrap().to_owned())
    };
    let both = "Overdue since 2026-11-10. Everything on the checklist is done.";
    assert_eq!(notes(Given::wake().task(&late)).as_deref(), Some(both));
    let known = json!([
        { "at": "2026-11-11T00:00:00.000Z", "text": "Notes: Overdue since 2026-11-10. He is slow.",
          "summary": true },
        { "at": "2026-11-12T00:00:00.000Z", "text": "The person dislikes lawns." },
    ]);
    let again = Given::wake().task(&late).notes(&known);
    assert_eq!(notes(again).as_deref(), Some("Everything on the checklist is done."));

    let report = arguments(&Given::wake().task(&late).notes(&known).ask(), "update_report");
    let said = report.to_string();
    assert!(!said.contains("lawns") && !said.contains("slow"), "{said}");
}

#[test]
fn a_line_that_says_what_a_private_note_says_is_left_out() {
    let notes = json!([
        { "at": "2026-11-12T00:00:00.000Z", "text": "the soil is  STILL wet." },
        { "at": "2026-11-12T00:00:00.000Z", "text": "Plan the spring garden" },
        { "at": "2026-11-12T00:00:00.000Z", "text": "Buy milk" },
    ]);
    let report = arguments(&Given::wake().notes(&notes).ask(), "update_report");
    let said = report.to_string();
    assert!(!said.contains("still wet") && !said.contains("spring garden"), "{said}");
    assert!(said.contains("Buy milk"), "too short to be private: {said}");
}

#[test]
fn that_nothing_happens_for_long_is_noted_once() {
    let content = arguments(&Given::wake().ask(), "update_report")["content"].clone();
    let content = content.as_str().unwrap();
    let quiet = |written: &str| Given::wake().report(content, written);
    assert_eq!(calls(&quiet("2026-11-10T00:00:00.000Z").ask()), []);
    let response = quiet("2026-10-01T07:00:00.000Z").ask();
    let note = arguments(&response, "record_observations");
    assert_eq!(note, json!({ "notes": ["Nothing changed since 2026-10-01."] }));
    let known = json!([{ "at": "2026-11-01T00:00:00.000Z", "text": note["notes"][0] }]);
    assert_eq!(calls(&quiet("2026-10-01T07:00:00.000Z").notes(&known).ask()), []);
}

#[test]
fn a_tool_that_fails_is_named_with_its_reason_and_not_called_again() {
    let given = Given::wake();
    let first = given.ask();
    let brief = given.then(&first, &[refused("update_report")]).ask();
    assert_eq!(calls(&brief), []);
    let told = "I could not write the report: this needs a person (policy_denied).";
    assert!(brief.text.contains(told), "{}", brief.text);
}

#[test]
fn what_may_not_be_called_is_not_called() {
    let brief = Given::wake().without_tool("update_report").ask();
    assert_eq!(calls(&brief), []);
    assert!(brief.text.contains("I may not write the report"), "{}", brief.text);
    let held = Given::wake().allowing(&["record_observations"]).ask();
    assert_eq!(calls(&held), []);
}

#[test]
fn without_a_task_it_says_so_and_does_nothing() {
    let mut given = Given::wake();
    given.0.prompt.retain(|block| block.kind != BlockKind::Task);
    let brief = given.ask();
    assert_eq!(calls(&brief), []);
    assert_eq!(brief.text, "I was shown no task, so I did nothing.");
}

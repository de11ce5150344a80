//! Tasks with their checklists, relations and follow-ups, and what is jotted down.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::shell::{Said, Shell};

fn task(shell: &Shell, title: &str) -> String {
    id(&shell.json(&["task", "add", title, "--category", "home"]))
}

fn id(shown: &Value) -> String {
    shown["id"].as_str().unwrap().to_owned()
}

fn item(shell: &Shell, task: &str, text: &str) -> String {
    id(&shell.json(&["task", "item", "add", task, text]))
}

/// The items that a task shows.
fn items(shell: &Shell, task: &str) -> Vec<(String, bool)> {
    let shown = shell.json(&["task", "show", task]);
    let one = |item: &Value| {
        (item["title"].as_str().unwrap().to_owned(), item["checked"].as_bool().unwrap())
    };
    shown["items"].as_array().unwrap().iter().map(one).collect()
}

fn titles(shell: &Shell, words: &[&str]) -> Vec<String> {
    let listed = shell.json(&[&["task", "list"], words].concat());
    let one = |task: &Value| task["title"].as_str().unwrap().to_owned();
    listed.as_array().unwrap().iter().map(one).collect()
}

/// Runs the program with something on its standard input.
fn capture(shell: &Shell, words: &[&str], input: &[u8]) -> Said {
    let mut command = shell.command(&[&["capture", "--json"], words].concat());
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    Said::from(child.wait_with_output().unwrap())
}

fn counts(said: &Said) -> (u64, u64, u64) {
    assert_eq!(said.code, 0, "{said:?}");
    let counts: Value = serde_json::from_str(&said.out).unwrap();
    let count = |what: &str| counts[what].as_u64().unwrap();
    (count("tasks"), count("items"), count("repeated"))
}

#[test]
fn items_are_added_checked_and_shown_with_their_task() {
    let shell = Shell::new();
    let ferns = task(&shell, "Ferns");
    let water = item(&shell, &ferns, "water");
    item(&shell, &ferns, "repot");
    let checked = shell.json(&["task", "item", "check", &water]);
    assert_eq!((&checked["id"], &checked["checked"]), (&water.as_str().into(), &true.into()));
    assert_eq!(items(&shell, &ferns), [("water".into(), true), ("repot".into(), false)]);
    let short = &water[water.len() - 6..];
    assert_eq!(shell.json(&["task", "item", "uncheck", short])["checked"], false);
    shell.json(&["task", "item", "edit", &water, "water twice"]);
    shell.json(&["task", "item", "reorder", &water, "--end"]);
    assert_eq!(items(&shell, &ferns)[1].0, "water twice");
    shell.json(&["task", "item", "rm", &water]);
    assert_eq!(items(&shell, &ferns).len(), 1);
    shell.refused(&["task", "item", "check", &water], "unknown_record");
    assert_eq!(shell.run(&["task", "item", "reorder", &water]).code, 2);
}

#[test]
fn a_task_is_added_with_all_that_is_known_and_edited() {
    let shell = Shell::new();
    let parent = task(&shell, "Garden");
    let words = ["task", "add", "Ferns", "--category", "home", "--due", "yesterday", "--priority"];
    let more =
        ["P1", "--estimate", "1h30", "--language", "de", "--item", "water", "--item", "repot"];
    let shown = shell.json(&[&words[..], &more, &["--parent", &parent]].concat());
    assert_eq!((&shown["priority"], &shown["estimate_minutes"]), (&"p1".into(), &90.into()));
    assert_eq!((&shown["overdue"], &shown["items_all"]), (&true.into(), &2.into()));
    assert_eq!(shown["relations"][0]["relation"], "part_of");
    let ferns = id(&shown);
    let listed = shell.run(&["task", "list", "--sort", "due"]);
    let line = listed.out.lines().nth(1).unwrap();
    assert!(line.contains("yesterday (overdue)") && line.contains("0/2"), "{listed:?}");
    let edited = shell.json(&["task", "edit", &ferns, "--no-due", "--title", "Ferns and moss"]);
    assert_eq!((&edited["due"], &edited["title"]), (&Value::Null, &"Ferns and moss".into()));
    assert_eq!(shell.run(&["task", "edit", &ferns]).code, 2);
    assert_eq!(shell.run(&["task", "edit", &ferns, "--status", "finished"]).code, 2);
    shell.refused(&["task", "edit", &ferns, "--due", "whenever"], "bad_time");
    assert_eq!(titles(&shell, &["--priority", "p1"]), ["Ferns and moss"]);
}

#[test]
fn several_tasks_are_closed_at_once_and_a_wrong_one_closes_none() {
    let shell = Shell::new();
    let (ferns, moss) = (task(&shell, "Ferns"), task(&shell, "Moss"));
    shell.refused(&["task", "done", &ferns, "task_nobody"], "unknown_task");
    assert_eq!(titles(&shell, &[]).len(), 2);
    let closed = shell.json(&["task", "done", &ferns, &moss]);
    assert_eq!((&closed[0]["status"], &closed[1]["status"]), (&"done".into(), &"done".into()));
    assert!(titles(&shell, &[]).is_empty());
    for (word, status) in [
        ("reopen", "open"),
        ("start", "in_progress"),
        ("block", "blocked"),
        ("hold", "on_hold"),
        ("cancel", "cancelled"),
    ] {
        assert_eq!(shell.json(&["task", word, &ferns])[0]["status"], status);
        assert_eq!(titles(&shell, &["--status", status]), ["Ferns"]);
    }
    let again = shell.run(&["task", "cancel", &ferns]);
    assert!(again.out.starts_with("cancelled already"), "{again:?}");
    shell.json(&["task", "rm", &ferns]);
    shell.refused(&["task", "show", &ferns], "unknown_task");
}

#[test]
fn a_conclusion_is_shown_first_and_then_loses_no_item() {
    let shell = Shell::new();
    let ferns = task(&shell, "Ferns");
    let water = item(&shell, &ferns, "water");
    item(&shell, &ferns, "repot");
    shell.json(&["task", "item", "check", &water]);
    let words = ["task", "conclude", &ferns, "More ferns"];
    let shown = shell.json(&[&words[..], &["--preview"]].concat());
    assert_eq!((&shown["preview"], &shown["id"]), (&true.into(), &Value::Null));
    assert_eq!(shown["carried"][0]["title"], "repot");
    assert_eq!(shell.json(&["task", "show", &ferns])["status"], "open");
    let done = shell.run(&words);
    assert!(done.out.contains("with 1 item:") && done.err.contains("dormouse undo"), "{done:?}");
    assert_eq!(items(&shell, &ferns), [("water".into(), true)]);
    let next = shell.json(&["task", "find", "more ferns"]);
    assert_eq!(next["verdict"], "exact");
    let next = id(&next["candidates"][0]);
    assert_eq!(items(&shell, &next), [("repot".into(), false)]);
    shell.refused(&words, "no_such_step");
    let third = shell.json(&["task", "follow-up", &next, "Even more", "--close", "cancelled"]);
    assert_eq!(items(&shell, &id(&third)), [("repot".into(), false)]);
    assert_eq!(shell.json(&["task", "show", &next])["status"], "cancelled");
}

#[test]
fn items_move_to_other_lists_and_to_tasks_of_their_own() {
    let shell = Shell::new();
    let ferns = task(&shell, "Ferns");
    let (water, repot) = (item(&shell, &ferns, "water"), item(&shell, &ferns, "repot"));
    let words = ["task", "checklist", "add", &ferns, "Soil", "--item", "peat"];
    let soil = id(&shell.json(&words));
    shell.json(&["task", "item", "move", &repot, "--to", &soil]);
    let expected = ["water", "peat", "repot"].map(|title| (title.to_owned(), false));
    assert_eq!(items(&shell, &ferns), expected);
    let shown = shell.json(&["task", "item", "move", &water, "--new-task", "Water", "--preview"]);
    assert_eq!((&shown["task"], items(&shell, &ferns).len()), (&Value::Null, 3));
    let moved = shell.json(&["task", "item", "move", &water, "--new-task", "Water"]);
    assert_eq!(items(&shell, moved["task"].as_str().unwrap()), [("water".into(), false)]);
    shell.json(&["task", "checklist", "rename", &soil, "Earth"]);
    assert!(shell.run(&["task", "show", &ferns]).out.contains("Earth 0/2"));
    assert_eq!(shell.json(&["task", "checklist", "rm", &soil])["items"], 2);
    assert!(items(&shell, &ferns).is_empty());
    let work = id(&shell.json(&["task", "add", "Report", "--category", "work", "--item", "x"]));
    let there = shell.json(&["task", "show", &work])["checklists"][0].clone();
    let words = ["task", "item", "move", &water, "--to", &id(&there)];
    shell.refused(&words, "other_category");
}

#[test]
fn relations_are_shown_on_both_sides_and_never_go_round() {
    let shell = Shell::new();
    let (soil, ferns) = (task(&shell, "Soil"), task(&shell, "Ferns"));
    shell.json(&["task", "link", &soil, "blocks", &ferns]);
    assert!(shell.run(&["task", "show", &soil]).out.contains("blocks      Ferns"));
    assert!(shell.run(&["task", "show", &ferns]).out.contains("blocked by  Soil"));
    shell.refused(&["task", "link", &ferns, "blocks", &soil], "circular_relation");
    shell.refused(&["task", "link", &ferns, "follows", &ferns], "circular_relation");
    shell.json(&["task", "unlink", &ferns, "blocked-by", &soil]);
    assert!(shell.json(&["task", "show", &soil])["relations"].as_array().unwrap().is_empty());
    assert_eq!(shell.run(&["task", "link", &soil, "likes", &ferns]).code, 2);
}

#[test]
fn what_is_jotted_down_becomes_tasks_with_items() {
    let shell = Shell::new();
    let input = b"- [ ] Picnic\n  - [x] bread\n  * cheese\n\n- [x] Call Anna\r\n* Plain\n";
    let said = capture(&shell, &["--category", "home"], input);
    assert_eq!(counts(&said), (3, 2, 0));
    assert_eq!(titles(&shell, &[]), ["Plain", "Picnic"]);
    assert_eq!(titles(&shell, &["--status", "done"]), ["Call Anna"]);
    let picnic = id(&shell.json(&["task", "find", "picnic"])["candidates"][0]);
    assert_eq!(items(&shell, &picnic), [("bread".into(), true), ("cheese".into(), false)]);
    assert_eq!(counts(&capture(&shell, &["--category", "home"], b"\n  \n")), (0, 0, 0));
}

#[test]
fn a_capture_that_was_interrupted_goes_on_where_it_stopped() {
    let shell = Shell::new();
    let words = ["--category", "home", "--request-id", "list"];
    assert_eq!(counts(&capture(&shell, &words, b"milk\nbread\n")), (2, 0, 0));
    assert_eq!(counts(&capture(&shell, &words, b"milk\neggs\nbread\nmilk\n")), (4, 0, 2));
    assert_eq!(titles(&shell, &[]), ["milk", "eggs", "bread", "milk"]);
}

#[test]
fn a_line_that_cannot_be_taken_is_named_and_none_is_taken() {
    let shell = Shell::new();
    let long = format!("milk\n{}\nbread\n", "x".repeat(2_000));
    let message =
        capture(&shell, &["--category", "home"], long.as_bytes()).refused("invalid_record");
    assert!(message.starts_with("line 2:") && message.ends_with("nothing was taken"), "{message}");
    let message = capture(&shell, &["--category", "home"], b"milk\n\xff\n").refused("wrong_usage");
    assert!(message.contains("line 2 is not UTF-8"), "{message}");
    capture(&shell, &["--category", "gym"], b"milk\n").refused("unknown_category");
    capture(&shell, &[], b"milk\n").refused("unknown_category");
    assert!(titles(&shell, &[]).is_empty());
}

#[test]
fn what_comes_in_is_read_before_the_home_is_opened() {
    let shell = Shell::new();
    for words in [
        &["capture", "--category", "home", "--json"][..],
        &["note", "add", "--category", "home", "--json"],
        &["note", "edit", "note_nobody", "-", "--json"],
        &["plan", "replan", "--json"],
    ] {
        let mut command = shell.command(words);
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"9-10 work\n\xff").unwrap();
        let message = Said::from(child.wait_with_output().unwrap()).refused("wrong_usage");
        assert!(message.contains("line 2 is not UTF-8"), "{message}");
    }
    assert!(!shell.home().exists(), "a home was opened while somebody typed");
}

#[test]
fn a_title_of_several_words_needs_no_quotes_and_a_date_in_words_is_said_as_it_was_understood() {
    let shell = Shell::new();
    let words = ["task", "add", "Water", "the", "ferns", "--category", "home"];
    let said = shell.run(&[&words[..], &["--due", "tomorrow", "--priority", "p0"]].concat());
    assert!(said.out.ends_with("  Water the ferns  [home, open, p0, due tomorrow]\n"), "{said:?}");
    let note = shell.run(&["note", "add", "Bought", "moss", "--category", "home"]);
    assert!(note.out.ends_with("  Bought moss  [home]\n"), "{note:?}");
}

#[test]
fn a_task_is_shown_with_the_newest_notes_about_it() {
    let shell = Shell::new();
    let ferns = task(&shell, "Ferns");
    for n in 1..=6 {
        let at = format!("2026-11-0{n} 9:00");
        shell.json(&["note", "add", &format!("note {n}"), "--task", &ferns, "--at", &at]);
    }
    let shown = shell.run(&["task", "show", &ferns]).out;
    assert!(shown.contains("note 6") && shown.contains("note 2"), "{shown}");
    assert!(!shown.contains("note 1") && shown.contains("`dormouse note list --task"), "{shown}");
}

#[test]
fn a_list_says_that_it_goes_on_only_if_it_does() {
    let shell = Shell::new();
    for title in ["Ferns", "Moss", "Soil"] {
        task(&shell, title);
    }
    let listed = shell.run(&["task", "list", "--limit", "3"]);
    assert_eq!((listed.out.lines().count(), listed.err.as_str()), (4, ""));
    let listed = shell.run(&["task", "list", "--limit", "2"]);
    assert_eq!(listed.out.lines().count(), 3, "{listed:?}");
    assert!(listed.err.contains("only 2 are shown"), "{listed:?}");
}

#[test]
fn whoever_is_slow_to_read_an_answer_keeps_nobody_from_the_home() {
    let shell = Shell::new();
    let long = "ferns ".repeat(40_000);
    let mut command = shell.command(&["note", "add", "--category", "home", "--json"]);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    child.stdin.take().unwrap().write_all(long.as_bytes()).unwrap();
    let note: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    // More than a pipe holds, and nobody takes it.
    let mut show = shell.command(&["note", "show", &id(&note)]);
    let unread = show.stdout(Stdio::piped()).spawn().unwrap();
    shell.json(&["task", "list"]);
    let shown = String::from_utf8(unread.wait_with_output().unwrap().stdout).unwrap();
    assert!(shown.contains(long.trim_end()), "the answer is not whole");
}

//! Time, plans, ratings, and the day at a glance.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::shell::{Said, Shell};

impl Shell {
    /// Adds a task and answers with its id.
    fn task(&self, title: &str, category: &str) -> String {
        let task = self.json(&["task", "add", title, "--category", category]);
        task["id"].as_str().unwrap().to_owned()
    }

    /// Runs with something to read.
    fn fed(&self, words: &[&str], text: &str) -> Said {
        let mut command = self.command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        Said::from(child.wait_with_output().unwrap())
    }
}

fn short(id: &str) -> &str {
    &id[id.len() - 6..]
}

#[test]
fn time_is_logged_started_stopped_listed_corrected_and_removed() {
    let shell = Shell::new();
    let (ferns, report) = (shell.task("Ferns", "home"), shell.task("Report", "work"));
    let log = ["time", "log", short(&ferns), "--from", "yesterday 9:00", "--to", "10:30"];
    let said = shell.run(&[&log[..], &["--note", "pruned"]].concat());
    assert!(
        said.out.starts_with("logged 1h 30m on Ferns, yesterday 09:00-10:30: pruned"),
        "{said:?}"
    );
    let again = shell.run(&["time", "log", &report, "--from", "yesterday 10:00", "--for", "45m"]);
    assert!(again.err.contains("it overlaps 09:00-10:30"), "{again:?}");
    assert_eq!(shell.run(&["time", "status"]).out, "no timer runs\n");
    shell.refused(&["time", "stop"], "no_such_step");
    let timer = shell.json(&["time", "start", &report, "--note", "writing"]);
    assert_eq!((&timer["running"], &timer["title"]), (&Value::Bool(true), &"Report".into()));
    assert!(shell.refused(&["time", "start", &ferns], "timer_running").contains("Report"));
    let stopped = shell.json(&["time", "stop", "--note", "wrote"]);
    assert_eq!((&stopped["id"], &stopped["description"]), (&timer["id"], &"wrote".into()));
    let sheet = shell.json(&["time", "list", "--day", "yesterday"]);
    assert_eq!(
        (&sheet["minutes"], &sheet["by_category"][0]["name"]),
        (&135.into(), &"home".into())
    );
    let first = sheet["entries"][0]["id"].as_str().unwrap();
    let edited = shell.json(&["time", "edit", short(first), "--to", "10:00"]);
    assert_eq!((&edited["minutes"], &edited["to"]), (&60.into(), &"10:00".into()));
    shell.json(&["time", "note", first, "watered"]);
    let shown = shell.run(&["time", "list", "--from", "yesterday"]);
    assert!(shown.out.contains("watered") && shown.out.contains("1h 45m in all"), "{shown:?}");
    shell.json(&["time", "rm", first]);
    let sheet = shell.json(&["time", "list", "--day", "yesterday"]);
    assert_eq!(sheet["entries"].as_array().unwrap().len(), 1);
}

#[test]
fn time_that_makes_no_sense_is_refused_and_nothing_is_recorded() {
    let shell = Shell::new();
    let task = shell.task("Ferns", "home");
    let log = |more: &[&str], code: &str| {
        shell.refused(&[&["time", "log", task.as_str()], more].concat(), code);
    };
    log(&["--from", "yesterday 10:00", "--to", "9:00"], "end_before_start");
    log(&["--from", "tomorrow 10:00", "--for", "1h"], "bad_time");
    log(&["--from", "yesterday 10:00", "--for", "a while"], "bad_time");
    for words in [
        &["time", "log", task.as_str()][..],
        &["time", "list", "--to", "today"],
        &["rate", "today"],
        &["plan", "pin"],
    ] {
        assert_eq!(shell.run(words).code, 2, "{words:?}");
    }
    assert_eq!(shell.run(&["time", "list", "--from", "yesterday"]).out, "no time recorded\n");
}

#[test]
fn a_day_is_planned_block_by_block_and_anew() {
    let shell = Shell::new();
    let report = shell.task("Report", "work");
    let add = ["plan", "block", "add", "--day", "tomorrow"];
    let day = shell.json(&[&add[..], &["9-11", "--task", &report, "--note", "draft"]].concat());
    let block = day["blocks"][0].clone();
    assert_eq!((&block["category"], &block["to"]), (&"work".into(), &"11:00".into()));
    assert!(day["operation"].is_string());
    shell.json(&[&add[..], &["13:00-0:00", "--category", "home"]].concat());
    let id = short(block["id"].as_str().unwrap());
    let moved = shell.run(&["plan", "block", "move", id, "12:30", "--day", "tomorrow"]);
    assert!(moved.out.contains("12:30-14:30  work  Report: draft"), "{moved:?}");
    assert!(moved.err.contains("overlap"), "{moved:?}");
    let replan = ["plan", "replan", "--day", "tomorrow", "--from", "13:00"];
    let lines = "# after lunch\n15:00-16:00 work Mail\n";
    let shown = shell.fed(&[&replan[..], &["--preview"]].concat(), lines);
    assert!(shown.out.contains("would remove") && shown.out.contains("15:00-16:00  work  Mail"));
    assert!(shown.out.contains("12:30-14:30  work  Report: draft\n"), "{shown:?}");
    let day = shell.json(&["plan", "show", "tomorrow"]);
    assert_eq!(day["blocks"][1]["to"], "24:00");
    assert_eq!(shell.fed(&replan, lines).code, 0);
    let day = shell.json(&["plan", "show", "tomorrow"]);
    let notes: Vec<&str> =
        day["blocks"].as_array().unwrap().iter().map(|b| b["note"].as_str().unwrap()).collect();
    assert_eq!((notes, &day["blocks"][0]["free_after"]), (vec!["draft", "Mail"], &30.into()));
    shell.json(&["plan", "block", "rm", id, "--day", "tomorrow"]);
    let wrong = shell.fed(&[&replan[..], &["--json"]].concat(), "15:00 work\n");
    assert!(wrong.refused("wrong_usage").contains("15:00 work"));
    for nothing in ["", "\n# nothing\n"] {
        shell.fed(&[&replan[..], &["--json"]].concat(), nothing).refused("wrong_usage");
    }
    shell.refused(&[&add[..], &["11:00-9:00", "--category", "home"]].concat(), "end_before_start");
    assert_eq!(shell.json(&["plan", "show", "tomorrow"])["blocks"].as_array().unwrap().len(), 1);
}

#[test]
fn a_day_is_closed_with_what_is_open_carried_over_and_opened_again() {
    let shell = Shell::new();
    let (ferns, report) = (shell.task("Ferns", "home"), shell.task("Report", "work"));
    shell.json(&["plan", "pin", short(&ferns), &report]);
    shell.json(&["plan", "unpin", &report]);
    let closed = shell.run(&["plan", "close", "--carry", "--note", "enough"]);
    assert!(closed.out.contains("closed: enough") && closed.err.contains("carried over: 1"));
    assert_eq!(shell.json(&["plan", "show", "tomorrow"])["pinned"][0]["title"], "Ferns");
    shell.refused(&["plan", "pin", &report], "day_closed");
    let opened = shell.json(&["plan", "reopen"]);
    assert_eq!((&opened["closed_at"], &opened["note"]), (&Value::Null, &"enough".into()));
    assert_eq!(shell.json(&["plan", "pin", &report])["pinned"].as_array().unwrap().len(), 2);
}

#[test]
fn ratings_are_given_shown_counted_and_taken_back() {
    let shell = Shell::new();
    let task = shell.task("Ferns", "home");
    let sides = ["--dimension", "focus=5", "--dimension", "energy=2", "--note", "calm"];
    let said = shell.run(&[&["rate", "today", "4"], &sides[..]].concat());
    assert!(said.out.ends_with(": 4/5 (energy 2, focus 5): calm\n"), "{said:?}");
    shell.json(&["rate", short(&task), "5"]);
    assert_eq!(shell.json(&["rate", "show", "today"])["score"], 4);
    let exported = shell.run(&["export", "--format", "markdown"]).out;
    assert!(exported.contains(", 4 of 5 for the day: calm "), "a day without a plan: {exported}");
    assert_eq!(shell.json(&["rate", "show", "yesterday"]), Value::Null);
    let summary = shell.json(&["rate", "summary"]);
    assert_eq!((&summary["count"], &summary["mean"]), (&2.into(), &4.5.into()));
    assert_eq!(shell.json(&["rate", "summary", "--category", "home"])["count"], 1);
    assert!(shell.refused(&["rate", "today", "6"], "wrong_usage").contains("from 1 to 5"));
    assert_eq!(shell.run(&["rate", "today", "4", "--dimension", "focus"]).code, 2);
    shell.json(&["rate", "rm", "today"]);
    let twice = shell.refused(&["rate", "rm", "today"], "unknown_record");
    assert_eq!(twice, "today was not rated");
    assert_eq!(shell.run(&["rate", "show", "today"]).out, "today was not rated\n");
}

#[test]
fn today_shows_what_is_planned_due_running_and_done() {
    let shell = Shell::begun();
    let empty = shell.run(&["today"]);
    assert!(empty.out.contains("nothing is planned or due"), "{empty:?}");
    shell.json(&["task", "add", "Rent", "--category", "home", "--due", "yesterday"]);
    let ferns = shell.task("Ferns", "home");
    shell.json(&["plan", "block", "add", "0-24", "--category", "work", "--note", "Deep work"]);
    shell.json(&["plan", "pin", &ferns]);
    shell.json(&["time", "start", &ferns]);
    let text = shell.run(&["today"]).out;
    let found: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert!(found[1].starts_with("running   Ferns for 0m"), "{text}");
    assert_eq!(found[2], "plan    > 00:00-24:00  work  Deep work");
    assert_eq!(found[3], format!("pinned    [ ] Ferns (home)  {}", short(&ferns)));
    assert!(found[4].starts_with("due     ! Rent (home, "), "{text}");
    assert_eq!(found[5], "time      0m: home 0m");
    let day = shell.json(&["today"]);
    assert_eq!((&day["name"], &day["overdue"][0]["title"]), (&"today".into(), &"Rent".into()));
}

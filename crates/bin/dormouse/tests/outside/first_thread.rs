//! A task, somebody who watches, a wake, a receipt.

use std::process::Stdio;

use crate::shell::{Said, Shell};

#[test]
fn a_task_wakes_a_watcher_which_leaves_a_receipt_that_cost_nothing() {
    let shell = Shell::new();
    let agent = shell.json(&["agent", "create", "--template", "watcher", "--category", "home"]);
    let agent = agent["id"].as_str().unwrap();
    let added = shell.run(&["task", "add", "Water the ferns", "--category", "home", "--json"]);
    assert!(added.err.contains("1 wake is queued"), "{added:?}");
    for look in [&["task", "list"][..], &["today"], &["history"], &["search", "ferns"]] {
        assert_eq!(shell.run(look).err, "", "who only looks is not told again: {look:?}");
    }
    assert!(shell.run(&["agent", "list"]).err.contains("1 wake is queued"));
    shell.json(&["task", "add", "Ship it", "--category", "work"]);
    let queued = shell.json(&["runs", agent]);
    assert_eq!(queued.as_array().unwrap().len(), 1);
    assert_eq!(queued[0]["status"], "queued");
    assert_eq!(shell.json(&["wake", "--drain"])["ended"], 1);
    let runs = shell.json(&["runs", agent]);
    let run = &runs[0];
    assert_eq!((&run["status"], &run["reason"]), (&"completed".into(), &"subscription".into()));
    for cost in ["model_calls", "tokens_in", "tokens_out"] {
        assert_eq!(run[cost], 0, "{cost}");
    }
    assert_eq!(run["receipt"]["rule"], "nothing_relevant");
    assert!(run["merged_into"].is_null());
}

#[test]
fn what_was_added_is_shown_and_listed() {
    let shell = Shell::new();
    let task = shell.json(&["task", "add", "Water the ferns", "--category", "home"]);
    let id = task["id"].as_str().unwrap();
    let shown = shell.json(&["task", "show", id]);
    assert_eq!((&shown["title"], &shown["category"]), (&"Water the ferns".into(), &"home".into()));
    assert!(shown["items"].as_array().unwrap().is_empty());
    let listed = shell.run(&["task", "list", "--category", "home"]);
    assert!(listed.out.contains("Water the ferns"), "{listed:?}");
    let names = shell.json(&["category", "list"]);
    let names: Vec<&str> =
        names.as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["home", "work"]);
}

#[test]
fn an_agent_shows_how_it_can_be_woken_and_what_it_has_to_do() {
    let shell = Shell::new();
    let agent = shell.json(&["agent", "create", "--template", "watcher", "--category", "home"]);
    let agent = agent["id"].as_str().unwrap();
    shell.json(&["task", "add", "Water the ferns", "--category", "home"]);
    let shown = shell.json(&["agent", "show", agent]);
    assert_eq!(shown["wake_edges"].as_array().unwrap().len(), 1);
    assert_eq!(shown["obligations"].as_array().unwrap().len(), 1);
    shell.json(&["wake", "--drain"]);
    let shown = shell.json(&["agent", "show", agent]);
    assert!(shown["obligations"].as_array().unwrap().is_empty());
    let listed = shell.json(&["agent", "list"]);
    assert_eq!(
        (&listed[0]["lifecycle"], &listed[0]["posture"]),
        (&"active".into(), &"asleep".into())
    );
}

#[test]
fn the_same_request_id_adds_one_task() {
    let shell = Shell::new();
    let add = ["task", "add", "Ferns", "--category", "home", "--request-id", "r1"];
    assert_eq!(shell.json(&add)["id"], shell.json(&add)["id"]);
    let other = ["task", "add", "Moss", "--category", "home", "--request-id", "r1"];
    let said = shell.run(&other);
    assert_eq!((said.code, said.out.contains("Ferns")), (0, true), "{said:?}");
    assert!(said.err.contains("this request id was used before"), "{said:?}");
    assert_eq!(shell.json(&["task", "list"]).as_array().unwrap().len(), 1);
}

#[test]
fn a_dozen_commands_at_once_wait_for_each_other() {
    let shell = Shell::new();
    // On a busy machine even a dozen short commands can take longer than one of them waits; what
    // matters is that each is done once or says that it was not done.
    let children: Vec<_> = (0..12)
        .map(|n| {
            let title = format!("task {n}");
            let mut command = shell.command(&["task", "add", &title, "--category", "home"]);
            command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let said: Vec<Said> =
        children.into_iter().map(|child| Said::from(child.wait_with_output().unwrap())).collect();
    let done = said.iter().filter(|said| said.code == 0).count();
    assert!(said.iter().all(|s| s.code == 0 || s.err.contains("home_locked")), "{said:?}");
    assert!(done > 1, "{said:?}");
    assert_eq!(shell.json(&["task", "list"]).as_array().unwrap().len(), done);
}

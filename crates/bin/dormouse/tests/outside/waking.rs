//! What wakes an agent, what stops it, and what it shows of that.

use serde_json::{Value, json};

use crate::server::Server;
use crate::shell::Shell;

fn watcher(shell: &Shell) -> String {
    let agent = shell.json(&["agent", "create", "--template", "watcher", "--category", "home"]);
    agent["id"].as_str().unwrap().to_owned()
}

fn add(shell: &Shell, title: &str) {
    shell.json(&["task", "add", title, "--category", "home"]);
}

fn statuses(shell: &Shell, agent: &str) -> Vec<String> {
    let runs = shell.json(&["runs", agent]);
    let line = |run: &Value| {
        format!("{} {}", run["reason"].as_str().unwrap(), run["status"].as_str().unwrap())
    };
    runs.as_array().unwrap().iter().map(line).collect()
}

#[test]
fn a_burst_is_one_look_and_each_change_has_its_row() {
    let shell = Shell::new();
    let agent = watcher(&shell);
    for title in ["a", "b", "c"] {
        add(&shell, title);
    }
    assert_eq!(shell.json(&["wake", "--drain"])["ended"], 1);
    let runs = shell.json(&["runs", &agent]);
    let runs = runs.as_array().unwrap();
    assert_eq!(runs.len(), 3);
    let target = runs.iter().find(|run| run["merged_into"].is_null()).unwrap();
    let merged = runs.iter().filter(|run| run["merged_into"] == target["run_key"]).count();
    assert_eq!(merged, 2);
    assert!(runs.iter().all(|run| run["status"] == "completed" && run["tokens_in"] == 0));
}

#[test]
fn every_command_takes_the_end_of_an_agents_id() {
    let shell = Shell::new();
    let agent = watcher(&shell);
    let end = &agent[agent.len() - 6..];
    for words in [
        &["agent", "show", end][..],
        &["agent", "pause", end],
        &["agent", "resume", end],
        &["agent", "stop", end],
        &["agent", "resume", end],
        &["wake", end],
        &["prompt", end, "hello"],
        &["runs", end],
        &["schedule", "add", end, "--every", "3600"],
        &["schedule", "list", end],
        &["session", "start", end, "evening"],
        &["session", "list", end],
        &["wake", "--drain"],
        &["follow", end],
        &["agent", "destroy", end],
    ] {
        shell.json(words);
    }
    assert_eq!(shell.json(&["agent", "show", &agent])["lifecycle"], "destroyed");
    let message = shell.refused(&["runs", "0000"], "unknown_agent");
    assert!(message.contains("0000"), "{message}");
}

#[test]
fn the_same_request_is_the_same_run() {
    let shell = Shell::new();
    let agent = watcher(&shell);
    let first = shell.json(&["wake", &agent, "--request-id", "w1"]);
    let again = shell.json(&["wake", &agent, "--request-id", "w1"]);
    assert_eq!(first["run_key"], again["run_key"]);
    assert_eq!((&first["again"], &again["again"]), (&false.into(), &true.into()));
    let said = shell.json(&["prompt", &agent, "hello", "--request-id", "p1"]);
    let repeated = shell.json(&["prompt", &agent, "hello", "--request-id", "p1"]);
    assert_eq!(said["run_key"], repeated["run_key"]);
    assert_eq!((&said["again"], &repeated["again"]), (&false.into(), &true.into()));
    shell.json(&["wake", "--drain"]);
    assert_eq!(statuses(&shell, &agent), ["user_initiated completed", "manual completed"]);
}

#[test]
fn whoever_gets_an_earlier_answer_under_the_same_request_id_is_told_so() {
    let shell = Shell::new();
    let notice = "this request id was used before";
    let create = |category| {
        let words = ["agent", "create", "--template", "watcher", "--category", category];
        shell.run(&[&words[..], &["--request-id", "a1", "--json"]].concat())
    };
    let reply = |out: &str| serde_json::from_str::<Value>(out).unwrap();
    let (first, second) = (create("work"), create("home"));
    assert!(!first.err.contains(notice) && second.err.contains(notice), "{second:?}");
    let (first, second) = (reply(&first.out), reply(&second.out));
    assert_eq!((&first["id"], second["again"].as_bool()), (&second["id"], Some(true)));
    assert_eq!(first.get("again"), None, "the first answer has no more fields than ever");
    let agent = first["id"].as_str().unwrap();
    let every = |seconds| {
        shell.run(&["schedule", "add", agent, "--every", seconds, "--request-id", "s1", "--json"])
    };
    let (first, second) = (every("60"), every("90"));
    assert!(!first.err.contains(notice) && second.err.contains(notice), "{second:?}");
    let second = reply(&second.out);
    assert_eq!((second["every_seconds"].as_u64(), &second["again"]), (Some(60), &true.into()));
    let follow = ["prompt", agent, "hello", "--follow", "--request-id", "p1"];
    let (first, second) = (shell.run(&follow), shell.run(&follow));
    let said_before = |err: &str| err.contains("this was said before");
    assert_eq!((said_before(&first.err), said_before(&second.err)), (false, true), "{second:?}");
}

#[test]
fn a_paused_agent_catches_up_when_it_is_resumed_and_a_destroyed_one_is_over() {
    let shell = Shell::new();
    let agent = watcher(&shell);
    assert_eq!(shell.json(&["agent", "pause", &agent])["lifecycle"], "dormant");
    shell.refused(&["prompt", &agent, "hello"], "agent_stopped");
    add(&shell, "meanwhile");
    shell.json(&["wake", "--drain"]);
    let shown = shell.json(&["agent", "show", &agent]);
    assert_eq!(shown["flagged"], true);
    assert_eq!(shown["obligations"][0]["edge"], Value::Null);
    assert_eq!(shell.json(&["agent", "resume", &agent])["lifecycle"], "active");
    shell.json(&["wake", "--drain"]);
    assert!(statuses(&shell, &agent).iter().all(|line| line.ends_with("completed")));
    assert_eq!(shell.json(&["agent", "destroy", &agent])["lifecycle"], "destroyed");
    shell.refused(&["wake", &agent], "agent_destroyed");
    shell.refused(&["agent", "resume", &agent], "agent_destroyed");
}

#[test]
fn only_wakes_that_a_drain_would_run_are_said_to_be_queued_and_the_others_say_what_they_wait_for() {
    let shell = Shell::new();
    let agent = watcher(&shell);
    shell.json(&["agent", "pause", &agent]);
    let add = || shell.run(&["task", "add", "meanwhile", "--category", "home"]).err;
    let outcome = || shell.run(&["runs", &agent]).out;
    assert_eq!(add(), "", "nothing would be run");
    // Before anybody has tried to run it, and after.
    for _ in 0..2 {
        assert_eq!(shell.json(&["runs", &agent])[0]["held_because"], "paused");
        assert!(outcome().contains("held (paused)"), "{}", outcome());
        assert_eq!(shell.json(&["wake", "--drain"])["ended"], 0);
    }
    let resumed = shell.run(&["agent", "resume", &agent]);
    assert!(resumed.err.contains("queued; `dormouse wake --drain` runs"), "{resumed:?}");
    shell.json(&["kill", "on"]);
    assert!(outcome().contains("held (kill_switch)"), "{}", outcome());
    let lifted = shell.run(&["kill", "off"]);
    assert!(lifted.err.contains("queued; `dormouse wake --drain` runs"), "{lifted:?}");
    assert_ne!(shell.json(&["wake", "--drain"])["ended"], 0);
}

#[test]
fn the_kill_switch_stops_everything_and_lifting_it_loses_nothing() {
    let shell = Shell::new();
    let agent = watcher(&shell);
    assert_eq!(shell.json(&["kill", "on"])["on"], true);
    add(&shell, "meanwhile");
    assert_eq!(shell.json(&["wake", "--drain"])["ended"], 0);
    shell.refused(&["wake", &agent], "kill_switch_on");
    assert!(statuses(&shell, &agent).is_empty());
    assert_eq!(shell.json(&["kill", "off"])["on"], false);
    shell.json(&["wake", "--drain"]);
    assert_eq!(statuses(&shell, &agent), ["subscription completed"]);
}

#[test]
fn a_schedule_is_added_shown_paused_and_triggered() {
    let shell = Shell::new();
    let agent = watcher(&shell);
    let words = ["schedule", "add", &agent, "--cron", "0 7 * * MON-FRI", "--zone", "Europe/Berlin"];
    let schedule = shell.json(&words);
    let id = schedule["id"].as_str().unwrap();
    assert_eq!(schedule["status"], "active");
    assert!(schedule["next_at"].is_string());
    let shown = shell.json(&["agent", "show", &agent]);
    let kinds: Vec<&Value> =
        shown["wake_edges"].as_array().unwrap().iter().map(|edge| &edge["kind"]).collect();
    assert_eq!(kinds, ["subscription", "schedule"]);
    assert_eq!(shell.json(&["schedule", "pause", id])["next_at"], Value::Null);
    shell.refused(&["schedule", "pause", id], "no_such_step");
    let one = shell.json(&["schedule", "trigger", id, "--request-id", "now"]);
    assert_eq!(one["state"], "in_flight");
    shell.json(&["wake", "--drain"]);
    let shown = shell.json(&["schedule", "show", id]);
    assert_eq!(shown["occurrences"][0]["state"], "succeeded");
    assert_eq!(shell.json(&["schedule", "resume", id])["status"], "active");
    assert_eq!(shell.json(&["schedule", "disable", id])["status"], "disabled");
    assert_eq!(shell.json(&["schedule", "list", &agent]).as_array().unwrap().len(), 1);
}

#[test]
fn bad_schedules_and_unknown_ids_are_refused_with_their_codes() {
    let shell = Shell::new();
    let agent = watcher(&shell);
    let add = ["schedule", "add", agent.as_str()];
    let zone = ["--cron", "0 7 * * *", "--zone", "Mars/Olympus"];
    shell.refused(&[&add[..], &["--cron", "61 * * * *"]].concat(), "bad_schedule");
    shell.refused(&[&add[..], &zone].concat(), "unknown_zone");
    shell.refused(&[&add[..], &["--every", "0"]].concat(), "bad_schedule");
    let never = shell.run(&[&add[..], &["--every", "99999999999999"]].concat());
    assert!(never.err.contains("never comes") && !never.err.contains("five fields"), "{never:?}");
    assert_eq!(shell.run(&add).code, 2);
    shell.refused(&["schedule", "show", "schedule_nobody"], "unknown_schedule");
    shell.refused(&["schedule", "list", "agent_nobody"], "unknown_agent");
    let long = "x".repeat(201);
    shell.refused(&["wake", &agent, "--request-id", &long], "invalid_record");
    assert!(shell.json(&["schedule", "list", &agent]).as_array().unwrap().is_empty());
}

#[test]
fn whoever_waits_for_an_answer_gets_what_came_of_the_run_with_or_without_a_server() {
    let shell = Shell::new();
    let agent = watcher(&shell);
    let told = shell.json(&["prompt", &agent, "what is open?", "--wait", "--request-id", "p1"]);
    assert!(told["run_key"].is_string(), "{told}");
    assert_eq!(told["brief"]["kind"], "nothing");
    assert_eq!(told["brief"]["text"], "there was nothing to do (only_watching)");
    let again = shell.json(&["prompt", &agent, "what is open?", "--wait", "--request-id", "p1"]);
    assert_eq!((&again["run_key"], &again["brief"]), (&told["run_key"], &told["brief"]));
    let said = shell.run(&["prompt", &agent, "what is open?", "--wait"]);
    assert_eq!((said.code, said.out.starts_with("nothing: there was nothing")), (0, true));
    let run = &shell.json(&["runs", &agent])[0];
    for field in ["cost", "model", "turn_index", "closure"] {
        assert_eq!(run.get(field), Some(&Value::Null), "{field}: it took no turn");
    }
    let _server = Server::start(&shell);
    let told = shell.json(&["prompt", &agent, "and now?", "--wait", "--timeout", "60"]);
    assert_eq!(told["brief"]["kind"], "nothing", "{told}");
    shell.json(&["kill", "on"]);
    shell.refused(&["prompt", &agent, "and now?", "--wait"], "kill_switch_on");
}

#[test]
fn what_a_model_is_asked_with_is_shown_once_one_was_asked() {
    let shell = Shell::new();
    let agent = watcher(&shell);
    shell.refused(&["debug", "prompt", &agent], "unknown_record");
    shell.refused(&["debug", "prompt", "agent_nobody"], "unknown_agent");
    assert_eq!(shell.run(&["prompt", &agent, "x", "--timeout", "3"]).code, 2);
}

#[test]
fn a_class_of_tools_is_stopped_and_lifted_by_name() {
    let shell = Shell::begun();
    let stopped = shell.json(&["kill", "on", "--tools", "taskWrite"]);
    assert_eq!(stopped, json!({ "on": false, "tools": ["taskWrite"] }));
    let said = shell.run(&["kill", "status"]).out;
    assert_eq!(said, "the kill switch is off\ntools that need taskWrite are stopped\n");
    let message = shell.refused(&["kill", "status", "--tools", "taskWrite"], "wrong_usage");
    assert!(message.contains("not with status"), "{message}");
    let lifted = shell.json(&["kill", "off", "--tools", "taskWrite"]);
    assert_eq!(lifted, json!({ "on": false }));
    let message = shell.refused(&["kill", "on", "--tools", "magic"], "wrong_usage");
    assert!(message.contains("magic"), "{message}");
}

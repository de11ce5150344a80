//! Agents that tend a task, and what agents are made from.

use std::fs;

use serde_json::Value;

use crate::shell::Shell;

fn id(reply: &Value) -> String {
    reply["id"].as_str().unwrap().to_owned()
}

fn task(shell: &Shell, title: &str) -> String {
    id(&shell.json(&["task", "add", title, "--category", "home"]))
}

fn tend(task: &str) -> [&str; 6] {
    ["agent", "create", "--template", "task_agent", "--task", task]
}

fn own_template(shell: &Shell, file: &str, text: &str) {
    let folder = shell.home().join("templates");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(file), text).unwrap();
}

#[test]
fn a_task_gets_its_agent_with_one_run_and_it_follows_what_is_added() {
    let shell = Shell::new();
    let ferns = task(&shell, "Water the ferns");
    // As elsewhere, the last characters of an id name it.
    let agent = id(&shell.json(&tend(&ferns[ferns.len() - 6..])));
    let runs = shell.json(&["runs", &agent]);
    assert_eq!(runs.as_array().unwrap().len(), 1);
    assert_eq!((&runs[0]["reason"], &runs[0]["status"]), (&"tick".into(), &"queued".into()));
    shell.json(&["wake", "--drain"]);
    task(&shell, "Something else");
    assert_eq!(shell.json(&["wake", "--drain"])["ended"], 0, "another task wakes nobody");
    shell.json(&["task", "item", "add", &ferns, "Fill the can"]);
    shell.json(&["wake", "--drain"]);
    let runs = shell.json(&["runs", &agent]);
    assert_eq!(runs[0]["reason"], "subscription");
    let shown = shell.json(&["agent", "show", &agent]);
    assert_eq!(
        (&shown["task"], &shown["template"]),
        (&ferns.as_str().into(), &"task_agent".into())
    );
    assert_eq!(shown["name"], "Water the ferns");
    let text = shell.run(&["agent", "show", &agent]).out;
    assert!(text.contains(&format!("task       {ferns}")), "{text}");
}

#[test]
fn a_task_has_one_agent_at_most_and_a_destroyed_one_makes_room() {
    let shell = Shell::new();
    let ferns = task(&shell, "Water the ferns");
    let named = [&tend(&ferns)[..], &["--name", "Gardener", "--request-id", "g"]].concat();
    let first = shell.json(&named);
    assert_eq!(first["name"], "Gardener");
    assert_eq!(shell.json(&named)["id"], first["id"]);
    let message = shell.refused(&tend(&ferns), "agent_exists");
    assert!(message.contains(first["id"].as_str().unwrap()), "{message}");
    shell.json(&["agent", "destroy", first["id"].as_str().unwrap()]);
    assert_ne!(shell.json(&tend(&ferns))["id"], first["id"]);
}

#[test]
fn an_agent_is_made_for_what_its_template_is_for() {
    let shell = Shell::begun();
    shell.refused(&tend("task_nowhere"), "unknown_task");
    let create = |rest: &[&'static str]| [&["agent", "create", "--template"], rest].concat();
    shell.refused(&create(&["task_agent", "--category", "home"]), "wrong_usage");
    shell.refused(&create(&["task_agent"]), "wrong_usage");
    let both = create(&["watcher", "--category", "home", "--task", "x"]);
    shell.refused(&both, "wrong_usage");
    assert!(shell.json(&["agent", "list"]).as_array().unwrap().is_empty());
}

#[test]
fn a_template_is_a_file_that_can_be_copied_and_changed() {
    let shell = Shell::begun();
    let names = |shell: &Shell| -> Vec<String> {
        let listed = shell.json(&["template", "list"]);
        let name = |one: &Value| one["name"].as_str().unwrap().to_owned();
        listed.as_array().unwrap().iter().map(name).collect()
    };
    assert_eq!(names(&shell), ["task_agent", "watcher"]);
    let file = shell.run(&["template", "show", "task_agent"]).out;
    assert_eq!(shell.json(&["template", "show", "task_agent"])["text"], file.as_str());
    own_template(
        &shell,
        "mine.toml",
        &file.replace("\"task_agent\"\nversion", "\"mine\"\nversion"),
    );
    own_template(&shell, "notes.txt", "not a template");
    assert_eq!(names(&shell), ["mine", "task_agent", "watcher"]);
    let ferns = task(&shell, "Water the ferns");
    let made = shell.json(&["agent", "create", "--template", "mine", "--task", &ferns]);
    assert_eq!(made["template"], "mine");
    shell.refused(&tend(&ferns), "agent_exists");
    let listed = shell.run(&["template", "list"]).out;
    assert!(listed.contains("mine.toml") && listed.contains("built in"), "{listed}");
    shell.refused(&["template", "show", "poet"], "unknown_template");
}

#[test]
fn a_template_is_copied_by_the_line_that_the_guide_has() {
    let shell = Shell::new();
    own_template(&shell, "blank.toml", " \n");
    let copy = shell.home().join("templates/gardener.toml");
    // A shell makes the file first, and the program finds it empty.
    let out = fs::File::create(&copy).unwrap();
    let shown = shell.command(&["template", "show", "task_agent"]).stdout(out).output().unwrap();
    assert!(shown.status.success(), "{shown:?}");
    let listed = shell.json(&["template", "list"]);
    let (file, count) = (listed[0]["file"].as_str().unwrap(), listed.as_array().unwrap().len());
    assert!(listed[0]["name"] == "task_agent" && file.ends_with("gardener.toml"), "{listed}");
    assert_eq!(count, 2, "an empty file is none: {listed}");
}

#[test]
fn a_broken_template_is_refused_with_its_file_and_line() {
    let shell = Shell::begun();
    let file = shell.run(&["template", "show", "watcher"]).out;
    own_template(&shell, "mine.toml", &format!("{file}colour = 1\n"));
    let message = shell.refused(&["agent", "list"], "bad_config");
    let line = file.lines().count() + 1;
    assert!(
        message.contains("mine.toml") && message.contains(&format!("line {line}")),
        "{message}"
    );
    let said = shell.run(&["serve", "--listen", "127.0.0.1:0", "--json"]);
    said.refused("bad_config");
    assert!(!said.err.contains("`dormouse template"), "a way out that is shut: {said:?}");
    own_template(&shell, "mine.toml", &file);
    own_template(&shell, "other.toml", &file);
    let message = shell.refused(&["agent", "list"], "bad_config");
    assert!(message.contains("the name watcher is taken by"), "{message}");
}

#[test]
fn an_agent_whose_task_was_removed_does_not_resume_before_it_is_back() {
    let shell = Shell::new();
    let ferns = task(&shell, "Water the ferns");
    let agent = id(&shell.json(&tend(&ferns)));
    shell.json(&["agent", "pause", &agent]);
    shell.json(&["task", "rm", &ferns]);
    let message = shell.refused(&["agent", "resume", &agent], "unknown_task");
    assert!(message.contains(&ferns), "{message}");
    shell.json(&["undo", "--last"]);
    assert_eq!(shell.json(&["agent", "resume", &agent])["lifecycle"], "active");
}

#[test]
fn what_happened_to_an_agent_is_read_in_order_and_on_from_any_place() {
    let shell = Shell::new();
    let ferns = task(&shell, "Water the ferns");
    let agent = id(&shell.json(&tend(&ferns)));
    shell.json(&["wake", "--drain"]);
    let events = |more: &[&str]| -> Vec<Value> {
        let said = shell.run(&[&["events", &agent, "--json"], more].concat());
        assert_eq!(said.code, 0, "{said:?}");
        said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let all = events(&[]);
    let kinds: Vec<&str> = all.iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds.first(), Some(&"agent_created"));
    for kind in ["wake_queued", "run_started", "model_answered", "turn_settled", "run_ended"] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    let numbers: Vec<u64> = all.iter().map(|event| event["event_seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=all.len() as u64).collect::<Vec<_>>());
    assert_eq!(events(&["--after", "2", "--limit", "3"]), all[2..5]);
    assert_eq!(events(&["--limit", "2"]), all[all.len() - 2..], "the newest");
    assert_eq!(events(&["--after", &all.len().to_string()]), [] as [Value; 0]);
    let said = shell.run(&["events", &agent, "--limit", "1"]);
    assert!(said.out.starts_with("NUMBER") && said.out.contains("run_ended"), "{said:?}");
    shell.refused(&["events", "agent_nobody"], "unknown_agent");
}

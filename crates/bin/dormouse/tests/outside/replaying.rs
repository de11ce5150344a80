//! Past turns gone through again from the command line, with nobody there who could be asked.

use chat::{ChatServer, Reply, Script};
use serde_json::{Value, json};

use crate::server::Server;
use crate::shell::Shell;

/// A task agent that has looked once.
fn tended(shell: &Shell) -> String {
    let add = ["task", "add", "Plan a trip", "--category", "home"];
    let task = shell.json(&add)["id"].as_str().unwrap().to_owned();
    let create = ["agent", "create", "--template", "task_agent", "--task", &task];
    let agent = shell.json(&create)["id"].as_str().unwrap().to_owned();
    shell.json(&["wake", "--drain"]);
    agent
}

/// The steps that came to this.
fn steps<'a>(replayed: &'a Value, verdict: &str) -> Vec<&'a str> {
    let steps = replayed["steps"].as_array().unwrap().iter();
    let of_it = steps.filter(|step| step["verdict"] == verdict);
    of_it.map(|step| step["step"].as_str().unwrap()).collect()
}

#[test]
fn a_turn_of_the_built_in_model_is_gone_through_again_its_answers_too() {
    let shell = Shell::new();
    let agent = tended(&shell);
    let run = shell.json(&["prompt", &agent, "add buy rain coats", "--wait"])["run_key"].clone();
    let alone = shell.json(&["replay", &agent]);
    assert_eq!(alone["run_key"], run);
    for step in ["question 1", "answer 1", "call 1.1: add_multiple_checklist_items", "end"] {
        assert!(steps(&alone, "verified").contains(&step), "{step}: {alone}");
    }
    assert_eq!(steps(&alone, "differs"), [""; 0]);
    let run = run.as_str().unwrap();
    let said = shell.run(&["replay", &agent, "--run", &run[..12]]);
    assert!(
        said.out.contains("\nquestion 1 ") && said.out.ends_with(" verified\n"),
        "{}",
        said.out
    );
    // A server answers the same.
    let server = Server::start(&shell);
    assert_eq!(shell.json(&["replay", &agent, "--run", run]), alone);
    server.stop();
    let message = shell.refused(&["replay", &agent, "--run", "zzz"], "unknown_record");
    assert!(message.contains("no run whose name begins with"), "{message}");
}

#[test]
fn what_somebody_elses_model_answered_is_not_asked_for_again() {
    let shell = Shell::new();
    let script = Script::of(|asked| {
        let messages = asked.json()["messages"].clone();
        match messages.as_array().unwrap().last().unwrap()["role"] == "tool" {
            true => Reply::text("It is up to date."),
            false => {
                let report = json!({ "content": "One open", "claims": [] });
                Reply::call("call_1", "update_report", &report)
            }
        }
    });
    let server = ChatServer::start_apart(script);
    shell.asks(&server);
    shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    let agent = tended(&shell);
    let calls = server.calls();
    assert_eq!(calls, 2);
    shell.json(&["consent", "revoke", "local/test-model"]);
    let replayed = shell.json(&["replay", &agent]);
    for step in ["question 1", "call 1.1: update_report", "question 2", "end"] {
        assert!(steps(&replayed, "verified").contains(&step), "{step}: {replayed}");
    }
    assert_eq!(steps(&replayed, "differs"), [""; 0]);
    assert!(!replayed.to_string().contains("answer 1"), "it stays what was recorded");
    assert_eq!(server.calls(), calls, "nobody was asked");
}

#[test]
fn a_run_is_run_once_more_with_another_model() {
    let shell = Shell::new();
    let server = ChatServer::start_apart(Script::of(|_| Reply::text("I am another.")));
    shell.asks(&server);
    let config = std::fs::read_to_string(shell.home().join("config.toml")).unwrap();
    let config = config.replacen("[models]", "[models]\nfallback = [\"builtin/scribe\"]", 1);
    std::fs::write(shell.home().join("config.toml"), config).unwrap();
    shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    let agent = tended(&shell);
    let ask = ["prompt", &agent, "what is open?", "--model", "builtin/scribe", "--wait"];
    let said = shell.json(&ask);
    assert_ne!(said["brief"]["text"], "I am another.", "{said}");
    let again = shell.json(&["again", &agent, "--wait"]);
    assert_eq!(again["brief"]["text"], "I am another.");
    assert_ne!(again["run_key"], said["run_key"]);
    let runs = shell.json(&["runs", &agent]);
    assert_eq!(
        (runs[0]["model"].as_str(), runs[1]["model"].as_str()),
        (Some("local/test-model"), Some("builtin/scribe"))
    );
    shell.json(&["wake", &agent, "--model", "builtin/scribe"]);
    let queued = &shell.json(&["runs", &agent])[0];
    assert_eq!((&queued["status"], &queued["model"]), (&json!("queued"), &json!("builtin/scribe")));
    let again = ["again", &agent, "--run", said["run_key"].as_str().unwrap()];
    let message = shell.refused(&[&again[..], &["--model", "scribe"]].concat(), "wrong_usage");
    assert!(message.contains("is not PROVIDER/MODEL"), "{message}");
    let brief = shell.failed(&[&again[..], &["--model", "local/x", "--wait"]].concat());
    assert!(brief.to_string().contains("model_not_allowed"), "{brief}");
}

#[test]
fn a_turn_that_was_asked_with_fewer_tools_than_it_is_offered_is_verified_as_well() {
    let shell = Shell::new();
    let agent = tended(&shell);
    shell.json(&["kill", "on", "--tools", "checklistWrite"]);
    shell.json(&["prompt", &agent, "add bread", "--wait"]);
    let replayed = shell.json(&["replay", &agent]);
    assert_eq!(steps(&replayed, "differs"), [""; 0], "{replayed}");
    assert!(steps(&replayed, "verified").contains(&"answer 1"), "{replayed}");
}

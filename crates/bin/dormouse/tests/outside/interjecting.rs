//! Throwing a word into a turn that is under way.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use chat::{ChatServer, Reply, Script};
use serde_json::json;

use crate::server::Server;
use crate::streaming::home;

/// Long enough for any machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn what_is_thrown_in_is_told_to_the_model_at_its_next_step() {
    let (asks, asked) = channel();
    let (let_it, is_let) = channel::<()>();
    let is_let: Mutex<Receiver<()>> = Mutex::new(is_let);
    let model = ChatServer::start_apart(Script::of(move |asked| {
        let told = String::from_utf8_lossy(asked.bytes()).into_owned();
        if !told.contains("add milk") {
            return Reply::text("All is well.");
        }
        // What came of the call is told before what was thrown in.
        let milk = told.find("call_1");
        match milk.and_then(|milk| told[milk..].find("and nothing else")) {
            Some(_) => Reply::text("Milk it is."),
            None if milk.is_some() => Reply::text("What else?"),
            None => {
                asks.send(()).unwrap();
                is_let.lock().unwrap().recv_timeout(PATIENCE).unwrap();
                let arguments = json!({ "taskId": asked.task(), "items": ["milk"] });
                Reply::call("call_1", "add_multiple_checklist_items", &arguments)
            }
        }
    }));
    let (shell, agent) = home(&model);
    let _server = Server::start(&shell);
    let first = shell.json(&["prompt", &agent, "add milk"]);
    asked.recv_timeout(PATIENCE).unwrap();
    let refused = shell.run(&["prompt", &agent, "x", "--interject", "--model", "local/other"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    let thrown_in = shell.json(&["prompt", &agent, "and nothing else", "--interject"]);
    assert_ne!(first["run_key"], thrown_in["run_key"]);
    let_it.send(()).unwrap();
    let heard = shell.run(&["follow", &agent, "--run", thrown_in["run_key"].as_str().unwrap()]);
    assert!(heard.out.contains("Milk it is."), "{} {}", heard.out, heard.err);
    let runs = shell.json(&["runs", &agent]);
    let runs = runs.as_array().unwrap();
    let calls: u64 = runs.iter().map(|run| run["model_calls"].as_u64().unwrap()).sum();
    assert_eq!(calls, 3, "a first look, and one turn for both");
    let thrown_in = runs.iter().find(|run| run["run_key"] == thrown_in["run_key"]).unwrap();
    assert_eq!(thrown_in["taken_up_by"], first["run_key"]);
    let taken_up = format!("taken up by {}", &first["run_key"].as_str().unwrap()[..12]);
    assert!(shell.run(&["runs", &agent]).out.contains(&taken_up));
}

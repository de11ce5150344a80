//! What somebody sees who watches a home that is up: looks without a turn, and who rests.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Child;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use chat::{ChatServer, Reply, Script};
use serde_json::Value;

use crate::server::Server;
use crate::shell::Shell;

/// A home that is up, and what it has shown.
struct Watched {
    child: Child,
    lines: Receiver<String>,
    seen: String,
}

impl Watched {
    fn start(shell: &Shell) -> Watched {
        let mut command = shell.command(&["up", "--no-open", "--listen", "127.0.0.1:0"]);
        let mut child = Server::spawn(&mut command);
        let out = BufReader::new(child.stdout.take().unwrap());
        let (shows, lines) = mpsc::channel();
        thread::spawn(move || {
            out.lines().map_while(Result::ok).all(|line| shows.send(line).is_ok())
        });
        Watched { child, lines, seen: String::new() }
    }

    /// Reads on up to a line with this in it.
    fn until(&mut self, part: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60));
            let line = line.unwrap_or_else(|_| panic!("no {part:?} in:\n{}", self.seen));
            self.seen += &(line.clone() + "\n");
            if line.contains(part) {
                return line;
            }
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn id(reply: &Value) -> String {
    reply["id"].as_str().unwrap().to_owned()
}

/// A task with two items, the second of them, and an agent that tends it.
fn tended(shell: &Shell) -> (String, String, String) {
    let task = id(&shell.json(&["task", "add", "Plan a trip", "--category", "home"]));
    shell.json(&["task", "item", "add", &task, "Book the hut"]);
    let item = id(&shell.json(&["task", "item", "add", &task, "Buy a map"]));
    let create = ["agent", "create", "--template", "task_agent", "--task", &task];
    (task.clone(), item, id(&shell.json(&create)))
}

#[test]
fn up_tells_who_is_dormant_after_failures_and_that_it_goes_on_when_it_is_resumed() {
    let shell = Shell::new();
    let refuses = Reply::raw(401, "application/json", "{\"error\":{\"message\":\"no\"}}");
    let server = ChatServer::start_apart(Script::always(refuses));
    shell.asks(&server);
    let config = fs::OpenOptions::new().append(true).open(shell.home().join("config.toml"));
    config.unwrap().write_all(b"[runtime]\nfailures_max = 1\n").unwrap();
    let (_, _, agent) = tended(&shell);
    shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    let mut up = Watched::start(&shell);
    let resume = format!("`dormouse agent resume {agent}`");
    up.until("Plan a trip  failed");
    let brief = up.until("I am dormant now");
    assert!(brief.contains(&resume), "{brief}");
    let notice = up.until("is dormant now");
    assert!(notice.contains("Plan a trip  is dormant now: it failed"), "{notice}");
    let way = up.until(&resume);
    assert!(way.contains("to let it go on, mend what failed, then resume it"), "{way}");
    shell.json(&["agent", "resume", &agent]);
    up.until("Plan a trip  is active again");
    up.until("is dormant now");
}

#[test]
fn up_tells_of_a_look_without_a_turn_and_of_a_task_that_is_gone() {
    let shell = Shell::new();
    let (task, item, agent) = tended(&shell);
    let mut up = Watched::start(&shell);
    up.until("no cost");
    shell.json(&["task", "item", "reorder", &item, "--top"]);
    let look = up.until("Plan a trip  looked");
    let found = "looked: something it tends changed; nothing to decide: 1 change seen";
    assert!(look.ends_with(found), "{look}");
    shell.json(&["task", "rm", &task]);
    let notice = up.until("is dormant now");
    assert!(notice.ends_with("is dormant now: the task it tends is gone"), "{notice}");
    let way = up.until(&format!("`dormouse agent resume {agent}`"));
    assert!(way.contains("bring its task back"), "{way}");
    let runs = shell.run(&["runs", &agent]).out;
    assert!(runs.contains("task_missing"), "{runs}");
    assert_eq!(shell.json(&["runs", &agent])[0]["receipt"]["rule"], "task_missing");
}

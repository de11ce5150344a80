//! A server in the background: commands answer as they do without one, and wakes run by themselves.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use chat::{ChatServer, Reply, Script};
use serde_json::{Value, json};

use crate::server::Server;
use crate::shell::Shell;

fn add(shell: &Shell, title: &str) -> Value {
    shell.json(&["task", "add", title, "--category", "home"])
}

fn titles(shell: &Shell) -> Vec<String> {
    let tasks = shell.json(&["task", "list"]);
    let title = |task: &Value| task["title"].as_str().unwrap().to_owned();
    tasks.as_array().unwrap().iter().map(title).collect()
}

fn whole(shell: &Shell) -> bool {
    let files = shell.json(&["doctor"]);
    files.as_array().unwrap().iter().all(|file| file["ok"] == true)
}

#[test]
fn a_server_says_once_that_it_is_ready_and_leaves_a_clean_home() {
    let shell = Shell::new();
    let server = Server::start(&shell);
    let fields: Vec<&String> = server.ready.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["listening", "token_file"]);
    assert!(server.address().starts_with("127.0.0.1:"));
    let mode =
        |name: &str| fs::metadata(shell.home().join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("dormouse.sock"), mode("server.token")), (0o600, 0o600));
    let token = server.token();
    assert_eq!(token.len(), 64);
    add(&shell, "Water the ferns");
    let (ended, rest) = server.stop();
    assert_eq!((ended.code(), rest.as_str()), (Some(0), ""));
    let left: BTreeSet<String> = fs::read_dir(shell.home())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left, ["agent.db", "journal.db", "lock", "server.token"].map(String::from).into());
    assert!(whole(&shell));
    assert_eq!(Server::start(&shell).token(), token, "the token is made once");
}

/// What a few commands print with `--json`, with ids and times left out.
fn printed(shell: &Shell) -> Vec<String> {
    let mut printed = Vec::new();
    let mut run = |words: &[&str]| {
        let said = shell.run(&[words, &["--json"]].concat());
        let (code, error) = (said.code, said.err.lines().last().unwrap_or_default());
        let error = if code == 0 { "" } else { error };
        printed.push(format!("{words:?}: {code} {} {}", blurred(&said.out), blurred(error)));
        serde_json::from_str::<Value>(&said.out).ok()
    };
    let id = |value: Option<Value>| value.unwrap()["id"].as_str().unwrap().to_owned();
    let task = id(run(&["task", "add", "Ship it", "--category", "work"]));
    run(&["task", "add", "Water the ferns", "--category", "work"]);
    run(&["task", "list"]);
    run(&["task", "show", &task]);
    run(&["task", "show", "task_nope"]);
    run(&["category", "list"]);
    let agent = id(run(&["agent", "create", "--template", "watcher", "--category", "home"]));
    run(&["agent", "list"]);
    run(&["prompt", &agent, "What is open?", "--request-id", "p1"]);
    run(&["wake", "--drain"]);
    run(&["prompt", &agent, "What is open?", "--request-id", "p1"]);
    run(&["runs", &agent]);
    run(&["agent", "show", &agent]);
    run(&["schedule", "add", &agent, "--every", "86400"]);
    run(&["schedule", "list", &agent]);
    run(&["kill", "on"]);
    run(&["wake", &agent]);
    run(&["wake", "--drain"]);
    run(&["kill", "off"]);
    run(&["agent", "destroy", &agent]);
    printed.iter().map(|line| line.replace(&agent, "AGENT").replace(&task, "TASK")).collect()
}

/// A printed text with what differs from home to home made equal.
fn blurred(text: &str) -> String {
    let is_id = |tail: &str| tail.len() > 20 && tail.bytes().all(|b| b.is_ascii_alphanumeric());
    let blur = |(n, part): (usize, &str)| match part.rsplit_once('_') {
        _ if n % 2 == 0 => part.to_owned(),
        // Between two quotation marks.
        Some((kind, tail)) if is_id(tail) => kind.to_uppercase(),
        _ if part.starts_with("20") && part.ends_with('Z') => "TIME".to_owned(),
        _ if part.len() == 64 => "KEY".to_owned(),
        _ => part.to_owned(),
    };
    text.split('"').enumerate().map(blur).collect::<Vec<_>>().join("\"")
}

#[test]
fn commands_print_the_same_with_and_without_a_server() {
    let (alone, served) = (Shell::new(), Shell::new());
    let _server = Server::start(&served);
    let (alone, served) = (printed(&alone), printed(&served));
    for (alone, served) in alone.iter().zip(&served) {
        // A server may have run it before it was asked to.
        if !alone.starts_with("[\"wake\", \"--drain\"]") {
            assert_eq!(alone, served);
        }
    }
    assert_eq!(alone.len(), served.len());
}

#[test]
fn with_a_server_nobody_is_told_that_wakes_are_queued() {
    let shell = Shell::new();
    let _server = Server::start(&shell);
    shell.json(&["agent", "create", "--template", "watcher", "--category", "home"]);
    let said = shell.run(&["task", "add", "x", "--category", "home"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
}

#[test]
fn a_wake_runs_by_itself() {
    let shell = Shell::new();
    let _server = Server::start(&shell);
    let agent = shell.json(&["agent", "create", "--template", "watcher", "--category", "home"]);
    let agent = agent["id"].as_str().unwrap();
    add(&shell, "Water the ferns");
    // Nobody drains: it is only asked until it shows, and not for ever.
    let ended = (0..5_000).find_map(|_| {
        let runs = shell.json(&["runs", agent]);
        (runs[0]["status"] == "completed").then_some(runs)
    });
    let runs = ended.expect("nothing ran");
    assert_eq!(runs[0]["receipt"]["rule"], "nothing_relevant");
    assert_eq!(runs.as_array().unwrap().len(), 1);
}

#[test]
fn a_drain_waits_for_what_the_server_does_by_itself() {
    let shell = Shell::new();
    let _server = Server::start(&shell);
    let agent = shell.json(&["agent", "create", "--template", "watcher", "--category", "home"]);
    let agent = agent["id"].as_str().unwrap();
    add(&shell, "Water the ferns");
    shell.json(&["wake", "--drain"]);
    assert_eq!(shell.json(&["runs", agent])[0]["status"], "completed");
    // The next one has to wait for its cooldown, and a drain does not.
    add(&shell, "Repot the big one");
    shell.json(&["wake", "--drain"]);
    assert_eq!(shell.json(&["runs", agent]).as_array().unwrap().len(), 2);
}

#[test]
fn two_clients_at_once_add_everything_exactly_once() {
    let shell = Shell::new();
    let _server = Server::start(&shell);
    thread::scope(|scope| {
        for client in ["a", "b"] {
            let shell = &shell;
            scope.spawn(move || (0..20).for_each(|n| drop(add(shell, &format!("{client}{n}")))));
        }
    });
    let mut found = titles(&shell);
    found.sort();
    let mut expected: Vec<String> =
        ["a", "b"].iter().flat_map(|c| (0..20).map(move |n| format!("{c}{n}"))).collect();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn agents_are_created_at_once_without_getting_in_each_others_way() {
    let shell = Shell::new();
    let _server = Server::start(&shell);
    thread::scope(|scope| {
        for client in 0..8 {
            let shell = &shell;
            scope.spawn(move || {
                for n in 0..4 {
                    add(shell, &format!("{client} {n}"));
                    let words = ["agent", "create", "--template", "watcher", "--category", "home"];
                    shell.json(&words);
                }
            });
        }
    });
    assert_eq!(shell.json(&["agent", "list"]).as_array().unwrap().len(), 32);
    assert_eq!(titles(&shell).len(), 32);
}

#[test]
fn a_killed_server_leaves_a_home_that_goes_on() {
    let shell = Shell::new();
    let server = Server::start(&shell);
    add(&shell, "before");
    server.kill();
    assert!(shell.home().join("dormouse.sock").exists(), "it had no time to tidy up");
    add(&shell, "without");
    let server = Server::start(&shell);
    add(&shell, "after");
    assert_eq!(titles(&shell), ["after", "without", "before"]);
    server.stop();
    assert!(whole(&shell));
}

#[test]
fn commands_find_their_way_while_servers_come_and_go() {
    let shell = Shell::new();
    for n in 0..4 {
        let starting = Server::spawn(&mut shell.command(&["serve", "--listen", "127.0.0.1:0"]));
        add(&shell, &format!("start {n}"));
        let server = Server::wait(starting);
        server.tell_to_stop();
        add(&shell, &format!("stop {n}"));
        assert_eq!(server.end().0.code(), Some(0));
    }
    let found: BTreeSet<String> = titles(&shell).into_iter().collect();
    assert_eq!((found.len(), titles(&shell).len()), (8, 8), "{found:?}");
    assert!(whole(&shell));
}

#[test]
fn what_needs_the_files_alone_says_which_server_has_them() {
    let shell = Shell::new();
    let server = Server::start(&shell);
    add(&shell, "Water the ferns");
    for words in [&["doctor"][..], &["restore", "b"], &["serve"]] {
        let said = shell.run(&[words, &["--json"]].concat());
        let message = said.refused("home_locked");
        assert!(
            message.contains(&format!("its server, process {}", server.process())),
            "{message}"
        );
        assert!(said.err.contains(&format!("`kill {}`", server.process())), "{said:?}");
    }
    assert_eq!(titles(&shell).len(), 1, "the server has not noticed");
}

#[test]
fn a_server_that_dies_over_a_request_leaves_it_in_doubt() {
    let shell = Shell::new();
    add(&shell, "Water the ferns");
    let listener = UnixListener::bind(shell.home().join("dormouse.sock")).unwrap();
    let dies = thread::spawn(move || {
        let mut stream = BufReader::new(listener.accept().unwrap().0);
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        line
    });
    let said = shell.run(&["task", "add", "x", "--category", "home", "--json"]);
    assert!(said.refused("server_gone").contains("not known whether"), "{said:?}");
    assert!(said.err.contains("--request-id"), "{said:?}");
    assert!(dies.join().unwrap().contains("create_task"));
    assert_eq!(titles(&shell).len(), 1, "a socket that nobody listens on is passed over");
}

#[test]
fn the_socket_answers_line_by_line_and_survives_what_it_cannot_read() {
    let shell = Shell::new();
    let _server = Server::start(&shell);
    let mut stream =
        BufReader::new(UnixStream::connect(shell.home().join("dormouse.sock")).unwrap());
    let mut ask = |line: &str| -> Value {
        stream.get_mut().write_all(format!("{line}\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    };
    assert_eq!(ask(r#"{"call":"look","at":"tasks"}"#), json!({ "ok": [] }));
    for line in ["nonsense", "", r#"{"call":"frobnicate"}"#] {
        let error = &ask(line)["error"];
        assert_eq!(error["code"], "wrong_usage", "{line}");
        assert!(!error["hint"].as_str().unwrap().is_empty());
    }
    assert_eq!(ask(&"x".repeat(9 * 1024 * 1024))["error"]["code"], "request_too_large");
    assert_eq!(ask(r#"{"call":"kill_get"}"#), json!({ "ok": { "on": false } }));
}

/// An agent with a run that waits until somebody resumes it.
fn paused_with_a_run(shell: &Shell) -> String {
    let create = ["agent", "create", "--template", "watcher", "--category", "home"];
    let agent = shell.json(&create)["id"].as_str().unwrap().to_owned();
    shell.json(&["wake", &agent]);
    shell.json(&["agent", "pause", &agent]);
    agent
}

#[test]
fn whoever_hangs_up_while_they_wait_leaves_their_place_to_others() {
    let shell = Shell::new();
    let agent = paused_with_a_run(&shell);
    let _server = Server::start(&shell);
    let ask = |request: &Value| {
        let stream = UnixStream::connect(shell.home().join("dormouse.sock")).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        (&stream).write_all(format!("{request}\n").as_bytes()).unwrap();
        stream
    };
    let answer = |stream: &UnixStream| -> Value {
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    let wait = |ms: u64| json!({ "call": "run_follow", "agent": agent, "wait_ms": ms });
    // As many as there are places, but nobody asks for anything: whoever has something to ask is heard.
    let idle: Vec<UnixStream> = (0..256)
        .map(|_| UnixStream::connect(shell.home().join("dormouse.sock")).unwrap())
        .collect();
    for _ in 0..3 {
        assert_eq!(shell.json(&["kill", "status"])["on"], false);
    }
    drop(idle);
    // The same, all of whom wait for something.
    let waiting: Vec<UnixStream> = (0..256).map(|_| ask(&wait(600_000))).collect();
    let full = answer(&ask(&json!({ "call": "kill_get" })));
    assert_eq!(full["error"]["code"], "store_busy", "one more is told that there is no room");
    // Also those that had said all they had to say before they went away.
    waiting.iter().for_each(|stream| stream.shutdown(Shutdown::Write).unwrap());
    drop(waiting);
    assert_eq!(answer(&ask(&json!({ "call": "kill_get" })))["ok"]["on"], false);
    let asks_no_more = ask(&wait(300));
    asks_no_more.shutdown(Shutdown::Write).unwrap();
    assert_eq!(answer(&asks_no_more)["ok"]["brief"]["kind"], "pending");
    // One that has more to ask is answered to everything.
    let patient = ask(&wait(300));
    (&patient).write_all(b"{\"call\":\"kill_get\"}\n").unwrap();
    let mut lines = BufReader::new(&patient).lines().map(Result::unwrap);
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap()).unwrap();
    assert_eq!(next()["ok"]["brief"]["kind"], "pending");
    assert_eq!(next()["ok"]["on"], false);
}

#[test]
fn a_home_deep_down_has_its_socket_elsewhere_and_is_served_all_the_same() {
    let shell = Shell::at(&"deep/".repeat(30));
    let run = shell.folder().join("run");
    fs::create_dir(&run).unwrap();
    let mut command = shell.command(&["serve", "--listen", "127.0.0.1:0"]);
    let server = Server::wait(Server::spawn(command.env("XDG_RUNTIME_DIR", &run)));
    let link = shell.home().join("dormouse.sock");
    let socket = fs::read_link(&link).unwrap();
    assert!(socket.starts_with(&run), "{socket:?}");
    assert!(fs::metadata(&socket).unwrap().file_type().is_socket());
    shell.refused(&["doctor"], "home_locked");
    add(&shell, "Water the ferns");
    assert_eq!(titles(&shell), ["Water the ferns"]);
    server.stop();
    assert!(fs::symlink_metadata(&link).is_err());
    assert_eq!(fs::read_dir(&run).unwrap().count(), 0);
    assert_eq!(titles(&shell), ["Water the ferns"]);
}

/// Somebody who asks on the socket, and whose answer takes its time.
fn waits(shell: &Shell, request: &Value) -> UnixStream {
    let stream = UnixStream::connect(shell.home().join("dormouse.sock")).unwrap();
    (&stream).write_all(format!("{request}\n").as_bytes()).unwrap();
    stream
}

fn told(stream: &UnixStream) -> Value {
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap()
}

#[test]
fn a_server_that_is_told_to_stop_counts_no_run_as_interrupted_and_one_that_is_killed_does() {
    let script = Script::of(|asked| match asked.n {
        1 | 2 => Reply::hang(),
        _ => Reply::text("All is well."),
    });
    let chat = ChatServer::start_apart(script);
    let shell = Shell::new();
    shell.asks(&chat);
    let task = shell.json(&["task", "add", "Water the ferns", "--category", "home"]);
    let task = task["id"].as_str().unwrap();
    let agent = shell.json(&["agent", "create", "--template", "task_agent", "--task", task]);
    let agent = agent["id"].as_str().unwrap();
    shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    shell.json(&["wake", "--drain"]);
    let asked = |so_often: u64| {
        while chat.calls() < so_often {
            std::thread::yield_now();
        }
    };
    let server = Server::start(&shell);
    let ask = ["prompt", agent, "how is it?", "--request-id", "once"];
    let run = shell.json(&ask)["run_key"].clone();
    asked(2);
    let follows =
        waits(&shell, &json!({ "call": "run_follow", "agent": agent, "wait_ms": 600_000 }));
    let drains = waits(&shell, &json!({ "call": "wake_drain" }));
    assert!(server.stop().0.success());
    let brief = &told(&follows)["ok"]["brief"];
    assert!(brief["text"].as_str().unwrap().contains("goes on when one is started"), "{brief}");
    assert_eq!(told(&drains)["error"]["code"], "server_gone");
    let left = shell.json(&["runs", agent]);
    assert_eq!((&left[0]["run_key"], &left[0]["status"]), (&run, &json!("queued")), "{left}");
    let server = Server::start(&shell);
    asked(3);
    server.kill();
    let server = Server::start(&shell);
    let told = shell.json(&[&ask[..], &["--wait"]].concat());
    assert_eq!(told["run_key"], run);
    assert_eq!(told["brief"]["text"], "All is well.", "{told}");
    let over = &shell.json(&["runs", agent])[0];
    assert_eq!((&over["attempt"], &over["recovery"]["attempts"]), (&json!(2), &json!(1)), "{over}");
    server.stop();
}

#[test]
fn a_home_that_can_no_longer_be_watched_is_laid_down_as_if_it_were_told_to_stop() {
    let hangs = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&hangs);
    let chat = ChatServer::start_apart(Script::of(move |_| match asked.load(Ordering::SeqCst) {
        true => Reply::hang(),
        false => Reply::text("All is well."),
    }));
    let shell = Shell::new();
    shell.asks(&chat);
    let task = shell.json(&["task", "add", "Water the ferns", "--category", "work"]);
    let task = task["id"].as_str().unwrap();
    let agent = shell.json(&["agent", "create", "--template", "task_agent", "--task", task]);
    let agent = agent["id"].as_str().unwrap();
    shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    shell.json(&["wake", "--drain"]);
    // The sample has no place without it, which is noticed while the run is under way.
    shell.json(&["category", "rm", "home"]);
    let run = shell.json(&["prompt", agent, "how is it?"])["run_key"].clone();
    hangs.store(true, Ordering::SeqCst);
    let up = shell.run(&["up", "--sample", "--no-open", "--listen", "127.0.0.1:0"]);
    assert!(up.code == 1 && up.err.contains("unknown_category"), "{up:?}");
    hangs.store(false, Ordering::SeqCst);
    shell.json(&["wake", "--drain"]);
    let over = &shell.json(&["runs", agent])[0];
    assert_eq!((&over["run_key"], &over["status"]), (&run, &json!("completed")), "{over}");
    assert_eq!(over["recovery"], Value::Null, "nothing has crashed: {over}");
}

/// What a server says that finds this configuration.
fn said_at_start(config: &str) -> String {
    let shell = Shell::new();
    fs::create_dir_all(shell.home()).unwrap();
    fs::write(shell.home().join("config.toml"), config).unwrap();
    let mut command = shell.command(&["serve", "--listen", "127.0.0.1:0"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let [_serving, line] = [told.next().unwrap(), told.next().unwrap()];
    child.kill().unwrap();
    child.wait().unwrap();
    line
}

#[test]
fn a_server_whose_model_cannot_be_asked_says_so_when_it_starts() {
    let line = said_at_start("[models]\ndefault = \"far/large\"\n");
    let why = "far/large cannot be asked: no provider is configured under the name far";
    assert!(line.contains(why), "{line:?}");
    let line = said_at_start("[models]\nfast = \"far/small\"\n");
    let why =
        "far/small cannot be asked: no provider is configured under the name far; until then rules";
    assert!(line.contains(why), "{line:?}");
    let local = "[models.providers.local]\ntransport = \"openai_chat_completions\"
                 base_url = \"http://127.0.0.1:1/v1\"\n";
    let line = said_at_start(&format!("[models]\nfast = \"local/small\"\n{local}"));
    assert!(line.contains("local/small is not asked what somebody means"), "{line:?}");
    assert!(line.contains("dormouse consent grant local/small"), "{line:?}");
}

#[test]
fn whoever_waits_for_a_run_is_told_where_it_stands_when_the_server_stops() {
    let shell = Shell::new();
    let agent = paused_with_a_run(&shell);
    let server = Server::start(&shell);
    let follow = json!({ "call": "run_follow", "agent": agent, "wait_ms": 600_000 });
    let follows = waits(&shell, &follow);
    server.stop();
    let told = told(&follows);
    assert_eq!(told["ok"]["brief"]["kind"], "pending", "{told}");
}

/// Whether whoever runs these tests outlives its terminal; so do the programs that they start.
fn outlives_its_terminal() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 1
}

#[test]
fn a_terminal_that_is_closed_is_a_clean_stop() {
    if outlives_its_terminal() {
        return;
    }
    let shell = Shell::new();
    add(&shell, "Water the ferns");
    let server = Server::start(&shell);
    let process = server.process();
    let hung_up = Command::new("kill").args(["-HUP", &process]).status().unwrap();
    assert!(hung_up.success());
    let (ended, _) = server.end();
    assert!(ended.success(), "{ended:?}");
    assert!(!shell.home().join("dormouse.sock").exists(), "nothing is left behind");
    assert_eq!(shell.run(&["task", "list"]).err, "", "the stop was clean");
}

#[test]
fn a_server_whose_files_take_nothing_more_ends_and_says_why() {
    let shell = Shell::new();
    add(&shell, "Water the ferns");
    // A limit on the size of files is met as an I/O error, after which nobody knows what is on the disk.
    let mut command = Command::new("sh");
    let script = "ulimit -f 400; exec \"$0\" \"$@\"";
    command.args(["-c", script, env!("CARGO_BIN_EXE_dormouse"), "--home"]).arg(shell.home());
    command.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut ready = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut ready).unwrap();
    let long = "fern ".repeat(150);
    let refused =
        (0..600).any(|_| shell.run(&["task", "add", &long, "--category", "home"]).code != 0);
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(refused && ended.status.code() == Some(1), "{:?}: {said}", ended.status);
    assert!(said.contains("takes nothing more") && said.contains("store_io"), "{said}");
    add(&shell, "Water them again");
    assert!(whole(&shell));
}

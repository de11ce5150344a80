//! Hearing a turn from outside while it is under way: on the command line, as events over HTTP, late, again,
//! and after a crash.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use chat::{Asked, ChatServer, Reply, Script};
use serde_json::{Value, json};

use crate::server::Server;
use crate::shell::Shell;

const WORDS: &str = "I add milk.";
const LAST: &str = "Milk is on the list.";

/// A model that adds milk and says so before and after. Its last words come when it is let.
struct Milk {
    server: ChatServer,
    let_it: Sender<()>,
}

impl Milk {
    fn new() -> Milk {
        let (let_it, is_let) = channel();
        let is_let: Mutex<Receiver<()>> = Mutex::new(is_let);
        let script =
            Script::of(move |asked| match (is_about_milk(asked), asked.is_after_tools()) {
                (false, _) => Reply::text("All is well."),
                (true, false) => {
                    let arguments = json!({ "taskId": asked.task(), "items": ["milk"] });
                    let words = Reply::text(WORDS).usage(500, 20);
                    words.and_call("call_1", "add_multiple_checklist_items", arguments.to_string())
                }
                (true, true) => {
                    // Long enough for any machine; a test that never lets it fails by what it then says.
                    let in_time = is_let.lock().unwrap().recv_timeout(Duration::from_secs(60));
                    let words = if in_time.is_ok() { LAST } else { "Nobody let me." };
                    Reply::text(words).usage(600, 30)
                }
            });
        Milk { server: ChatServer::start_apart(script), let_it }
    }

    fn go_on(&self) {
        self.let_it.send(()).unwrap();
    }
}

fn is_about_milk(asked: &Asked) -> bool {
    asked.input().is_some_and(|words| words.contains("add milk"))
}

/// A home whose agent has looked once and asks this server.
pub(crate) fn home(server: &ChatServer) -> (Shell, String) {
    let shell = Shell::new();
    shell.asks(server);
    let text = |reply: &Value, field: &str| reply[field].as_str().unwrap().to_owned();
    let task = text(&shell.json(&["task", "add", "Shopping", "--category", "home"]), "id");
    let create = ["agent", "create", "--template", "task_agent", "--task", &task];
    let agent = text(&shell.json(&create), "id");
    shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    shell.json(&["wake", "--drain"]);
    (shell, agent)
}

/// Says a word to an agent on the command line and hears.
fn spoken(shell: &Shell, words: &[&str]) -> Child {
    let mut command = shell.command(words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Reads until these words have come.
fn read_until(from: &mut impl Read, words: &str) -> String {
    let mut heard = String::new();
    let mut byte = [0];
    while !heard.contains(words) {
        assert_eq!(from.read(&mut byte).unwrap(), 1, "it ended with {heard:?}");
        heard.push(char::from(byte[0]));
    }
    heard
}

/// Hears a whole command: words while nobody has let the model say its last, then the rest.
fn hears_it_all(shell: &Shell, agent: &str, milk: &Milk) {
    let mut child = spoken(shell, &["prompt", agent, "add milk", "--wait", "--follow"]);
    let mut out = child.stdout.take().unwrap();
    let mut heard = read_until(&mut out, WORDS);
    milk.go_on();
    out.read_to_string(&mut heard).unwrap();
    assert_eq!(heard, format!("{WORDS}\n{LAST}\n"));
    let (mut talk, mut err) = (String::new(), child.stderr.take().unwrap());
    err.read_to_string(&mut talk).unwrap();
    assert!(talk.contains("it asks for add_multiple_checklist_items"), "{talk}");
    assert!(child.wait().unwrap().success());
}

#[test]
fn words_are_shown_as_they_come_without_a_server_and_with_one() {
    let milk = Milk::new();
    let (shell, agent) = home(&milk.server);
    hears_it_all(&shell, &agent, &milk);
    let server = Server::start(&shell);
    hears_it_all(&shell, &agent, &milk);
    milk.go_on();
    let waited = shell.run(&["prompt", &agent, "add milk", "--wait"]);
    assert_eq!(waited.out, format!("{LAST}\n"), "whoever only waits has the same at the end");
    let mut child = spoken(&shell, &["prompt", &agent, "add milk", "--wait", "--follow", "--json"]);
    milk.go_on();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let told: Vec<Value> = lines.map(|l| serde_json::from_str(&l.unwrap()).unwrap()).collect();
    let (answer, chunks) = told.split_last().unwrap();
    assert_eq!(answer["brief"]["text"], LAST);
    assert!(chunks.iter().all(|chunk| chunk["run_key"] == answer["run_key"]), "{chunks:?}");
    assert!(chunks.iter().any(|chunk| chunk["event"] == "tool-result"), "{chunks:?}");
    child.wait().unwrap();
    server.stop();
}

/// An event as it was sent.
#[derive(Debug, Clone, PartialEq)]
struct Event {
    id: Option<String>,
    name: String,
    data: Value,
}

/// A stream of events from a server.
struct Events(BufReader<TcpStream>);

impl Events {
    #[expect(clippy::disallowed_methods, reason = "a test asks its own server")]
    fn of(server: &Server, after: Option<&str>, body: &Value) -> Events {
        let body = body.to_string();
        let last = after.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        let (host, token, length) = (server.address(), server.token(), body.len());
        // As version 1.0, so that the stream comes without a wrapping of its own.
        let head = format!(
            "POST /v1/call HTTP/1.0\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
             Accept: text/event-stream\r\nContent-Length: {length}\r\n{last}\r\n"
        );
        let mut stream = TcpStream::connect(host).unwrap();
        stream.write_all((head + &body).as_bytes()).unwrap();
        let mut events = Events(BufReader::new(stream));
        let head = events.block();
        assert!(
            head[0].contains("200") && head.join("\n").contains("text/event-stream"),
            "{head:?}"
        );
        events
    }

    /// Lines up to an empty one, or to the end.
    fn block(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            // A server that is killed may break the connection.
            if self.0.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
                return lines;
            }
            lines.push(line.trim_end().to_owned());
        }
    }

    fn next(&mut self) -> Option<Event> {
        let lines = self.block();
        let field = |name: &str| {
            let found = lines.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            found.map(str::to_owned)
        };
        let mut data: Value = serde_json::from_str(&field("data")?).unwrap();
        // Whether a request came twice is the one thing that differs between two who follow one run.
        let answer = data.get_mut("answer").and_then(Value::as_object_mut);
        answer.map(|answer| answer.remove("again"));
        Some(Event { id: field("id"), name: field("event")?, data })
    }

    /// All up to one that this is true of, or to the end.
    fn until(&mut self, mut last: impl FnMut(&Event) -> bool) -> Vec<Event> {
        let mut heard = Vec::new();
        while let Some(event) = self.next() {
            heard.push(event);
            if heard.last().is_some_and(&mut last) {
                break;
            }
        }
        heard
    }

    fn rest(&mut self) -> Vec<Event> {
        self.until(|_| false)
    }
}

fn words(events: &[Event]) -> String {
    let texts = events.iter().filter(|event| event.name == "text-delta");
    texts.map(|event| event.data["delta"].as_str().unwrap()).collect()
}

fn ids(events: &[Event]) -> Vec<(u32, u64)> {
    let place = |id: &String| {
        let (attempt, n) = id.split_once('.').unwrap();
        (attempt.parse().unwrap(), n.parse().unwrap())
    };
    events.iter().filter_map(|event| event.id.as_ref().map(place)).collect()
}

fn speak(agent: &str, request: &str) -> Value {
    json!({ "call": "prompt", "agent": agent, "text": "add milk", "request_id": request })
}

#[test]
fn a_turn_is_told_as_events_and_whoever_comes_late_or_again_gets_what_they_have_not() {
    let milk = Milk::new();
    let (shell, agent) = home(&milk.server);
    let server = Server::start(&shell);
    let mut first = Events::of(&server, None, &speak(&agent, "once"));
    let mut heard = first.until(|event| event.name == "tool-result");
    let last = heard.last().unwrap().id.clone().unwrap();
    let awake = shell.json(&["agent", "show", &agent]);
    assert_eq!((&awake["posture"], &awake["slept_at"]), (&json!("awake_running"), &Value::Null));
    assert!(!shell.run(&["agent", "show", &agent]).out.contains("sleeps"));
    // Two others, while the first listens: one that has heard as much, and one that has heard nothing.
    let follow = json!({ "call": "run_follow", "agent": agent });
    let mut again = Events::of(&server, Some(&last), &speak(&agent, "once"));
    let mut late = Events::of(&server, None, &follow);
    milk.go_on();
    let rest = first.rest();
    assert_eq!(again.rest()[1..], rest, "only what the first has not heard before");
    heard.extend(rest);
    assert_eq!(late.rest(), heard);
    let over = Events::of(&server, None, &follow).rest();
    assert_eq!(over, heard, "it is over, and still held");

    assert_eq!(words(&heard), format!("{WORDS}{LAST}"));
    let places = ids(&heard);
    assert!(places.is_sorted_by(|a, b| a < b) && places[0] == (0, 0), "{places:?}");
    let names: Vec<&str> = heard.iter().map(|event| event.name.as_str()).collect();
    assert_eq!((names[0], &names[names.len() - 2..]), ("text-start", &["text-end", "finish"][..]));
    let named = |name: &str| heard.iter().find(|event| event.name == name).unwrap().data.clone();
    let call = named("tool-call");
    assert_eq!(call["name"], "add_multiple_checklist_items");
    assert_eq!(call["input"]["items"], json!(["milk"]));
    let result = named("tool-result");
    assert_eq!((&result["name"], &result["ok"]), (&call["name"], &json!(true)));
    assert!(result["output"].as_str().unwrap().contains("milk"), "{result}");
    let usage = json!({ "inputTokens": 1_100, "outputTokens": 50 });
    assert_eq!(named("text-end"), json!({ "usage": usage }), "of both rounds");
    let finish = named("finish");
    assert!(finish["turnId"].is_string() && finish["turnIndex"].is_u64(), "{finish}");
    assert_eq!(finish["answer"]["brief"]["text"], LAST);
    let refused = json!({ "call": "run_follow", "agent": agent, "after": "yesterday" });
    server.call("Accept: text/event-stream\r\n", &refused.to_string()).refused(400, "wrong_usage");
    let listed = server.call("Accept: text/event-stream\r\n", r#"{"call":"agent_list"}"#);
    assert_eq!((listed.status, listed.body.as_array().unwrap().len()), (200, 1));
    server.stop();
}

#[test]
fn after_a_crash_nothing_that_was_told_is_told_again_under_another_name() {
    let milk = Milk::new();
    let (shell, agent) = home(&milk.server);
    let server = Server::start(&shell);
    let mut first = Events::of(&server, None, &speak(&agent, "once"));
    let mut heard = first.until(|event| event.name == "tool-result");
    // The model is being asked for its last words: what it is let to say now, nobody hears.
    while milk.server.calls() < 3 {
        std::hint::spin_loop();
    }
    server.kill();
    heard.extend(first.rest());
    milk.go_on();
    let server = Server::start(&shell);
    let last = heard.last().unwrap().id.clone().unwrap();
    let mut second = Events::of(&server, Some(&last), &speak(&agent, "once"));
    milk.go_on();
    let rest = second.rest();
    assert_eq!(words(&rest), LAST, "what is on record is not said again: {rest:?}");
    let again = rest.iter().find(|event| event.name == "restart").unwrap();
    assert_eq!((again.id.as_deref(), &again.data), (Some("1.0"), &json!({ "round": 1 })));
    let results = heard.iter().chain(&rest).filter(|event| event.name == "tool-result");
    assert_eq!(results.count(), 1);
    heard.extend(rest);
    let places = ids(&heard);
    assert!(places.is_sorted_by(|a, b| a < b), "{places:?}");
    assert_eq!(heard.last().unwrap().name, "finish");
    server.stop();
}

#[test]
fn an_answer_that_breaks_off_is_said_anew_and_the_end_is_whole() {
    let whole = "The ferns are watered and the hut is booked.";
    let script = Script::of(move |asked| match asked.n {
        0 => Reply::text("All is well."),
        1 => Reply::text(whole).cut_after(1_500),
        _ => Reply::text(whole),
    });
    let server = ChatServer::start_apart(script);
    let (shell, agent) = home(&server);
    let said = shell.run(&["prompt", &agent, "how is it?", "--follow"]);
    assert_eq!((said.code, server.calls()), (0, 3), "{said:?}");
    let lines: Vec<&str> = said.out.lines().collect();
    let [half, rest] = lines[..] else { panic!("{said:?}") };
    assert!(whole.starts_with(half) && !half.is_empty() && half != whole, "{said:?}");
    assert_eq!(rest, whole);
    assert!(said.err.contains("it broke off and begins again"), "{said:?}");
    let followed = shell.run(&["follow", &agent]);
    assert_eq!(followed.out, format!("{whole}\n"), "another process has held nothing of it");
}

#[test]
fn a_turn_that_fails_ends_in_an_error_and_not_in_a_finish() {
    let script = Script::of(|asked| match asked.n {
        0 => Reply::text("All is well."),
        _ => Reply::raw(401, "application/json", "{\"error\":{\"message\":\"no\"}}"),
    });
    let chat = ChatServer::start_apart(script);
    let (shell, agent) = home(&chat);
    let server = Server::start(&shell);
    let events = Events::of(&server, None, &speak(&agent, "once")).rest();
    let [start, error] = &events[..] else { panic!("{events:?}") };
    assert_eq!((start.name.as_str(), error.name.as_str()), ("text-start", "error"));
    assert_eq!(error.data["code"], "provider_refused");
    assert_eq!(error.data["answer"]["brief"]["kind"], "failure");
    server.stop();
}

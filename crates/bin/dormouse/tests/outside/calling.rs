//! A server's HTTP door: who is let in, and what is said to the others.

use std::net::TcpListener;

use serde_json::json;

use crate::server::Server;
use crate::shell::Shell;

const LIST: &str = r#"{"call":"look","at":"tasks"}"#;

/// A request that makes a task.
fn create(title: &str) -> serde_json::Value {
    let arguments = json!({ "title": title, "categoryId": "home" });
    json!({ "call": "do", "verb": "create_task", "arguments": arguments })
}

#[test]
fn a_program_with_the_token_is_answered_as_the_command_is() {
    let shell = Shell::new();
    let server = Server::start(&shell);
    let add = create("Water the ferns");
    let added = server.call("", &add.to_string());
    assert_eq!(added.status, 200, "{added:?}");
    assert!(added.head.contains("content-type: application/json"), "{added:?}");
    let id = added.body["answer"]["id"].as_str().unwrap();
    assert_eq!(shell.json(&["task", "show", id])["title"], "Water the ferns");
    let listed = server.call("", LIST);
    assert_eq!((listed.status, listed.body), (200, shell.json(&["task", "list"])));
    let own = format!("Origin: http://{}\r\n", server.address());
    assert_eq!(server.call(&own, LIST).status, 200);
}

#[test]
fn health_needs_no_token_and_says_nothing_else() {
    let shell = Shell::new();
    let server = Server::start(&shell);
    let head =
        format!("GET /v1/health HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", server.address());
    let answered = server.http(&head, b"");
    assert_eq!((answered.status, answered.body), (200, json!({ "ok": true })));
}

#[test]
fn without_the_token_nothing_is_said() {
    let shell = Shell::new();
    let server = Server::start(&shell);
    let right = server.token();
    let almost = format!("{}{}", &right[..63], if right.ends_with('0') { '1' } else { '0' });
    for line in [
        "".to_owned(),
        format!("Authorization: Bearer {almost}\r\n"),
        "Authorization: Bearer \r\n".into(),
    ] {
        let head = format!(
            "POST /v1/call HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{line}",
            server.address(),
            LIST.len()
        );
        let answered = server.http(&head, LIST.as_bytes());
        answered.refused(401, "bad_token");
        assert!(answered.head.contains("www-authenticate: bearer"), "{answered:?}");
        assert!(!answered.body.to_string().contains(&right));
    }
}

#[test]
fn a_page_of_somebody_else_is_refused_even_with_the_token() {
    let shell = Shell::new();
    let server = Server::start(&shell);
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
        server.call(&format!("Origin: {origin}\r\n"), LIST).refused(403, "foreign_origin");
    }
    let port = server.address().rsplit_once(':').unwrap().1;
    for host in ["evil.example".to_owned(), format!("evil.example:{port}"), "127.0.0.1".to_owned()]
    {
        for path in ["GET /v1/health", "POST /v1/call"] {
            let head = format!(
                "{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
                 Authorization: Bearer {}\r\n",
                server.token()
            );
            server.http(&head, b"").refused(403, "foreign_origin");
        }
    }
    let local =
        format!("GET /v1/health HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n");
    assert_eq!(server.http(&local, b"").status, 200);
}

#[test]
fn what_cannot_be_read_or_is_too_much_or_nowhere_is_said_with_a_code() {
    let shell = Shell::new();
    let server = Server::start(&shell);
    for body in
        ["", "{", "[]", r#"{"call":"frobnicate"}"#, r#"{"call":"look","at":"tasks","colour":1}"#]
    {
        server.call("", body).refused(400, "wrong_usage");
    }
    server.call("", &" ".repeat(9 * 1024 * 1024)).refused(413, "request_too_large");
    let host = server.address();
    for (line, status) in [("GET /v1/call", 405), ("GET /", 404), ("POST /v2/call", 404)] {
        let head = format!("{line} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        server.http(&head, b"").refused(status, "wrong_usage");
    }
    for (line, allow) in [("GET /v1/call", "post"), ("PUT /v1/health", "get, head")] {
        let head = format!("{line} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        let answered = server.http(&head, b"");
        assert!(answered.head.contains(&format!("allow: {allow}\r\n")), "{answered:?}");
    }
    assert_eq!(server.call("", LIST).status, 200, "it has come through all this");
}

#[test]
fn what_the_router_refuses_has_its_code_and_status() {
    let shell = Shell::new();
    let server = Server::start(&shell);
    let call = |request: serde_json::Value| server.call("", &request.to_string());
    call(json!({ "call": "look", "at": "task", "task": "task_nope" })).refused(404, "unknown_task");
    let blank = create(" ");
    call(blank).refused(422, "invalid_record");
    let create = json!({ "call": "agent_create", "template": "watcher", "category": "home" });
    let agent = call(create).body["id"].clone();
    assert_eq!(call(json!({ "call": "agent_destroy", "agent": agent })).status, 200);
    call(json!({ "call": "wake", "agent": agent })).refused(409, "agent_destroyed");
}

#[test]
fn what_is_said_is_kept_with_the_door_that_it_came_through() {
    let shell = Shell::new();
    let server = Server::start(&shell);
    let agent = shell.json(&["agent", "create", "--template", "watcher", "--category", "home"]);
    let agent = agent["id"].as_str().unwrap();
    let prompt = json!({ "call": "prompt", "agent": agent, "text": "hello", "session": "far" });
    assert_eq!(server.call("", &prompt.to_string()).status, 200);
    shell.json(&["prompt", agent, "hello", "--session", "near"]);
    let door = |session: &str| {
        shell.json(&["session", "show", agent, session])["channel"].as_str().unwrap().to_owned()
    };
    assert_eq!((door("far"), door("near")), ("http_control_prompt".into(), "cli_prompt".into()));
}

#[test]
fn only_a_free_loopback_address_is_listened_on() {
    let shell = Shell::new();
    shell.refused(&["serve", "--listen", "0.0.0.0:0"], "not_loopback");
    shell.refused(&["serve", "--listen", "[::]:0"], "not_loopback");
    assert_eq!(shell.run(&["serve", "--listen", "here"]).code, 2);
    assert!(!shell.home().exists(), "an address that cannot be made a home");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let message = shell.refused(&["serve", "--listen", &address], "address_in_use");
    assert!(message.contains(&address), "{message}");
    assert!(!shell.home().join("dormouse.sock").exists());
    shell.json(&["task", "add", "the home is free", "--category", "home"]);
}

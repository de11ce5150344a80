//! What the server says is what the official client of OpenAI reads.

#![expect(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use chat::{Asked, ChatServer, Reply, Script};
use serde_json::json;

/// The release that the shapes were checked against.
const RELEASE: &str = "openai==3.49.0";

#[test]
fn the_official_client_reads_everything_the_server_says() {
    let python = python_with_client();
    let server = ChatServer::start_apart(Script::of(by_model));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openai_client.py");
    let run = Command::new(python).arg(script).arg(server.base_url()).output().unwrap();
    let (out, talk) = (text(&run.stdout), text(&run.stderr));
    assert!(run.status.success(), "the official client disagrees:\n{out}\n{talk}");
    assert_eq!(out.lines().filter(|line| line.starts_with("ok ")).count(), 7, "{out}");
}

fn by_model(asked: &Asked) -> Reply {
    let words = || Reply::text("Grüße, Ümit. 🐭 sleeps.").usage(7, 5);
    match asked.json()["model"].as_str().unwrap() {
        "text" => words(),
        "pieces" => words().in_pieces(3),
        "calls" => Reply::call("call_a", "add", &json!({"items": ["käse", "milk"]}))
            .and_call("call_b", "add", "{no JSON"),
        "length" => words().finish("length"),
        "filter" => words().finish("content_filter"),
        "context" => Reply::context_length_exceeded(),
        "key" => Reply::bad_key(asked.key.as_deref().unwrap()),
        "region" => Reply::forbidden(),
        "nowhere" => Reply::no_such_model("nowhere"),
        "broken" => Reply::server_error(),
        "overloaded" => Reply::overloaded(),
        "limited" => Reply::rate_limited().header("retry-after", "2"),
        "stream-error" => words().then_error("server_error", None, "The server gave up."),
        "cut" => words().cut_after(250),
        "hang" => Reply::hang(),
        other => Reply::no_such_model(other),
    }
}

/// A Python that has the client, in a folder of the build. The first run on a machine fetches it.
fn python_with_client() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("openai-client");
    let python = folder.join("bin/python");
    let marker = folder.join(RELEASE);
    if !marker.exists() {
        let _ = fs::remove_dir_all(&folder);
        must_run(
            "python3 with its venv module",
            Command::new("python3").arg("-m").arg("venv").arg(&folder),
        );
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", RELEASE];
        must_run("pip and a package index", Command::new(&python).args(install));
        fs::write(&marker, "").unwrap();
    }
    python
}

fn must_run(needs: &str, command: &mut Command) {
    let run = command.output();
    let run = run.unwrap_or_else(|error| panic!("this test needs {needs}: {error}"));
    let (out, talk) = (text(&run.stdout), text(&run.stderr));
    assert!(run.status.success(), "this test needs {needs}; {command:?} said:\n{out}\n{talk}");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

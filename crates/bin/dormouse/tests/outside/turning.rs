//! The story of a task agent, with the built-in model and with a server that speaks Chat Completions.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use chat::{ChatServer, Reply, Script};
use serde_json::{Value, json};

use crate::server::Server;
use crate::shell::{Said, Shell};

fn text(reply: &Value, field: &str) -> String {
    reply[field].as_str().unwrap().to_owned()
}

/// A task with two items and an agent that has looked once.
fn tended(shell: &Shell) -> (String, String, String) {
    let task = text(&shell.json(&["task", "add", "Plan a trip", "--category", "home"]), "id");
    let item = text(&shell.json(&["task", "item", "add", &task, "Book the hut"]), "id");
    shell.json(&["task", "item", "add", &task, "Buy a map"]);
    let create = ["agent", "create", "--template", "task_agent", "--task", &task];
    (task.clone(), item, text(&shell.json(&create), "id"))
}

fn runs(shell: &Shell, agent: &str) -> Vec<Value> {
    shell.json(&["runs", agent]).as_array().unwrap().clone()
}

/// The runs of an agent as soon as so many of them are over. It is asked again and again: an agent that
/// has just looked rests for two seconds before it looks again.
fn settled(shell: &Shell, agent: &str, wanted: usize) -> Vec<Value> {
    for _ in 0..2_000 {
        let all = runs(shell, agent);
        if all.iter().filter(|run| run["status"] == "completed").count() >= wanted {
            return all;
        }
    }
    panic!("{:?}", runs(shell, agent));
}

fn served_by(shell: &Shell, server: &ChatServer) {
    shell.asks(server);
    let prices = "[\"local/test-model\"]\ninput_per_million = 1.0\noutput_per_million = 2.0\n";
    fs::write(shell.home().join("prices.toml"), prices).unwrap();
}

#[test]
fn a_check_gives_exactly_one_more_run_and_a_report_that_names_it() {
    let shell = Shell::new();
    let (_, item, agent) = tended(&shell);
    let server = Server::start(&shell);
    settled(&shell, &agent, 1);
    assert_eq!(runs(&shell, &agent).len(), 1, "creation gives one run");
    let first = text(&shell.json(&["report", &agent]), "content");
    shell.json(&["task", "item", "check", &item]);
    shell.json(&["task", "add", "Something else", "--category", "home"]);
    let all = settled(&shell, &agent, 2);
    assert_eq!(all.len(), 2, "{all:?}");
    assert_eq!(all[0]["reason"], "subscription");
    for run in &all {
        assert_eq!(run["status"], "completed");
        assert_eq!(run["model"], "builtin/scribe");
        assert!(run["model_calls"].as_u64().unwrap() > 0 && run["tokens_in"].as_u64().unwrap() > 0);
        assert_eq!(run["cost"].as_f64(), Some(0.0));
    }
    let report = shell.json(&["report", &agent]);
    let content = text(&report, "content");
    assert!(content != first && content.contains("checked off: Book the hut"), "{content}");
    let claims = report["claims"].as_array().unwrap();
    assert!(claims.iter().any(|claim| claim.to_string().contains(&item)), "{claims:?}");
    assert_eq!(report["freshness"]["stale"], false);
    let about = shell.json(&["reports", &item]);
    assert_eq!((about.as_array().unwrap().len(), &about[0]["id"]), (1, &report["id"]));
    let said = about[0]["claims"].as_array().unwrap();
    assert!(!said.is_empty() && said.iter().all(|claim| claim.to_string().contains(&item)));
    let all = shell.json(&["reports", &item, "--agent", &agent]);
    let stands: Vec<_> = all.as_array().unwrap().iter().map(|one| &one["stands"]).collect();
    assert_eq!(stands, [true, false], "the first report, of its creation, rests on it too");
    server.stop();
}

#[test]
fn the_same_story_with_a_chat_completions_server() {
    let shell = Shell::new();
    let script = Script::of(|asked| {
        let body = asked.json();
        let said = body["messages"].as_array().unwrap().last().unwrap()["role"].clone();
        let words = body.to_string();
        if said == "tool" {
            return Reply::text("The report is up to date.").usage(500, 20);
        }
        let change =
            if words.contains("# What changed") { "Book the hut is done" } else { "Two open" };
        let claims = json!([{ "text": change, "inferred": true }]);
        Reply::call("call_1", "update_report", &json!({ "content": change, "claims": claims }))
            .usage(500, 20)
    });
    let server = ChatServer::start_apart(script);
    served_by(&shell, &server);
    let (_, item, agent) = tended(&shell);
    shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    shell.json(&["wake", "--drain"]);
    assert_eq!(server.calls(), 2);
    assert_eq!(text(&shell.json(&["report", &agent]), "content"), "Two open");
    shell.json(&["task", "item", "check", &item]);
    shell.json(&["wake", "--drain"]);
    assert_eq!(server.calls(), 4, "exactly one turn more");
    assert_eq!(text(&shell.json(&["report", &agent]), "content"), "Book the hut is done");
    let run = runs(&shell, &agent).remove(0);
    assert_eq!((run["tokens_in"].as_u64(), run["tokens_out"].as_u64()), (Some(1_000), Some(40)));
    assert_eq!(run["cost"].as_f64(), Some(0.00108));
    let before = server.calls();
    shell.json(&["task", "add", "Something else", "--category", "home"]);
    shell.json(&["wake", "--drain"]);
    assert_eq!(server.calls(), before, "somebody else's task costs nothing");
}

#[test]
fn a_prompt_is_answered_and_a_repeated_request_is_the_same_run() {
    let shell = Shell::new();
    let (task, _, agent) = tended(&shell);
    let ask = ["prompt", &agent, "add buy rain coats", "--wait", "--request-id", "once"];
    let first = shell.json(&ask);
    assert_eq!(first["brief"]["kind"], "result");
    let again = shell.json(&ask);
    assert_eq!(first["run_key"], again["run_key"]);
    let shown = shell.json(&["task", "show", &task]);
    let items = shown["items"].as_array().unwrap();
    let coats = items.iter().filter(|item| item["title"] == "buy rain coats").count();
    assert_eq!(coats, 1, "{items:?}");
    let operation = text(&shell.json(&["undo", first["run_key"].as_str().unwrap()]), "operation");
    assert!(!operation.is_empty());
    let shown = shell.json(&["task", "show", &task]);
    assert_eq!(shown["items"].as_array().unwrap().len(), 2, "undone as one");
}

#[test]
fn a_run_is_undone_by_the_name_that_lists_show_and_one_that_changed_nothing_says_so() {
    let shell = Shell::new();
    let (task, _, agent) = tended(&shell);
    let added = text(&shell.json(&["prompt", &agent, "add rain coats", "--wait"]), "run_key");
    let asked = text(&shell.json(&["prompt", &agent, "what is open?", "--wait"]), "run_key");
    let message = shell.refused(&["undo", &asked], "cannot_undo");
    assert!(message.contains("changed nothing in the journal"), "{message}");
    let message = shell.refused(&["undo", &asked[..12]], "unknown_operation");
    assert!(message.contains("no run that changed anything in the journal"), "{message}");
    shell.refused(&["undo", &"0".repeat(64)], "unknown_operation");
    shell.json(&["undo", &added[..12]]);
    let shown = shell.json(&["task", "show", &task]);
    assert_eq!(shown["items"].as_array().unwrap().len(), 2, "{shown}");
}

#[test]
fn a_run_that_waits_is_cancelled_and_the_agent_goes_on_without_it() {
    let shell = Shell::new();
    let (task, _, agent) = tended(&shell);
    shell.json(&["wake", "--drain"]);
    let run = text(&shell.json(&["prompt", &agent, "add buy rain coats"]), "run_key");
    shell.refused(&["cancel", &agent], "unknown_operation");
    let cancelled = shell.json(&["cancel", &agent, "--run", &run[..12]]);
    assert_eq!(cancelled["run_key"], run.as_str());
    assert_eq!(cancelled["failure"]["code"], "run_cancelled");
    shell.json(&["wake", "--drain"]);
    let shown = shell.json(&["task", "show", &task]);
    assert_eq!(shown["items"].as_array().unwrap().len(), 2, "nothing of it was done");
    let brief = &shell.json(&["prompt", &agent, "what is open?", "--wait"])["brief"];
    assert_eq!(brief["kind"], "result", "{brief}");
    shell.refused(&["cancel", &agent, "--run", &run], "unknown_operation");
}

#[test]
fn up_with_a_sample_shows_a_wake_and_what_it_cost() {
    let shell = Shell::new();
    let mut command = shell.command(&["up", "--sample", "--no-open", "--listen", "127.0.0.1:0"]);
    let mut child = Server::spawn(&mut command);
    let mut seen = String::new();
    for line in BufReader::new(child.stdout.as_mut().unwrap()).lines() {
        seen += &(line.unwrap() + "\n");
        if seen.matches("no cost").count() == 2 {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    for part in
        ["Dormouse is up at http://127.0.0.1:", "checked off: Choose a hut", "report updated"]
    {
        assert!(seen.contains(part), "{seen}");
    }
}

#[test]
fn up_goes_on_and_can_be_stopped_when_nobody_reads_what_it_shows() {
    let shell = Shell::new();
    let (_, _, agent) = tended(&shell);
    let (reader, mut writer) = std::io::pipe().unwrap();
    let out = writer.try_clone().unwrap();
    let (wrote, written) = mpsc::channel();
    // Full from the beginning, however much it holds; this ends when the other end is closed.
    let filling = thread::spawn(move || {
        while writer.write_all(&[b'x'; 4096]).is_ok() {
            let _ = wrote.send(());
        }
    });
    while written.recv_timeout(Duration::from_millis(300)).is_ok() {}
    let mut up = shell.command(&["up", "--no-open", "--listen", "127.0.0.1:0"]);
    let mut child = up.stdout(out).stderr(Stdio::null()).spawn().unwrap();
    // Otherwise the pipe would stay open here.
    drop(up);
    let id = child.id().to_string();
    let tell = |signal: &str| Command::new("kill").args([signal, &id]).status().unwrap().success();
    for _ in 0..2_000 {
        if shell.home().join("dormouse.sock").exists() {
            break;
        }
        shell.run(&["kill", "status"]);
    }
    for _ in 0..3 {
        let answer = shell.json(&["prompt", &agent, "what is open?", "--wait"]);
        assert_eq!(answer["brief"]["kind"], "result", "{answer}");
    }
    assert!(shell.home().join("dormouse.sock").exists() && tell("-TERM"));
    let (ended, end) = mpsc::channel();
    let ending = thread::spawn(move || ended.send(child.wait().unwrap().code()));
    let code = end.recv_timeout(Duration::from_secs(20));
    if code.is_err() {
        tell("-KILL");
    }
    drop(reader);
    filling.join().unwrap();
    let _ = ending.join().unwrap();
    assert_eq!(code, Ok(Some(0)), "it did not stop");
    assert_eq!(shell.run(&["doctor"]).code, 0);
}

/// What is said of the sample when a home comes up, and what is said besides.
fn up_with_a_sample(shell: &Shell) -> (String, String) {
    let mut command = shell.command(&["up", "--sample", "--no-open", "--listen", "127.0.0.1:0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let sample = lines.find(|line| line.starts_with("sample: ")).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    (sample, std::io::read_to_string(child.stderr.take().unwrap()).unwrap())
}

#[test]
fn up_says_what_has_become_of_the_sample_and_that_everything_is_stopped() {
    let shell = Shell::new();
    let (made, besides) = up_with_a_sample(&shell);
    assert!(made.ends_with("and an agent that tends it"), "{made}");
    assert!(!besides.contains("kill switch"), "{besides}");
    let agent = text(&shell.json(&["agent", "list"])[0], "id");
    let task = text(&shell.json(&["agent", "show", &agent]), "task");
    let item = text(&shell.json(&["task", "show", &task])["items"][0], "id");
    shell.json(&["task", "item", "check", &item]);
    shell.json(&["kill", "on"]);
    let (checked, besides) = up_with_a_sample(&shell);
    assert!(checked.contains("tends it; what was to be checked off is not open"), "{checked}");
    assert!(besides.contains("the kill switch is on"), "{besides}");
    shell.json(&["kill", "off"]);
    shell.json(&["agent", "pause", &agent]);
    let (resting, _) = up_with_a_sample(&shell);
    assert!(resting.contains(&format!("`dormouse agent resume {agent}`")), "{resting}");
    shell.json(&["agent", "destroy", &agent]);
    let (untended, _) = up_with_a_sample(&shell);
    assert!(untended.contains("nobody tends it") && untended.contains(&task), "{untended}");
    shell.json(&["task", "rm", &task]);
    let (removed, _) = up_with_a_sample(&shell);
    assert!(removed.contains("its task was removed"), "{removed}");
}

#[test]
fn a_provider_that_is_down_or_talks_nonsense_is_told_of_and_does_nothing() {
    let shell = Shell::new();
    let ten_megabytes = "x".repeat(10 * 1024 * 1024);
    for (reply, code) in [
        (Reply::raw(200, "application/json", "{\"choices\": ["), "invalid_response"),
        (Reply::raw(200, "application/json", ten_megabytes.clone()), "invalid_response"),
        (Reply::nothing(), "invalid_response"),
        (
            Reply::raw(401, "application/json", "{\"error\":{\"message\":\"no\"}}"),
            "provider_refused",
        ),
    ] {
        let shell = Shell::new();
        let server = ChatServer::start_apart(Script::always(reply));
        served_by(&shell, &server);
        let (task, _, agent) = tended(&shell);
        shell.json(&["consent", "grant", "local/test-model", "--yes"]);
        let reply = shell.failed(&["prompt", &agent, "add milk", "--wait"]);
        let brief = reply["brief"].clone();
        let followed = shell.run(&["follow", &agent, "--run", &text(&reply, "run_key")]);
        assert!(followed.code == 1 && followed.out.starts_with("failure: "), "{followed:?}");
        // The same to whoever waited and to whoever looks later; never what the provider sent.
        let failure = &brief["failure"];
        assert_eq!(failure["kind"], code, "{failure}");
        assert!(failure.to_string().len() < 2_500, "{failure}");
        let all = runs(&shell, &agent);
        let run = all.iter().find(|run| run["run_key"] == reply["run_key"]).unwrap();
        assert_eq!(&run["failure"]["artifact"], failure);
        assert_eq!(run["failure"]["timeline"]["attempts"][0]["attempt"], 1);
        assert_eq!(run["closure"], "failed");
        assert_eq!(run["continuation"]["trigger_kind"], "operator_input");
        let shown = shell.json(&["agent", "show", &agent]);
        assert_eq!(shown["closure"]["outcome"], "failed", "{shown}");
        assert_eq!(shown["sleeps_because"], "failed", "{shown}");
        // It rests for a while: what it would look at meanwhile waits, and nobody is told to drain.
        let changed = shell.run(&["task", "item", "add", &task, "Pack a lamp"]);
        assert_eq!(changed.err, "");
        let waits = &runs(&shell, &agent)[0];
        assert!(waits["status"] == "queued" && waits["next_at"].is_string(), "{waits}");
        let words = text(&brief, "text");
        assert!(words.contains(code) && words.contains("Nothing was done."), "{words}");
    }
    let (_, _, agent) = tended(&shell);
    assert_eq!(shell.json(&["prompt", &agent, "status?", "--wait"])["brief"]["kind"], "result");
    assert_eq!(shell.json(&["agent", "show", &agent])["closure"]["outcome"], "completed");
    let text = shell.run(&["agent", "show", &agent]).out;
    assert!(text.contains("last turn  completed"), "{text}");
}

#[test]
fn an_agent_shows_what_it_has_spent_today_and_of_how_much() {
    let shell = Shell::new();
    fs::create_dir_all(shell.home()).unwrap();
    fs::write(shell.home().join("config.toml"), "[budget]\ntokens_per_day = 900000\n").unwrap();
    let (_, _, agent) = tended(&shell);
    let budget = || shell.json(&["agent", "show", &agent])["budget"].clone();
    assert_eq!(budget()["tokens"], json!({ "spent": 0, "set_aside": 0, "limit": 900_000 }));
    shell.json(&["prompt", &agent, "add milk", "--wait"]);
    let number = |value: &Value| value.as_u64().unwrap();
    let of_run = |run: &Value| number(&run["tokens_in"]) + number(&run["tokens_out"]);
    let counted: u64 = runs(&shell, &agent).iter().map(of_run).sum();
    let after = budget();
    assert_eq!(after["tokens"], json!({ "spent": counted, "set_aside": 0, "limit": 900_000 }));
    assert!(counted > 0 && number(&after["tool_calls"]["spent"]) > 0, "{after}");
    let text = shell.run(&["agent", "show", &agent]).out;
    assert!(text.contains(&format!("  today      {counted} of 900000 tokens, ")), "{text}");
    assert!(shell.json(&["agent", "list"])[0].get("budget").is_none(), "it costs a look each");
}

#[test]
fn agents_that_failed_as_often_as_is_borne_go_on_together_when_somebody_says_so() {
    let shell = Shell::new();
    let back = Arc::new(AtomicBool::new(false));
    let is_back = Arc::clone(&back);
    let script = Script::of(move |_| match is_back.load(Ordering::Relaxed) {
        true => Reply::text("Here I am."),
        false => Reply::raw(401, "application/json", "{\"error\":{\"message\":\"no\"}}"),
    });
    let server = ChatServer::start_apart(script);
    served_by(&shell, &server);
    let config = shell.home().join("config.toml");
    let words = fs::read_to_string(&config).unwrap();
    fs::write(&config, format!("{words}[runtime]\nfailures_max = 1\n")).unwrap();
    let [(_, _, one), (_, _, other), (_, _, paused)] = [(); 3].map(|()| tended(&shell));
    shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    shell.json(&["agent", "pause", &paused]);
    shell.json(&["wake", "--drain"]);
    let why = |agent: &str| shell.json(&["agent", "show", agent])["dormant_because"].clone();
    let all = || [why(&one), why(&other), why(&paused)];
    assert_eq!(all(), [json!("failures"), json!("failures"), json!("paused")]);
    back.store(true, Ordering::Relaxed);
    let resumed = shell.json(&["agent", "resume", "--failed"]);
    assert_eq!(resumed.as_array().map(Vec::len), Some(2), "{resumed}");
    assert_eq!(all(), [Value::Null, Value::Null, json!("paused")]);
    shell.json(&["wake", "--drain"]);
    for agent in [&one, &other] {
        assert_eq!(shell.json(&["agent", "show", agent])["closure"]["outcome"], "completed");
    }
    let none = shell.run(&["agent", "resume", "--failed"]);
    assert_eq!((none.code, none.out.as_str()), (0, "no agent is dormant because of failures\n"));
    assert_eq!(shell.run(&["agent", "resume"]).code, 2, "whom?");
    assert_eq!(shell.run(&["agent", "resume", &paused, "--failed"]).code, 2, "the one or all?");
}

#[test]
fn how_answers_are_made_is_as_configured_and_a_tools_answer_is_cut_as_the_environment_says() {
    let shell = Shell::new();
    let script = Script::of(|asked| match asked.is_after_tools() {
        true => Reply::text("Added."),
        false => {
            let arguments = json!({ "taskId": asked.task(), "items": ["milk", "bread"] });
            Reply::call("call_1", "add_multiple_checklist_items", &arguments)
        }
    });
    let server = ChatServer::start_apart(script);
    served_by(&shell, &server);
    let file = shell.home().join("config.toml");
    let made = "temperature = 0.25\ntop_p = 0.5\nmax_output_tokens = 900\nseed = 42\n";
    fs::write(&file, fs::read_to_string(&file).unwrap() + made).unwrap();
    let (_, _, agent) = tended(&shell);
    shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    let cut = "DORMOUSE_DEFAULT_TOOL_OUTPUT_TOKENS";
    let prompt = ["prompt", &agent, "add milk and bread", "--wait", "--json"];
    let refused = shell.command(&prompt).env(cut, "many").output().unwrap();
    let said = Said::from(refused).refused("bad_config");
    assert!(said.starts_with(cut), "{said}");
    assert_eq!(server.calls(), 0);
    assert!(shell.command(&prompt).env(cut, "50").output().unwrap().status.success());
    let asked = server.asked();
    for one in &asked {
        let body = one.json();
        assert_eq!((body["temperature"].as_f64(), body["top_p"].as_f64()), (Some(0.25), Some(0.5)));
        assert_eq!((&body["max_tokens"], &body["seed"]), (&json!(900), &json!(42)));
    }
    let last = asked.last().unwrap().json()["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["role"], "tool");
    let shown: Value = serde_json::from_str(last["content"].as_str().unwrap()).unwrap();
    assert!(shown["payload"]["digest"].is_string(), "{shown}");
}

/// Every file under a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    found.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn the_key_of_a_provider_is_in_no_file_of_the_home_and_in_no_output() {
    const KEY: &str = "sk-giraffe-0815";
    let shell = Shell::new();
    let server =
        ChatServer::start_apart(Script::queue([Reply::text("Fine."), Reply::bad_key(KEY)]));
    served_by(&shell, &server);
    let file = shell.home().join("config.toml");
    fs::write(&file, fs::read_to_string(&file).unwrap() + "secret = \"env:LOCAL_KEY\"\n").unwrap();
    let (_, _, agent) = tended(&shell);
    shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    let mut said = String::new();
    for words in [
        // Its first look goes well; then the provider quotes the key as it refuses it.
        &["prompt", &agent, "how is it?", "--wait"][..],
        &["runs", &agent, "--json"],
        &["agent", "show", &agent, "--json"],
        &["providers", "--json"],
    ] {
        let told = Said::from(shell.command(words).env("LOCAL_KEY", KEY).output().unwrap());
        said += &(told.out + &told.err);
    }
    assert!(said.contains("Incorrect API key provided: <redacted>"), "{said}");
    assert_eq!(server.calls(), 2);
    assert!(server.asked().iter().all(|asked| asked.key.as_deref() == Some(KEY)));
    assert!(!said.contains(KEY), "{said}");
    let files = files(&shell.home());
    assert!(files.len() > 2, "{files:?}");
    for file in files {
        let bytes = fs::read(&file).unwrap();
        assert!(!bytes.windows(KEY.len()).any(|found| found == KEY.as_bytes()), "{file:?}");
    }
}

#[test]
fn the_providers_are_told_with_what_stands_in_the_way() {
    let shell = Shell::begun();
    assert_eq!(shell.json(&["providers"]), json!([]), "the built-in model needs none");
    let config = "[models.providers.far]\ntransport = \"openai_chat_completions\"\n\
                  base_url = \"http://127.0.0.1:9/v1\"\nsecret = \"env:DORMOUSE_NO_SUCH_KEY\"\n";
    fs::write(shell.home().join("config.toml"), config).unwrap();
    let told = shell.json(&["providers"]);
    assert_eq!((&told[0]["provider"], &told[0]["available"]), (&json!("far"), &json!(false)));
    assert!(text(&told[0], "obstacle").contains("DORMOUSE_NO_SUCH_KEY"), "{told}");
    assert_eq!(told[0]["retry"]["attempts_max"], 3);
}

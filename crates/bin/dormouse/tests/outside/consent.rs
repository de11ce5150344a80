//! `config.toml`, and agreeing to a model.

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;

use serde_json::{Value, json};

use crate::server::Server;
use crate::shell::{Said, Shell};

const CONFIG: &str = r#"
[models]
default = "local/test-model"
fallback = ["local/other"]
[models.providers.local]
transport = "openai_chat_completions"
base_url = "http://127.0.0.1:9999/v1"
secret = "env:LOCAL_KEY"
"#;

fn configured(config: &str) -> Shell {
    let shell = Shell::new();
    configure(&shell, config);
    shell
}

fn configure(shell: &Shell, config: &str) {
    fs::create_dir_all(shell.home()).unwrap();
    fs::write(shell.home().join("config.toml"), config).unwrap();
}

fn standings(shell: &Shell) -> Vec<(String, String)> {
    let text = |receipt: &Value, field: &str| receipt[field].as_str().unwrap().to_owned();
    let receipts = shell.json(&["consent", "list"]);
    let receipts = receipts.as_array().unwrap().iter();
    receipts.map(|receipt| (text(receipt, "model"), text(receipt, "standing"))).collect()
}

fn is(model: &str, standing: &str) -> (String, String) {
    (model.to_owned(), standing.to_owned())
}

#[test]
fn agreeing_answers_with_the_receipt_and_the_same_again_with_the_same() {
    let shell = configured(CONFIG);
    let receipt = shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    assert_eq!((&receipt["provider"], &receipt["model"]), (&json!("local"), &json!("test-model")));
    assert_eq!((&receipt["revoked"], &receipt["standing"]), (&json!(false), &json!("stands")));
    for field in ["id", "policy_version", "confirmed_at"] {
        assert!(receipt[field].is_string(), "{receipt}");
    }
    assert_eq!(shell.json(&["consent", "grant", "local/test-model", "--yes"]), receipt);
    assert_eq!(shell.json(&["consent", "list"]), json!([receipt]));
    let said = shell.run(&["consent", "grant", "local/other", "--yes"]);
    assert_eq!((said.code, said.out.starts_with("agreed to local/other (consent_")), (0, true));
    for term in ["goes to       http://127.0.0.1:9999/v1", "training      not stated"] {
        assert!(said.err.contains(term), "what was agreed to is shown: {said:?}");
    }
}

#[test]
fn where_nobody_can_be_asked_nothing_is_agreed_to_unless_it_was_said_so() {
    let shell = configured(CONFIG);
    let said = shell.run(&["consent", "grant", "local/test-model"]);
    assert_eq!((said.code, said.out.as_str()), (1, ""), "{said:?}");
    for part in ["http://127.0.0.1:9999/v1", "privacy_confirmation_required", "--yes"] {
        assert!(said.err.contains(part), "{said:?}");
    }
    let mut answering = shell.command(&["consent", "grant", "local/test-model", "--json"]);
    let yes = shell.folder().join("yes");
    fs::write(&yes, "y\n").unwrap();
    let answered = answering.stdin(fs::File::open(&yes).unwrap()).output().unwrap();
    Said::from(answered).refused("privacy_confirmation_required");
    assert_eq!(shell.json(&["consent", "list"]), json!([]));
}

#[test]
fn another_address_needs_another_consent_and_what_is_taken_back_is_shown_so() {
    let shell = configured(CONFIG);
    shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    configure(&shell, &CONFIG.replace("9999", "9998"));
    assert_eq!(standings(&shell), [is("test-model", "outdated")]);
    shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    let both = [is("test-model", "stands"), is("test-model", "outdated")];
    assert_eq!(standings(&shell), both);
    configure(&shell, &CONFIG.replace("secret", "retention = \"a day\"\nsecret"));
    assert_eq!(standings(&shell), [is("test-model", "outdated"), is("test-model", "outdated")]);
    assert_eq!(shell.json(&["consent", "revoke", "local/test-model"])["revoked"], true);
    assert_eq!(standings(&shell), [is("test-model", "revoked"), is("test-model", "revoked")]);
    assert!(shell.run(&["consent", "list"]).out.contains("local/test-model"));
}

#[test]
fn what_is_not_configured_cannot_be_agreed_to_from_outside() {
    let shell = configured(CONFIG);
    shell.refused(&["consent", "grant", "far/test-model"], "provider_not_allowed");
    shell.refused(&["consent", "grant", "local/unheard-of"], "model_not_allowed");
    shell.refused(&["consent", "grant", "builtin/scribe"], "no_such_step");
    shell.refused(&["consent", "grant", "gpt"], "wrong_usage");
    shell.refused(&["consent", "revoke", "local/test-model"], "unknown_record");
    assert_eq!(shell.json(&["consent", "list"]), json!([]));
}

#[test]
fn a_server_keeps_and_shows_consent_as_a_command_does() {
    let shell = configured(CONFIG);
    let server = Server::start(&shell);
    let receipt = shell.json(&["consent", "grant", "local/test-model", "--yes"]);
    let listed = server.call("", r#"{"call":"consent_list"}"#);
    assert_eq!((listed.status, listed.body), (200, json!([receipt])));
    let terms = server.call("", r#"{"call":"consent_terms","model":"local/test-model"}"#).body;
    assert_eq!(terms["destination"], "http://127.0.0.1:9999/v1");
    assert_eq!(terms["training"], "not stated in config.toml");
    server
        .call("", r#"{"call":"consent_grant","model":"far/x"}"#)
        .refused(403, "provider_not_allowed");
}

#[test]
fn a_configuration_that_is_not_understood_stops_every_command_before_anything_is_opened() {
    let shell = configured("[models]\ndefualt = \"local/test-model\"\n");
    for words in [&["task", "list"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let message = shell.refused(words, "bad_config");
        assert!(message.contains("config.toml, line 2: models.defualt"), "{message}");
    }
    assert!(!shell.home().join("journal.db").exists());
    configure(&shell, &CONFIG.replace("env:LOCAL_KEY", "sk-live-0123456789abcdef"));
    let message = shell.refused(&["task", "list"], "bad_config");
    assert!(message.contains("line 8: models.providers.local.secret"), "{message}");
    assert!(!message.contains("0123456789"), "{message}");
    configure(&shell, &CONFIG.replace("openai_chat_completions", "smoke_signals"));
    assert!(shell.refused(&["task", "list"], "bad_config").contains("smoke_signals"));
    fs::remove_file(shell.home().join("config.toml")).unwrap();
    assert_eq!(shell.json(&["task", "list"]), json!([]), "without it nothing needs to be said");
}

#[test]
fn whatever_is_wrong_with_the_configuration_everything_can_be_stopped_and_taken_out() {
    let shell = Shell::new();
    let agent = tender(&shell);
    let right = shell.run(&["template", "show", "task_agent"]).out;
    let (config, template) = (shell.home().join("config.toml"), shell.home().join("templates"));
    fs::create_dir(&template).unwrap();
    let template = template.join("mine.toml");
    let no_such_tool = right.replacen("\"update_report\"", "\"do_magic\"", 1);
    assert_ne!(no_such_tool, right);
    for (file, broken) in
        [(&config, "[models"), (&template, "name ="), (&template, no_such_tool.as_str())]
    {
        fs::write(file, broken).unwrap();
        for words in [&["task", "list"][..], &["runs", &agent], &["kill", "off"]] {
            shell.refused(words, "bad_config");
        }
        let stopped = shell.run(&["kill", "on"]);
        assert_eq!((stopped.code, stopped.out.contains("is on")), (0, true), "{stopped:?}");
        assert!(stopped.err.contains("this command does without"), "{stopped:?}");
        assert_eq!(shell.json(&["kill", "status"])["on"], true);
        let taken = shell.run(&["export", "--format", "json"]);
        assert_eq!((taken.code, taken.out.contains("Water the ferns")), (0, true), "{taken:?}");
        fs::remove_file(file).unwrap();
        assert_eq!(shell.json(&["kill", "off"])["on"], false);
    }
}

/// An agent that tends a task, woken once.
fn tender(shell: &Shell) -> String {
    let task = shell.json(&["task", "add", "Water the ferns", "--category", "home"]);
    let task = task["id"].as_str().unwrap();
    let agent = shell.json(&["agent", "create", "--template", "task_agent", "--task", task]);
    shell.json(&["wake", "--drain"]);
    agent["id"].as_str().unwrap().to_owned()
}

#[test]
fn what_an_agent_says_what_it_cost_and_what_it_was_asked_with_is_shown() {
    let shell = Shell::new();
    let agent = tender(&shell);
    let told = shell.json(&["prompt", &agent, "what is open?", "--wait"]);
    assert_eq!(told["brief"]["kind"], "result", "{told}");
    let words = told["brief"]["text"].as_str().unwrap();
    assert!(!words.is_empty());
    assert_eq!(shell.run(&["prompt", &agent, "what is open?", "--wait"]).out.trim(), words);
    let runs = shell.json(&["runs", &agent]);
    let run = &runs[0];
    assert_eq!((&run["model"], &run["cost"]), (&json!("builtin/scribe"), &json!(0.0)), "{run}");
    assert!(run["turn_index"].as_u64().unwrap() > runs[1]["turn_index"].as_u64().unwrap());
    assert!(run["closure"].is_string() && run["model_calls"] == 1, "{run}");
    let prompt = shell.json(&["debug", "prompt", &agent]);
    let items = prompt["items"].as_array().unwrap();
    let kinds: Vec<&str> = items.iter().map(|item| item["kind"].as_str().unwrap()).collect();
    assert_eq!((kinds[0], kinds.contains(&"task")), ("policy", true), "{kinds:?}");
    assert!(items.iter().all(|item| item["text"].is_string() && item["tokens"] != 0), "{prompt}");
    let of_items: u64 = items.iter().map(|item| item["tokens"].as_u64().unwrap()).sum();
    let of_tools = prompt["tool_tokens"].as_u64().unwrap();
    assert!(of_tools > 500, "each tool has a description and a schema: {of_tools}");
    assert_eq!(prompt["tokens"], of_items + of_tools);
    let shown = shell.run(&["debug", "prompt", &agent]).out;
    assert!(shown.contains(&format!("tools, about {of_tools} tokens: ")), "{shown}");
    assert!(shown.contains("turn_scoped") && !shown.contains("Water the ferns"), "{shown}");
    assert!(shell.run(&["debug", "prompt", &agent, "--text"]).out.contains("Water the ferns"));
}

#[test]
fn without_consent_or_beyond_a_budget_nothing_is_sent_and_the_brief_says_what_to_do() {
    let shell = Shell::new();
    let agent = tender(&shell);
    let provider = TcpListener::bind("127.0.0.1:0").unwrap();
    provider.set_nonblocking(true).unwrap();
    let config = CONFIG.replace("9999", &provider.local_addr().unwrap().port().to_string());
    let asked = |config: &str, code: &str| {
        configure(&shell, config);
        let told = shell.failed(&["prompt", &agent, "what is open?", "--wait"]);
        let runs = shell.json(&["runs", &agent]);
        let run = runs.as_array().unwrap().iter().find(|run| run["run_key"] == told["run_key"]);
        assert_eq!(run.unwrap()["failure"]["code"], code, "{runs}");
        assert_eq!(run.unwrap()["model_calls"], 0);
        told["brief"]["text"].as_str().unwrap().to_owned()
    };
    let text = asked(&config, "privacy_confirmation_required");
    assert!(text.contains("dormouse consent grant local/test-model"), "{text}");
    asked("[models]\ndefault = \"nowhere/x\"\n", "provider_not_allowed");
    asked("[budget]\ntokens_per_day = 100\n", "budget_exceeded");
    let narrowed = "[[models.access]]\nkind = \"task_agent\"\nmodels = []\n";
    asked(narrowed, "model_not_allowed");
    // One that means nobody would narrow nothing.
    configure(&shell, &narrowed.replace("task_agent", "task-agent"));
    shell.refused(&["prompt", &agent, "what is open?", "--wait"], "bad_config");
    configure(&shell, &CONFIG.replace("127.0.0.1", "far.example.com"));
    shell.refused(&["prompt", &agent, "what is open?", "--wait"], "bad_config");
    let nobody = provider.accept().map(drop).map_err(|error| error.kind());
    assert_eq!(nobody, Err(ErrorKind::WouldBlock), "somebody was sent something");
}

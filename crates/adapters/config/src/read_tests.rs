use std::path::Path;

use policy::inference::Access;
use types::{BudgetLimits, Generation, ModelRef, Problem, SecretRef, Transport};

use super::*;

fn read(text: &str) -> Config {
    Config::parse(text, Path::new("config.toml")).unwrap()
}

/// What is said of a file that is refused.
fn refused(text: &str) -> String {
    match Config::parse(text, Path::new("config.toml")) {
        Ok(config) => panic!("it was taken as {config:?}:\n{text}"),
        Err(error) => error.to_string(),
    }
}

const LOCAL: &str = r#"
[models.providers.local]
transport = "openai_chat_completions"
base_url = "http://127.0.0.1:9999/v1"
"#;

#[test]
fn without_a_file_there_is_the_built_in_model_and_a_finite_budget() {
    let home = tempfile::tempdir().unwrap();
    let config = Config::read(home.path()).unwrap();
    assert_eq!(config, Config::default());
    assert_eq!(config, read(""), "an empty file says nothing");
    assert_eq!(config.access().models, [ModelRef::scribe()].into());
    assert_eq!(config.terms().len(), 0);
    let limits = config.budget.limits;
    let all = [limits.tokens, limits.cost_micros, limits.tool_calls, limits.runtime_ms];
    assert!(all.iter().all(Option::is_some), "{all:?}");
}

#[test]
fn the_example_of_the_contract_is_read() {
    let home = tempfile::tempdir().unwrap();
    let text = r#"
[models]
default = "local/test-model"            # absent: builtin/scribe
fallback = []
[models.providers.local]
transport = "openai_chat_completions"   # openai_responses | anthropic_messages | gemini
base_url = "http://127.0.0.1:9999/v1"
secret = "env:LOCAL_KEY"                # optional; env:NAME, file:PATH, keychain:NAME
"#;
    std::fs::write(home.path().join(FILE), text).unwrap();
    let config = Config::read(home.path()).unwrap();
    assert_eq!(config.models.default.as_str(), "local/test-model");
    let local = &config.models.providers["local"];
    assert_eq!(local.transport, Transport::OpenaiChatCompletions);
    assert_eq!(local.base_url, "http://127.0.0.1:9999/v1");
    assert_eq!(local.secret, Some(SecretRef::Env("LOCAL_KEY".to_owned())));
    assert_eq!((local.stream, local.allowed_tools, local.context_tokens), (true, false, None));
    assert!(!local.max_completion_tokens);
}

#[test]
fn everything_that_can_be_set_is_read() {
    let config = read(
        r#"
[models]
default = "far/big"
fast = "far/tiny"
fallback = ["far/org/small", "builtin/scribe"]
[[models.access]]
kind = "task_agent"
category = "category_home"
models = ["builtin/scribe"]
[models.providers.far]
transport = "anthropic_messages"
base_url = "https://far.example/v1/"
secret = "file:/run/secrets/3f9c1b7e5a2d4c6e8b0a1f2d3c4b5a69"
retention = "30 days"
training = "not used"
jurisdiction = "EU"
stream = false
context_tokens = 200_000
allowed_tools = true
max_completion_tokens = true
temperature = 0.25
top_p = 1
max_output_tokens = 900
seed = 42
[runtime]
default_tool_output_tokens = 2_000
max_tool_output_tokens = 4_000
failures_max = 12
changes_kept_days = 90
[budget]
tokens_per_day = 1_000
cost_per_day = 0.5
tool_calls_per_day = "unlimited"
minutes_per_day = 2
warn_at_percent = 50
"#,
    );
    let far = &config.models.providers["far"];
    assert_eq!(far.base_url, "https://far.example/v1", "a slash at the end is nothing");
    assert!(matches!(&far.secret, Some(SecretRef::File(path)) if path.starts_with("/run/secrets")));
    assert_eq!((far.stream, far.allowed_tools, far.context_tokens), (false, true, Some(200_000)));
    assert!(far.max_completion_tokens);
    let generation = Generation {
        temperature: Some(0.25),
        top_p: Some(1.0),
        max_output_tokens: 900,
        seed: Some(42),
        prompt_version: None,
    };
    assert_eq!(far.generation, generation);
    assert_eq!(config.tool_output, ToolOutput { usual_tokens: 2_000, most_tokens: 4_000 });
    assert_eq!((config.failures_max, config.changes_kept_days), (12, 90));
    let terms = &config.terms()["far"];
    assert_eq!((terms.provider.as_str(), terms.training.as_deref()), ("far", Some("not used")));
    let Access { models, narrowed } = config.access();
    assert_eq!((models.len(), narrowed.len()), (4, 1));
    assert_eq!(config.models.fast.as_ref().map(ModelRef::as_str), Some("far/tiny"));
    assert_eq!(narrowed[0].kind.as_deref(), Some("task_agent"));
    let by = config.access_by(&[("garden", "task_agent"), ("watcher", "watcher")]).unwrap();
    assert_eq!(by.narrowed.len(), 1);
    assert_eq!(by.narrowed[0].kind.as_deref(), Some("garden"), "all templates of a kind");
    let error = config.access_by(&[("watcher", "watcher")]).unwrap_err();
    assert!(error.to_string().contains("\"task_agent\" is no template"), "{error}");
    let limits = BudgetLimits {
        tokens: Some(1_000),
        cost_micros: Some(500_000),
        tool_calls: None,
        runtime_ms: Some(120_000),
    };
    assert_eq!((config.budget.limits, config.budget.warn_at_percent), (limits, 50));
}

#[test]
fn what_is_not_understood_is_refused_with_its_line_and_its_name() {
    let provider = |line: &str| format!("{LOCAL}{line}\n");
    let cases = [
        (
            "[model]\n".to_owned(),
            "line 1: model is not a setting; there are models, budget, runtime",
        ),
        ("models = 3\n".to_owned(), "line 1: models is not a table"),
        ("[models]\ndefualt = \"a/b\"\n".to_owned(), "line 2: models.defualt is not a setting"),
        ("[models]\ndefault = \"gpt\"\n".to_owned(), "line 2: models.default \"gpt\" is not PRO"),
        ("[models]\ndefault = 3\n".to_owned(), "line 2: models.default is not a text"),
        ("[models]\ndefault = \"builtin/x\"\n".to_owned(), "builtin/scribe is"),
        ("[models]\nfast = \"builtin/scribe\"\n".to_owned(), "line 2: models.fast is a model of a"),
        ("[models]\nfallback = \"a/b\"\n".to_owned(), "line 2: models.fallback is not a list"),
        ("[models]\nfallback = [\n\"a/b\",\n\"c\"]\n".to_owned(), "line 4: models.fallback \"c\""),
        ("[models]\n[models\n".to_owned(), "config.toml, line 2: "),
        ("[models]\ndefault = \"a/b\"\ndefault = \"a/c\"\n".to_owned(), "line 3: duplicate key"),
        (provider("bse = 1"), "line 5: models.providers.local.bse is not a setting"),
        (provider("stream = \"yes\""), "local.stream is not true or false"),
        (provider("context_tokens = -1"), "local.context_tokens is not a whole number"),
        (provider("context_tokens = 0"), "local.context_tokens is nothing at all"),
        (provider("training = \" \""), "local.training says nothing"),
        (provider("temperature = 2.5"), "local.temperature is not a number from 0 to 2"),
        (provider("top_p = -0.1"), "local.top_p is not a number from 0 to 1"),
        (provider("top_p = nan"), "local.top_p is not a number from 0 to 1"),
        (provider("seed = 1.5"), "local.seed is not a whole number"),
        (provider("max_output_tokens = 0"), "local.max_output_tokens leaves no room"),
        (
            provider("stream = true\ncontext_tokens = 4096"),
            "line 6: models.providers.local.context_tokens leaves no room beside the 4096 of",
        ),
        (
            provider("context_tokens = 8\nmax_output_tokens = 8"),
            "line 6: models.providers.local.max_output_tokens leaves no room",
        ),
        ("[runtime]\ntool = 1\n".to_owned(), "line 2: runtime.tool is not a setting"),
        (
            "[runtime]\nfailures_max = 0\n".to_owned(),
            "line 2: runtime.failures_max is not from 1 to 1000",
        ),
        (
            "[runtime]\nchanges_kept_days = 59\n".to_owned(),
            "line 2: runtime.changes_kept_days is not from 60 to 36500",
        ),
        (
            "[runtime]\nmax_tool_output_tokens = 64_001\n".to_owned(),
            "line 2: runtime.max_tool_output_tokens is not from 1 to 64000",
        ),
        (
            "[runtime]\ndefault_tool_output_tokens = 0\n".to_owned(),
            "line 2: runtime.default_tool_output_tokens is not from 1 to the most",
        ),
        ("[models.providers.x]\n".to_owned(), "models.providers.x.transport is missing"),
        (
            "[models.providers.x]\ntransport = \"smoke\"\n".to_owned(),
            "line 2: models.providers.x.transport \"smoke\" is not a transport; there are openai_",
        ),
        (LOCAL.replace("local", "builtin"), "models.providers.builtin is part of Dormouse"),
        (LOCAL.replace("local", "\"a/b\""), "models.providers.a/b is not a name of letters"),
        (LOCAL.replace("http:", "ftp:"), "local.base_url is not an address"),
        (LOCAL.replace("//127", "//me:word@127"), "local.base_url has more in it"),
        (LOCAL.replace("/v1", "/v1?key=1"), "local.base_url has more in it"),
        ("[[models.access]]\ncategory = \"home\"\n".to_owned(), "access.category is not a cate"),
        ("[[models.access]]\nagent = \"x\"\n".to_owned(), "models.access.agent is not an agent"),
        ("[budget]\ntokens_per_day = 1.5\n".to_owned(), "line 2: budget.tokens_per_day is not a"),
        ("[budget]\ntokens = 1\n".to_owned(), "line 2: budget.tokens is not a setting"),
        ("[budget]\ncost_per_day = \"5\"\n".to_owned(), "budget.cost_per_day is not an amount"),
        ("[budget]\nwarn_at_percent = 101\n".to_owned(), "budget.warn_at_percent is more than 100"),
    ];
    for (text, expected) in cases {
        let said = refused(&text);
        assert!(said.starts_with("config.toml, line "), "{said}");
        assert!(said.contains(expected), "{said}\nis not {expected}");
    }
}

#[test]
fn a_secret_is_named_and_never_written_down_or_repeated() {
    let secret = |value: &str| format!("{LOCAL}secret = \"{value}\"\n");
    for good in ["env:LOCAL_KEY", "file:/run/key.txt", "keychain:dormouse local"] {
        assert!(read(&secret(good)).models.providers["local"].secret.is_some());
    }
    let key = "sk-proj-Ab3dEf6hIj9lMn2pQr5tUv8x";
    let run = "Q7fK2mZ9xW4bT8nR1vC5yH3jL6dS0gPa";
    for bad in
        [key, run, &format!("env:{key}"), &format!("env:{run}"), "hunter2", "env:", "env:A-B"]
    {
        let said = refused(&secret(bad));
        assert!(said.contains("line 5: models.providers.local.secret"), "{said}");
        assert!(!said.contains(key) && !said.contains(run) && !said.contains("hunter2"), "{said}");
    }
    let elsewhere = refused(&format!("{LOCAL}retention = \"{key}\"\n"));
    assert!(elsewhere.contains("looks like a secret") && !elsewhere.contains(key), "{elsewhere}");
    let broken = refused(&format!("{LOCAL}secret = \"{key}\n"));
    assert!(!broken.contains(key), "{broken}");
}

#[test]
fn a_file_that_cannot_be_read_is_no_missing_file() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join(FILE)).unwrap();
    let problem = Problem::from(Config::read(home.path()).unwrap_err());
    assert_eq!(problem.code.as_str(), "bad_config");
    std::fs::remove_dir(home.path().join(FILE)).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/nonexistent/config.toml", home.path().join(FILE)).unwrap();
        assert!(matches!(Config::read(home.path()), Err(Error::Unreadable { .. })), "a dead link");
        std::fs::remove_file(home.path().join(FILE)).unwrap();
    }
    let long = "#".repeat(300_000);
    for bytes in [long.as_bytes(), b"\xff\xfe"] {
        std::fs::write(home.path().join(FILE), bytes).unwrap();
        assert!(matches!(Config::read(home.path()), Err(Error::Unreadable { .. })));
    }
}

#[test]
fn a_pipe_in_place_of_the_file_is_refused_and_not_waited_for() {
    let home = tempfile::tempdir().unwrap();
    let pipe = home.path().join(FILE);
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let refused = Config::read(home.path()).unwrap_err().to_string();
    assert!(refused.contains("it is a pipe and not a file"), "{refused}");
}

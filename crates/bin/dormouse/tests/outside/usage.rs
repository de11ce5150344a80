//! Wrong words, and words that name nothing.

use crate::shell::{Said, Shell};

#[test]
fn wrong_usage_exits_with_two_and_says_so_as_json_when_asked() {
    let shell = Shell::new();
    for words in [&["task", "ad"][..], &["task", "add", "x"], &["wake"], &["frobnicate"]] {
        assert_eq!(shell.run(words).code, 2, "{words:?}");
        let said = shell.run(&[words, &["--json"]].concat());
        assert_eq!((said.code, said.out.as_str()), (2, ""));
        let error: serde_json::Value = serde_json::from_str(&said.err).unwrap();
        assert_eq!(error["error"]["code"], "wrong_usage");
    }
    assert!(!shell.home().exists(), "wrong usage made a home");
    let missing = shell.run(&["task", "add", "x", "--json"]);
    assert!(missing.err.contains("--category"), "the message names what is missing: {missing:?}");
}

#[test]
fn what_does_not_exist_is_refused_with_what_does() {
    let shell = Shell::new();
    let said = shell.run(&["task", "add", "x", "--category", "gym"]);
    assert_eq!(said.code, 1);
    assert!(said.err.contains("home, work") && said.err.contains("unknown_category"), "{said:?}");
    shell.refused(&["task", "show", "task_nope"], "unknown_task");
    shell.refused(&["task", "show", "12"], "unknown_task");
    shell.refused(&["runs", "agent_nope"], "unknown_agent");
    let create = ["agent", "create", "--template", "poet", "--category", "home"];
    shell.refused(&create, "unknown_template");
    assert!(shell.json(&["task", "list"]).as_array().unwrap().is_empty());
}

#[test]
fn a_title_that_is_empty_or_a_book_is_refused_and_nothing_is_added() {
    let shell = Shell::new();
    shell.refused(&["task", "add", "  ", "--category", "home"], "invalid_record");
    let book = "x".repeat(100_000);
    let message = shell.refused(&["task", "add", &book, "--category", "home"], "invalid_record");
    assert!(message.contains("at most"), "{message}");
    assert!(shell.json(&["task", "list"]).as_array().unwrap().is_empty());
}

#[test]
fn a_title_may_look_like_an_option() {
    let shell = Shell::new();
    let said = shell.run(&["task", "add", "--category", "home", "--", "--json"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.out.starts_with("added task_"), "{said:?}");
}

#[test]
fn help_explains_every_command_with_an_example() {
    let shell = Shell::new();
    let help = shell.run(&["--help"]);
    assert_eq!(help.code, 0);
    for word in
        ["task", "agent", "runs", "wake", "serve", "doctor", "backup", "restore", "Examples:"]
    {
        assert!(help.out.contains(word), "{word} is not in the help");
    }
}

#[test]
fn what_was_typed_sends_no_commands_to_the_terminal_when_it_is_refused() {
    let shell = Shell::new();
    for words in [&["task", "\x1b[2J"][..], &["rate", "today", "\x1b]0;x\x07"], &["\u{9b}31m"]] {
        for json in [&[][..], &["--json"]] {
            let said = shell.run(&[words, json].concat());
            assert_eq!((said.code, said.out.as_str()), (2, ""));
            assert!(said.err.chars().all(|c| c == '\n' || !c.is_control()), "{said:?}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_answer_that_finds_no_room_is_a_failure_and_one_that_nobody_reads_is_not() {
    let shell = Shell::new();
    shell.json(&["task", "add", "Water the ferns", "--category", "home"]);
    for words in [&["export", "--format", "json"][..], &["task", "list"], &["completions", "bash"]]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = shell.command(words).arg("--json").stdout(full).output().unwrap();
        let message = Said::from(output).refused("store_io");
        assert!(message.starts_with("the answer could not be written"), "{message}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = shell.command(words).stdout(writer).output().unwrap();
        assert_eq!(Said::from(output).code, 0, "{words:?}");
    }
}

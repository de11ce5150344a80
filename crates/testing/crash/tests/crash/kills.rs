//! Killed processes, and the program itself.

use std::process::Command;

use crash::kill::{Kills, run};

const PROGRAM: &str = env!("CARGO_BIN_EXE_crash");

#[test]
fn a_killed_process_loses_nothing_it_acknowledged() {
    let summary = run(&Kills { program: PROGRAM.into(), times: 10, from: 0 }).unwrap();
    assert!(summary.failures.is_empty(), "{:#?}", summary.failures);
    assert_eq!((summary.kills, summary.homes), (10, 1));
    assert!(summary.acknowledged > 0, "{summary:?}");
}

fn crash(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(PROGRAM).args(args).output().expect("the program runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("it prints text"))
}

#[test]
fn the_exit_code_says_what_was_found() {
    let (code, text) = crash(&["cut", "--seeds", "2", "--json"]);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = crash(&["cut", "--seeds", "6", "--plant", "skip-wal-sync", "--json"]);
    assert_eq!(code, Some(1), "{text}");
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(found["violations"].as_u64() > Some(0), "{text}");
    assert_eq!(crash(&["cut", "--seeds"]).0, Some(2));
}

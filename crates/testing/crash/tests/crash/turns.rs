//! The whole program killed while agents are at work.

use std::path::Path;
use std::process::Command;

use crash::turns::{Kills, run};

#[test]
fn twenty_kills_of_the_program_lose_no_word_and_do_nothing_twice() {
    let program = Path::new(env!("CARGO_BIN_EXE_crash")).with_file_name("dormouse");
    // The tests of the whole workspace have built it; those of this crate alone may not.
    if !program.exists() {
        let built = Command::new(env!("CARGO")).args(["build", "-p", "dormouse"]).status();
        assert!(built.expect("cargo runs").success());
    }
    let summary = run(&Kills { program, times: 20, from: 0 }).unwrap();
    assert!(summary.failures.is_empty(), "{:#?}", summary.failures);
    assert_eq!(summary.kills, 20);
    assert!(summary.acknowledged > 20, "{summary:?}");
}

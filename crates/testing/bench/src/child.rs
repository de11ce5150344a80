//! Processes of their own, for what is measured per process.

use std::process::Command;

/// Starts this program again with other arguments and says what it printed.
pub(crate) fn itself(args: &[&str]) -> String {
    let program = std::env::current_exe().expect("this program has a path");
    let output = Command::new(program).args(args).output().expect("this program can start itself");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

//! `cargo xtask COMMAND`: the checks that no compiler makes, and the commands that run them all.
//!
//! It knows the tree only through its files and `cargo metadata`, and depends on no crate of the
//! workspace, so that it still runs when one of them does not compile.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool for developers talks to the terminal"
)]

mod arrows;
mod arrows_table;
mod contract;
mod failure;
mod findings;
mod items;
mod licences;
mod markdown;
mod metadata;
mod proofs;
mod run;
mod source;
mod tidy;
mod toolchain;
mod tree;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use failure::Failure;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  tidy [--lock-migrations]  budgets, names, error pages, migrations, links, decisions
  arrows [--draw]           who may depend on whom, and under which licences; or draw it
  contract                  every promise in docs/contract names tests that exist
  test [--only NAME]        all that must pass before a change is merged
  proof [--only NAME]       the long runs: power cuts, kills, measurements
  help                      this text
";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match dispatch(&workspace_root(), &args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(text)) => {
            eprint!("{text}\n\n{USAGE}");
            ExitCode::from(2)
        }
        Err(Failure::Broken(text)) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(root: &Path, args: &[&str]) -> Result<(), Failure> {
    match args {
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        ["tidy"] => tidy::run(root),
        ["tidy", "--lock-migrations"] => tidy::lock_migrations(root),
        ["arrows"] => arrows::run(root),
        ["arrows", "--draw"] => arrows::draw(root),
        ["contract"] => contract::run(root),
        ["test"] => run::test(root, ""),
        ["test", "--only", name] => run::test(root, name),
        ["proof"] => run::proof(root, ""),
        ["proof", "--only", name] => run::proof(root, name),
        _ => Err(Failure::Usage(format!("xtask: cannot do `{}`", args.join(" ")))),
    }
}

/// The folder that holds the workspace: cargo tells where this crate is, and it sits one below.
fn workspace_root() -> PathBuf {
    env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .and_then(|xtask| xtask.parent().map(Path::to_path_buf))
        .unwrap_or_else(|| PathBuf::from("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_command_is_a_usage_error() {
        for args in [&["tidier"][..], &["tidy", "--fast"], &["test", "--only"]] {
            assert!(matches!(dispatch(Path::new("."), args), Err(Failure::Usage(_))), "{args:?}");
        }
    }

    #[test]
    fn help_and_silence_print_the_usage() {
        for args in [&[][..], &["help"], &["--help"]] {
            assert!(dispatch(Path::new("."), args).is_ok(), "{args:?}");
        }
    }
}

//! What a machine must have before anything is built, and how to get it.

use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::metadata::cargo;

/// Makes sure of a C compiler, which the bundled SQLite needs; installs one where that is ours to do.
///
/// Where Rust itself links through `cc`, a machine without one does not get this far. This speaks
/// for those that link in another way, before a long build ends in the log of a build script.
pub(crate) fn require_c_compiler() -> Result<(), Failure> {
    match compiler_plan(answers("cc"), answers("apt-get"), is_root()) {
        Plan::Nothing => Ok(()),
        Plan::Install => install(),
        Plan::Explain => Err(Failure::step("there is no C compiler (`cc`)", HOW_TO_INSTALL)),
    }
}

/// Makes sure of the component behind `cargo fmt` or `cargo clippy`.
pub(crate) fn require_component(subcommand: &str) -> Result<(), Failure> {
    let Some(component) = component_of(subcommand) else { return Ok(()) };
    let is_there = is_success(cargo().args([subcommand, "--version"]));
    is_there.then_some(()).ok_or_else(|| {
        let how = format!("install it with `rustup component add {component}`");
        Failure::step(format!("`cargo {subcommand}` is missing"), how)
    })
}

const HOW_TO_INSTALL: &str = "the bundled SQLite is written in C; install one, \
    for example with `apt-get install gcc libc6-dev` as root or `xcode-select --install`";

#[derive(Debug, PartialEq, Eq)]
enum Plan {
    Nothing,
    Install,
    Explain,
}

fn compiler_plan(has_compiler: bool, has_apt: bool, is_root: bool) -> Plan {
    match (has_compiler, has_apt && is_root) {
        (true, _) => Plan::Nothing,
        (false, true) => Plan::Install,
        (false, false) => Plan::Explain,
    }
}

fn install() -> Result<(), Failure> {
    let install = ["install", "--yes", "--no-install-recommends", "gcc", "libc6-dev"];
    for args in [&["update"][..], &install] {
        println!("   apt-get {}", args.join(" "));
        let status = Command::new("apt-get").args(args).status();
        if !status.is_ok_and(|status| status.success()) {
            return Err(Failure::step("failed to install a C compiler", HOW_TO_INSTALL));
        }
    }
    Ok(())
}

fn component_of(subcommand: &str) -> Option<&'static str> {
    match subcommand {
        "fmt" => Some("rustfmt"),
        "clippy" => Some("clippy"),
        _ => None,
    }
}

fn answers(program: &str) -> bool {
    is_success(Command::new(program).arg("--version"))
}

fn is_success(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_is_installed_only_by_root_with_apt() {
        assert_eq!(compiler_plan(true, false, false), Plan::Nothing);
        assert_eq!(compiler_plan(false, true, true), Plan::Install);
        assert_eq!(compiler_plan(false, true, false), Plan::Explain);
        assert_eq!(compiler_plan(false, false, true), Plan::Explain);
    }

    #[test]
    fn a_program_that_is_missing_does_not_answer() {
        assert!(!answers("no-such-program-anywhere"));
    }

    #[test]
    fn only_components_are_asked_for() {
        assert_eq!(component_of("fmt"), Some("rustfmt"));
        assert_eq!(require_component("test"), Ok(()));
    }
}

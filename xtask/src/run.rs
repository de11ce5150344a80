//! `cargo xtask test` and `cargo xtask proof`: tables of steps, and the loop that runs them.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::metadata::cargo;
use crate::{arrows, contract, tidy, toolchain};

/// One line of a table.
struct Step {
    name: &'static str,
    work: Work,
}

enum Work {
    Cargo(&'static [&'static str]),
    Check(fn(&Path) -> Result<(), Failure>),
}

/// What must pass before a change is merged, the quick ones first.
const TEST: &[Step] = &[
    Step { name: "fmt", work: Work::Cargo(&["fmt", "--all", "--check"]) },
    Step { name: "tidy", work: Work::Check(tidy::run) },
    Step { name: "arrows", work: Work::Check(arrows::run) },
    Step { name: "contract", work: Work::Check(contract::run) },
    Step {
        name: "clippy",
        work: Work::Cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ]),
    },
    Step { name: "tests", work: Work::Cargo(&["test", "--workspace", "--locked"]) },
];

/// What takes long and wants an optimised build.
const PROOF: &[Step] = &[
    Step {
        name: "sim",
        work: Work::Cargo(&["run", "--release", "-p", "sim", "--", "--seeds", "2000"]),
    },
    Step {
        name: "cut",
        work: Work::Cargo(&["run", "--release", "-p", "crash", "--", "cut", "--seeds", "600"]),
    },
    Step {
        name: "kill",
        work: Work::Cargo(&["run", "--release", "-p", "crash", "--", "kill", "--times", "100"]),
    },
    Step { name: "kill-turns-build", work: Work::Cargo(&["build", "--release", "-p", "dormouse"]) },
    Step {
        name: "kill-turns",
        work: Work::Cargo(&["run", "--release", "-p", "crash", "--", "turns", "--times", "200"]),
    },
    Step {
        name: "bench-store",
        work: Work::Cargo(&["run", "--release", "-p", "bench", "--", "store"]),
    },
    Step {
        name: "bench-wake",
        work: Work::Cargo(&["run", "--release", "-p", "bench", "--", "wake"]),
    },
    Step {
        name: "bench-journal",
        work: Work::Cargo(&["run", "--release", "-p", "bench", "--", "journal"]),
    },
    Step {
        name: "bench-turn",
        work: Work::Cargo(&["run", "--release", "-p", "bench", "--", "turn"]),
    },
];

/// Runs the steps of `TEST` whose name contains `only`.
pub(crate) fn test(root: &Path, only: &str) -> Result<(), Failure> {
    let steps = pick(TEST, only)?;
    toolchain::require_c_compiler()?;
    run_all("test", root, &steps)
}

/// Runs the steps of `PROOF` whose name contains `only`.
pub(crate) fn proof(root: &Path, only: &str) -> Result<(), Failure> {
    let steps = pick(PROOF, only)?;
    toolchain::require_c_compiler()?;
    run_all("proof", root, &steps)
}

fn pick<'a>(steps: &'a [Step], only: &str) -> Result<Vec<&'a Step>, Failure> {
    let picked: Vec<&Step> = steps.iter().filter(|step| step.name.contains(only)).collect();
    if picked.is_empty() {
        let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
        return Err(Failure::Usage(format!("no step `{only}`: there are {}", names.join(", "))));
    }
    Ok(picked)
}

/// Runs the steps in order; the first that fails is the last.
fn run_all(command: &str, root: &Path, steps: &[&Step]) -> Result<(), Failure> {
    let start = now();
    for step in steps {
        let step_start = now();
        println!("== {}: {}", step.name, spelled(step));
        let result = run_step(root, &step.work);
        let verdict = if result.is_ok() { "passed" } else { "failed" };
        println!("== {} {verdict} in {}", step.name, seconds(step_start.elapsed()));
        result?;
    }
    println!("{command}: {} steps passed in {}", steps.len(), seconds(start.elapsed()));
    Ok(())
}

fn run_step(root: &Path, work: &Work) -> Result<(), Failure> {
    match work {
        Work::Check(check) => check(root),
        Work::Cargo(args) => run_cargo(root, args),
    }
}

fn run_cargo(root: &Path, args: &[&str]) -> Result<(), Failure> {
    toolchain::require_component(args.first().copied().unwrap_or_default())?;
    finish(cargo().args(args).current_dir(root), &format!("cargo {}", args.join(" ")))
}

/// Runs a command to its end, with its output on the terminal.
fn finish(command: &mut Command, spelled: &str) -> Result<(), Failure> {
    let status =
        command.status().map_err(|e| Failure::step(format!("failed to start `{spelled}`"), e))?;
    if status.success() { Ok(()) } else { Err(Failure::step(format!("`{spelled}`"), status)) }
}

/// What to type to run the step alone.
fn spelled(step: &Step) -> String {
    match step.work {
        Work::Cargo(args) => format!("cargo {}", args.join(" ")),
        Work::Check(_) => format!("cargo xtask {}", step.name),
    }
}

#[expect(clippy::disallowed_methods, reason = "a developer wants to know how long a step took")]
fn now() -> Instant {
    Instant::now()
}

fn seconds(elapsed: Duration) -> String {
    format!("{:.1} s", elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    fn names(steps: &[&Step]) -> Vec<&'static str> {
        steps.iter().map(|step| step.name).collect()
    }

    #[test]
    fn all_steps_run_unless_some_are_named() {
        assert_eq!(
            names(&pick(TEST, "").unwrap()),
            ["fmt", "tidy", "arrows", "contract", "clippy", "tests"]
        );
        assert_eq!(names(&pick(PROOF, "cut").unwrap()), ["cut"]);
        let at_work = ["kill-turns-build", "kill-turns"];
        assert_eq!(names(&pick(PROOF, "kill-turns").unwrap()), at_work);
    }

    #[test]
    fn a_name_without_a_step_is_a_usage_error() {
        assert!(matches!(pick(TEST, "nothing"), Err(Failure::Usage(_))));
    }

    #[test]
    fn the_first_failure_stops_the_run() {
        let pass = Step { name: "pass", work: Work::Check(|_| Ok(())) };
        let fail = Step { name: "fail", work: Work::Check(|_| Err(Failure::step("a", "b"))) };
        let never = Step { name: "never", work: Work::Check(|_| panic!("ran after a failure")) };
        let root = Path::new(".");
        assert_eq!(run_all("test", root, &[&pass]), Ok(()));
        assert_eq!(run_all("test", root, &[&pass, &fail, &never]), Err(Failure::step("a", "b")));
    }

    #[test]
    fn a_command_that_fails_is_a_failure() {
        let run = |args: &[&str]| {
            let mut command = cargo();
            finish(command.args(args).stdout(Stdio::null()).stderr(Stdio::null()), "cargo")
        };
        assert_eq!(run(&["--version"]), Ok(()));
        assert!(run(&["no-such-command-anywhere"]).is_err());
        assert!(finish(&mut Command::new("no-such-program-anywhere"), "x").is_err());
    }
}

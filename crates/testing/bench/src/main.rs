//! Benchmarks: ratios within one run, because machines differ and ratios travel.
//!
//! `bench NAME [--json] [--keep DIR]` prints the figures; `--keep` also writes the report and its
//! plots there.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks to the terminal")]

mod figures;
mod machine;
mod plot;
mod stopwatch;
mod store;

use std::path::PathBuf;
use std::process::ExitCode;

use figures::Figures;

const USAGE: &str = "usage: bench store [--json] [--keep DIR]";

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let json = take_flag(&mut args, "--json");
    let keep = take_value(&mut args, "--keep").map(PathBuf::from);
    let figures: Figures = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["store"] => store::run(keep.as_deref()),
        // Processes of their own, started by the benchmark itself, because memory is measured.
        ["store-history", folder, commits] => {
            store::make_history(folder.as_ref(), commits.parse().expect("a number"));
            return ExitCode::SUCCESS;
        }
        ["store-memory", folder, commits] => {
            let commits = commits.parse().expect("a number");
            println!("{}", store::resident_over(folder.as_ref(), commits));
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    if json {
        println!("{}", figures.json());
    } else {
        print!("{}", figures.text());
    }
    ExitCode::SUCCESS
}

fn take_flag(args: &mut Vec<String>, flag: &str) -> bool {
    let before = args.len();
    args.retain(|arg| arg != flag);
    args.len() < before
}

fn take_value(args: &mut Vec<String>, option: &str) -> Option<String> {
    let at = args.iter().position(|arg| arg == option)?;
    args.remove(at);
    (at < args.len()).then(|| args.remove(at))
}

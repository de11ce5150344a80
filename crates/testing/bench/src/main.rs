//! Benchmarks: ratios within one run, because machines differ and ratios travel.
//!
//! `bench NAME [--json] [--keep DIR]` prints the figures; `--keep` also writes the report and its
//! plots there. `--quick` shortens what only waits.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks to the terminal")]

mod child;
mod figures;
mod journal;
mod logs;
mod machine;
mod plot;
mod stopwatch;
mod store;
mod turn;
mod wake;

use std::path::PathBuf;
use std::process::ExitCode;

use figures::Figures;

const USAGE: &str = "usage: bench store|wake|journal|turn [--json] [--keep DIR] [--quick]";

#[global_allocator]
static ALLOCATOR: host::Allocator = host::Allocator;

fn main() -> ExitCode {
    host::give_memory_back_soon();
    // Before anything uses SQLite: what is measured beside the store stands on the same ground.
    vfs::keep_pages();
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let json = take_flag(&mut args, "--json");
    let quick = take_flag(&mut args, "--quick");
    let keep = take_value(&mut args, "--keep").map(PathBuf::from);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let figures: Figures = match args[..] {
        ["store"] => store::run(keep.as_deref()),
        ["wake"] => wake::run(keep.as_deref(), quick),
        ["journal"] => journal::run(keep.as_deref()),
        ["turn"] => turn::run(keep.as_deref(), quick),
        _ => return as_child(&args),
    };
    if json {
        println!("{}", figures.json());
    } else {
        print!("{}", figures.text());
    }
    ExitCode::SUCCESS
}

/// Processes of their own, started by the benchmark itself, because memory and starts are measured.
fn as_child(args: &[&str]) -> ExitCode {
    let number = |text: &str| text.parse().expect("a number");
    match *args {
        ["store-history", folder, commits] => store::make_history(folder.as_ref(), number(commits)),
        ["store-memory", folder, commits] => {
            println!("{}", store::resident_over(folder.as_ref(), number(commits)));
        }
        ["turn-memory", folder, url] => {
            println!("{}", turn::resident_after_runs(folder.as_ref(), url));
        }
        ["wake-memory", folder] => println!("{}", wake::resident_asleep(folder.as_ref())),
        ["wake-start", folder] => println!("{}", wake::start_us(folder.as_ref())),
        ["wake-idle", folder, seconds] => {
            println!("{}", wake::idle_share(folder.as_ref(), number(seconds)));
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
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

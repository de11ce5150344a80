//! `sim`: goes through seeds and says what was promised and did not hold.
#![expect(clippy::print_stderr, reason = "a test program talks to people")]

mod args;
mod report;

use std::io::Write as _;
use std::process::ExitCode;

use args::Command;
use rules::planted;
use sim::Plan;

const USAGE: &str = "\
Proves that no wake is lost or taken twice, whatever crashes, jumps or fills up.

usage:
  sim --seeds N [--from S] [--fault NAME] [--json]
  sim --seed S [--fault NAME]

With --fault the run succeeds if the planted fault is found.

exit code: 0 everything held, 1 something did not, 2 wrong usage";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (text, failed) = match Command::parse(&args) {
        Ok(Command::Help) => (USAGE.to_owned(), false),
        Ok(Command::Many { campaign, json }) => report::many(&campaign, &campaign.run(), json),
        Ok(Command::One { seed, fault }) => {
            planted::plant(fault);
            report::one(seed, &sim::run(&Plan::of(seed)))
        }
        Err(why) => {
            eprintln!("{why}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    // The exit code says the same, so a reader that has gone away is no trouble.
    let _ = writeln!(std::io::stdout(), "{text}");
    ExitCode::from(u8::from(failed))
}

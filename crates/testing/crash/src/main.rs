//! `crash`: cuts the power and kills processes, and says what was lost.
#![expect(clippy::print_stderr, reason = "a test program talks to people")]

mod args;
mod report;

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use args::Command;
use crash::{Fate, cut, kill, line::Line, turns};

const USAGE: &str = "\
Proves that an acknowledged commit outlives a power cut and a killed process.

usage:
  crash cut --seeds N [--from S] [--plant synchronous-off|skip-wal-sync] [--json]
  crash cut --seed S [--plant ...] [--json]
  crash kill --times N [--from S] [--json]
  crash turns --times N [--from S] [--program DORMOUSE] [--json]

exit code: 0 nothing was lost, 1 something was, 2 wrong usage or no way to run";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match Command::parse(&args) {
        Ok(Command::Help) => {
            say(USAGE);
            return ExitCode::SUCCESS;
        }
        Ok(Command::Cut { cuts, json }) => {
            cut::run(cuts).map(|summary| report::cut(&summary, json)).map_err(|e| e.to_string())
        }
        Ok(Command::Kill { times, from, json }) => killed(times, from, json),
        Ok(Command::Turns { times, from, program, json }) => {
            killed_at_work(program, times, from, json)
        }
        Ok(Command::Write { home, seed }) => {
            return match kill::write_until_killed(&home, seed, &tell) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => trouble(&home.display().to_string(), &error.to_string()),
            };
        }
        Err(why) => {
            eprintln!("{why}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok((text, failed)) => {
            say(&text);
            ExitCode::from(u8::from(failed))
        }
        Err(why) => trouble("crash", &why),
    }
}

fn killed(times: u64, from: u64, json: bool) -> Result<(String, bool), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let kills = kill::Kills { program, times, from };
    kill::run(&kills).map(|summary| report::kill(&summary, json)).map_err(|e| e.to_string())
}

fn killed_at_work(
    program: Option<PathBuf>,
    times: u64,
    from: u64,
    json: bool,
) -> Result<(String, bool), String> {
    let beside = || std::env::current_exe().map(|this| this.with_file_name("dormouse"));
    let program = program.map_or_else(beside, Ok).map_err(|error| error.to_string())?;
    let kills = turns::Kills { program, times, from };
    turns::run(&kills).map(|summary| report::turns(&summary, json)).map_err(|e| e.to_string())
}

fn trouble(what: &str, why: &str) -> ExitCode {
    eprintln!("{what}: {why}");
    ExitCode::from(2)
}

/// Prints a result. The exit code says the same, so a reader that has gone away is no trouble.
fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Tells an answer: one write per line, so that a kill leaves whole lines.
fn tell(writer: u64, number: u64, fate: &Fate) -> ControlFlow<()> {
    let line = Line::print(writer, number, fate) + "\n";
    let mut out = std::io::stdout().lock();
    match out.write_all(line.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => ControlFlow::Continue(()),
        // Nobody listens any more.
        Err(_) => ControlFlow::Break(()),
    }
}

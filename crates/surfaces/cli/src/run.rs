//! Running a command.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use api_types::{CheckReply, ProblemReply, Request, ServingReply, WatchReply};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use client::{Client, Connect, Needs};
use serde_json::json;

use crate::args::{Cli, Command};
use crate::screen::Screen;
use crate::watcher::Watcher;
use crate::{ask, render, up};

/// Wrong usage; 1 is everything else that goes wrong.
const USAGE: u8 = 2;

/// How a command ended that was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// As it was to.
    Well,
    /// What was waited for is a failure. The answer says so; a script goes by the exit code.
    InFailure,
}

/// Runs the command line and says how it went.
pub fn main(args: impl IntoIterator<Item = OsString>, ways: &dyn Connect) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    // Only for words that do not parse; otherwise the parser knows which `--json` is the option.
    let json = args.iter().any(|arg| arg == "--json");
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => return explain(&error, json),
    };
    let screen = Screen::terminal(cli.json);
    match run(cli, ways, &screen).and_then(|ended| screen.arrived().map(|()| ended)) {
        Ok(Ended::Well) => ExitCode::SUCCESS,
        Ok(Ended::InFailure) => ExitCode::FAILURE,
        Err(problem) => {
            screen.fail(&problem);
            // What a server could not read is wrong usage too.
            if problem.code == "wrong_usage" { ExitCode::from(USAGE) } else { ExitCode::FAILURE }
        }
    }
}

fn explain(error: &clap::Error, json: bool) -> ExitCode {
    let asked_for = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    let screen = Screen::terminal(json);
    if asked_for {
        screen.write_bytes(error.to_string().as_bytes());
    } else if !json {
        screen.complain(&error.to_string());
    } else {
        screen.fail(&ProblemReply {
            code: "wrong_usage".to_owned(),
            message: short(error),
            hint: "`dormouse --help` lists the commands".to_owned(),
        });
    }
    if asked_for { ExitCode::SUCCESS } else { ExitCode::from(USAGE) }
}

/// What is wrong, in one line: everything before the usage.
fn short(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "a command is missing".to_owned();
    }
    let text = error.to_string();
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| {
            !["Usage:", "For more information"].iter().any(|it| line.starts_with(it))
        })
        .filter(|line| !line.is_empty())
        .collect();
    let line = lines.join(" ").replace(" tip: ", "; ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}

fn run(cli: Cli, ways: &dyn Connect, screen: &Screen) -> Result<Ended, ProblemReply> {
    if let Command::Completions { shell } = cli.command {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Cli::command(), "dormouse", &mut script);
        screen.write_bytes(&script);
        return Ok(Ended::Well);
    }
    let home = home(cli.home)?;
    let notice = |line: &str| screen.say(line);
    match cli.command {
        Command::Serve { listen } => {
            let ready = |reply: &ServingReply| {
                screen.show_json(reply);
                screen.say(&format!("serving at {}; Ctrl-C stops it", reply.listening));
            };
            ways.serve(&home, listen, &ready, &notice)?;
        }
        Command::Up { sample, listen, .. } => {
            let json = screen.is_json();
            let watcher = Watcher::start(
                move || Screen::terminal(json),
                |screen, what| up::show(what, screen),
                |left_out| WatchReply::NotShown { left_out },
                Screen::arrived,
            );
            let watch = |what: &WatchReply| watcher.show(what);
            let ended = ways.up(&home, listen, sample, &watch, &notice);
            ended.and(watcher.end())?;
        }
        Command::Doctor => {
            // Whoever reads this has just asked the doctor, whom the usual hint names.
            let seen = |report: CheckReply| CheckReply {
                problem: report.problem.map(|problem| hinted(problem, render::DAMAGED_HOME)),
                ..report
            };
            let reports: Vec<CheckReply> =
                ways.doctor(&home, &notice)?.into_iter().map(seen).collect();
            screen.show(&reports, |reports| render::checks(reports));
            render::verdict(&reports, render::DAMAGED_HOME)?;
        }
        Command::Backup { into } => {
            ways.backup(&home, &into, &notice)?;
            let done = json!({ "backup": into });
            screen.show(&done, |_| format!("backed up to {}\n", into.display()));
        }
        Command::Restore { from } => {
            // A home that is restored into has no files, so what is damaged is the backup: the usual way
            // out, to restore the last one, is the one that was tried.
            let of_backup = |problem| hinted(problem, render::DAMAGED_BACKUP);
            let reports = ways.restore(&home, &from, &notice).map_err(of_backup)?;
            screen.show(&reports, |reports| render::checks(reports));
            render::verdict(&reports, render::DAMAGED_BACKUP)?;
        }
        command => {
            let command = agreed(prepared(command, screen)?, ways, &home, screen)?;
            let (looks, needs) = (command.looks_at_the_journal(), command.needs());
            let client = Client::new(ways.connect(&home, needs, &notice)?);
            screen.hold();
            let asked = ask::ask(command, &client, screen);
            if asked.is_ok() {
                settle(&client, screen, looks);
            }
            // Others can use the home while somebody reads the answer.
            drop(client);
            screen.release();
            return asked;
        }
    }
    Ok(Ended::Well)
}

/// The same with this way out, if it is that something is damaged.
fn hinted(problem: ProblemReply, way_out: &str) -> ProblemReply {
    match problem.code.as_str() {
        "store_corrupt" => ProblemReply { hint: way_out.to_owned(), ..problem },
        _ => problem,
    }
}

/// The command with all that it needs besides its words.
fn prepared(command: Command, screen: &Screen) -> Result<Command, ProblemReply> {
    match command {
        Command::Capture(words) => Ok(Command::Capture(words.with_input(screen)?)),
        Command::Note(words) => Ok(Command::Note(words.with_input()?)),
        Command::Import(words) => Ok(Command::Import(words.with_input()?)),
        Command::Plan(words) => Ok(Command::Plan(words.with_input(screen)?)),
        other => Ok(other),
    }
}

/// The command, once somebody has agreed to what it asks about. The terms are looked at on a way of
/// their own, so that nobody waits for the home while somebody reads them.
fn agreed(
    command: Command,
    ways: &dyn Connect,
    home: &Path,
    screen: &Screen,
) -> Result<Command, ProblemReply> {
    let Command::Consent(words) = command else { return Ok(command) };
    let Some(model) = words.is_about() else { return Ok(Command::Consent(words)) };
    let request = Request::ConsentTerms { model: model.to_owned() };
    let way = ways.connect(home, Needs::Home, &|line| screen.say(line))?;
    let terms = Client::new(way).ask(request)?;
    Ok(Command::Consent(words.agreed(&terms, screen)?))
}

/// The answer is out; what follows from it is talk, and no failure of the command. Who only looks at
/// the journal need not hear each time what waits for its agents.
fn settle(client: &Client, screen: &Screen, looks: bool) {
    match client.settle() {
        Ok(0) => {}
        Ok(_) if looks => {}
        Ok(1) => screen.say("1 wake is queued; `dormouse wake --drain` runs it"),
        Ok(many) => {
            screen.say(&format!("{many} wakes are queued; `dormouse wake --drain` runs them"));
        }
        Err(problem) => screen.say(&format!(
            "done, but its wakes are not queued yet ({}); the next command does it",
            problem.message
        )),
    }
}

fn home(asked: Option<PathBuf>) -> Result<PathBuf, ProblemReply> {
    let named =
        || std::env::var_os("DORMOUSE_HOME").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let usual = || std::env::home_dir().map(|dir| dir.join(".dormouse"));
    asked.or_else(named).or_else(usual).ok_or_else(|| ProblemReply {
        code: "home_inaccessible".to_owned(),
        message: "there is no home folder to keep files in".to_owned(),
        hint: "name one with --home or DORMOUSE_HOME".to_owned(),
    })
}

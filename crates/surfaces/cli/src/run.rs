//! Running a command.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use api_types::{
    AgentReply, CategoryReply, DrainReply, ProblemReply, Request, RunReply, TaskReply,
};
use clap::Parser;
use clap::error::ErrorKind;
use client::{Client, Connect};
use serde_json::json;

use crate::args::{AgentCommand, AgentCreate, CategoryCommand, Cli, Command, TaskCommand};
use crate::render;
use crate::screen::Screen;

/// Wrong usage; 1 is everything else that goes wrong.
const USAGE: u8 = 2;

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
    match run(cli, ways, &screen) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            screen.fail(&problem);
            ExitCode::FAILURE
        }
    }
}

fn explain(error: &clap::Error, json: bool) -> ExitCode {
    let asked_for = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if asked_for || !json {
        // If the terminal is gone there is nobody to tell.
        let _ = error.print();
    } else {
        Screen::terminal(json).fail(&ProblemReply {
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
        .take_while(|line| !line.starts_with("Usage:"))
        .filter(|line| !line.is_empty())
        .collect();
    let line = lines.join(" ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}

fn run(cli: Cli, ways: &dyn Connect, screen: &Screen) -> Result<(), ProblemReply> {
    let home = home(cli.home)?;
    let notice = |line: &str| screen.say(line);
    match cli.command {
        Command::Doctor => {
            let reports = ways.doctor(&home, &notice)?;
            screen.show(&reports, |reports| render::checks(reports));
            render::verdict(&reports)
        }
        Command::Backup { into } => {
            ways.backup(&home, &into, &notice)?;
            let done = json!({ "backup": into });
            screen.show(&done, |_| format!("backed up to {}\n", into.display()));
            Ok(())
        }
        Command::Restore { from } => {
            let reports = ways.restore(&home, &from, &notice)?;
            screen.show(&reports, |reports| render::checks(reports));
            render::verdict(&reports)
        }
        command => {
            let client = Client::new(ways.connect(&home, &notice)?);
            ask(command, &client, screen)?;
            settle(&client, screen);
            Ok(())
        }
    }
}

fn ask(command: Command, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    match command {
        Command::Task(TaskCommand::Add(add)) => {
            let (title, category, request_id) = (add.title, add.category, add.request_id);
            let task: TaskReply =
                client.ask(Request::TaskCreate { title, category, request_id })?;
            screen.show(&task, |task| format!("added {}\n", render::task_line(task)));
        }
        Command::Task(TaskCommand::Show { task }) => {
            let task: TaskReply = client.ask(Request::TaskGet { task })?;
            screen.show(&task, render::task);
        }
        Command::Task(TaskCommand::List { category }) => {
            let tasks: Vec<TaskReply> = client.ask(Request::TaskList { category })?;
            screen.show(&tasks, |tasks| render::tasks(tasks));
        }
        Command::Category(CategoryCommand::List) => {
            let categories: Vec<CategoryReply> = client.ask(Request::CategoryList)?;
            screen.show(&categories, |categories| render::categories(categories));
        }
        Command::Agent(AgentCommand::Create(create)) => {
            let AgentCreate { template, category, name, request_id } = create;
            let agent: AgentReply =
                client.ask(Request::AgentCreate { template, category, name, request_id })?;
            screen.show(&agent, |agent| format!("created {} ({})\n", agent.id, agent.name));
        }
        Command::Agent(AgentCommand::Show { agent }) => {
            let agent: AgentReply = client.ask(Request::AgentGet { agent })?;
            screen.show(&agent, render::agent);
        }
        Command::Agent(AgentCommand::List) => {
            let agents: Vec<AgentReply> = client.ask(Request::AgentList)?;
            screen.show(&agents, |agents| render::agents(agents));
        }
        Command::Runs(runs) => {
            let (agent, limit) = (runs.agent, runs.limit);
            let runs: Vec<RunReply> = client.ask(Request::RunList { agent, limit })?;
            screen.show(&runs, |runs| render::runs(runs));
        }
        Command::Wake(_) => {
            let drained: DrainReply = client.ask(Request::WakeDrain)?;
            screen.show(&drained, |drained| match drained.ended {
                1 => "1 run ended\n".to_owned(),
                many => format!("{many} runs ended\n"),
            });
        }
        Command::Doctor | Command::Backup { .. } | Command::Restore { .. } => {
            unreachable!("these need no client and were taken care of")
        }
    }
    Ok(())
}

/// The answer is out; what follows from it is talk, and no failure of the command.
fn settle(client: &Client, screen: &Screen) {
    match client.settle() {
        Ok(0) => {}
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

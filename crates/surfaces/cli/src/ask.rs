//! From words to requests, and from answers to the screen.

use api_types::{AgentReply, DrainReply, KillReply, ProblemReply, QueuedReply, Request, RunReply};
use client::Client;

use crate::args::{AgentCommand, AgentCreate, Command, Switch, Wake};
use crate::journal::{
    capture, category, exchange, history, label, note, plan, rate, search, task, time, today,
};
use crate::run::Ended;
use crate::screen::Screen;
use crate::{
    ask_schedule, consent, events, live, prompt, providers, render, replay, report, resume,
    session, template,
};

pub(crate) fn ask(
    command: Command,
    client: &Client,
    screen: &Screen,
) -> Result<Ended, ProblemReply> {
    match command {
        Command::Task(command) => task::ask(command, client, screen)?,
        Command::Capture(words) => capture::ask(words, client, screen)?,
        Command::Category(command) => category::ask(command, client, screen)?,
        Command::Label(command) => label::ask(command, client, screen)?,
        Command::Note(command) => note::ask(command, client, screen)?,
        Command::Search(words) => search::ask(words, client, screen)?,
        Command::Export(words) => exchange::export(&words, client, screen)?,
        Command::Import(words) => exchange::import(words, client, screen)?,
        Command::History(words) => history::history(words, client, screen)?,
        Command::Undo(words) => history::undo(words, client, screen)?,
        Command::Today => today::ask(client, screen)?,
        Command::Time(command) => time::ask(command, client, screen)?,
        Command::Plan(command) => plan::ask(command, client, screen)?,
        Command::Rate(rate) => rate::ask(rate, client, screen)?,
        Command::Agent(command) => agent(command, client, screen)?,
        Command::Template(command) => template::ask(command, client, screen)?,
        Command::Schedule(command) => ask_schedule::ask(command, client, screen)?,
        Command::Runs(runs) => {
            let (agent, limit) = (runs.agent, runs.limit);
            let runs: Vec<RunReply> = client.ask(Request::RunList { agent, limit })?;
            screen.show(&runs, |runs| render::runs(runs));
        }
        Command::Events(words) => events::ask(words, client, screen)?,
        Command::Cancel { agent, run } => {
            let run: RunReply = client.ask(Request::RunCancel { agent, run })?;
            screen.show(&run, |run| format!("cancelled run {}\n", run.run_key));
        }
        Command::Report(words) => report::ask(words, client, screen)?,
        Command::Reports(words) => report::ask_about(words, client, screen)?,
        Command::Wake(words) => wake(words, client, screen)?,
        Command::Prompt(words) => return prompt::ask(words, client, screen),
        Command::Follow(words) => return live::follow(words, client, screen),
        Command::Again(words) => return prompt::ask_again(words, client, screen),
        Command::Replay(words) => return replay::ask(words, client, screen),
        Command::Session(command) => session::ask(command, client, screen)?,
        Command::Debug(command) => prompt::debug(command, client, screen)?,
        Command::Providers => providers::ask(client, screen)?,
        Command::Consent(command) => consent::ask(command, client, screen)?,
        Command::Kill { to, tools } => {
            let request = match to {
                Switch::Status if tools.is_some() => return Err(status_is_whole()),
                Switch::On => Request::Kill { on: true, tools },
                Switch::Off => Request::Kill { on: false, tools },
                Switch::Status => Request::KillGet {},
            };
            let reply: KillReply = client.ask(request)?;
            screen.show(&reply, render::kill);
        }
        Command::Serve { .. }
        | Command::Up { .. }
        | Command::Completions { .. }
        | Command::Doctor
        | Command::Backup { .. }
        | Command::Restore { .. } => {
            unreachable!("these need no client and were taken care of")
        }
    }
    Ok(Ended::Well)
}

fn agent(command: AgentCommand, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let request = match command {
        AgentCommand::List => {
            let agents: Vec<AgentReply> = client.ask(Request::AgentList {})?;
            screen.show(&agents, |agents| render::agents(agents));
            return Ok(());
        }
        AgentCommand::Create(create) => {
            let AgentCreate { template, category, task, name, request_id } = create;
            let request = Request::AgentCreate { template, category, task, name, request_id };
            let agent: AgentReply = client.ask(request)?;
            if agent.again {
                screen.say_repeated();
            }
            screen.show(&agent, |agent| format!("created {} ({})\n", agent.id, agent.name));
            return Ok(());
        }
        AgentCommand::Show { agent } => {
            let agent: AgentReply = client.ask(Request::AgentGet { agent })?;
            screen.show(&agent, render::agent);
            return Ok(());
        }
        AgentCommand::Pause { agent } => Request::AgentPause { agent },
        AgentCommand::Stop { agent } => Request::AgentStop { agent },
        AgentCommand::Resume { agent: Some(agent), failed: _ } => Request::AgentResume { agent },
        AgentCommand::Resume { agent: None, failed: _ } => {
            return resume::failed(client, screen);
        }
        AgentCommand::Destroy { agent } => Request::AgentDestroy { agent },
    };
    let agent: AgentReply = client.ask(request)?;
    screen.show(&agent, render::stands);
    Ok(())
}

fn wake(words: Wake, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let Some(agent) = words.agent else {
        let drained: DrainReply = client.ask(Request::WakeDrain {})?;
        screen.show(&drained, drained_line);
        return Ok(());
    };
    let (request_id, model) = (words.request_id, words.model);
    let queued: QueuedReply = client.ask(Request::Wake { agent, request_id, model })?;
    screen.show(&queued, queued_line);
    Ok(())
}

/// How the switch stands is shown as a whole, so there is no class of tools to ask for.
fn status_is_whole() -> ProblemReply {
    ProblemReply {
        code: "wrong_usage".to_owned(),
        message: "--tools goes with on and off, not with status".to_owned(),
        hint: "leave it out: `dormouse kill status` names the tools that are stopped".to_owned(),
    }
}

/// What a drain did. Whoever runs one has nobody else to tell that something failed.
fn drained_line(drained: &DrainReply) -> String {
    let runs = if drained.ended == 1 { "run" } else { "runs" };
    let failed = match drained.failed {
        0 => String::new(),
        some => format!(", {some} failed; `dormouse runs AGENT` says why"),
    };
    format!("{} {runs} ended{failed}\n", drained.ended)
}

pub(crate) fn queued_line(queued: &QueuedReply) -> String {
    match queued.again {
        true => format!("run {} was queued before under this name\n", queued.run_key),
        false => format!("queued run {}\n", queued.run_key),
    }
}

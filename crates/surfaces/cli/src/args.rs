//! The words of the command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use api_types::At;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use client::Needs;

use crate::consent::ConsentCommand;
use crate::events::EventsWords;
use crate::journal::{
    capture, category, exchange, history, label, note, plan, rate, search, task, time,
};
use crate::live::FollowWords;
use crate::number::{how_many, whole_number};
use crate::replay::ReplayWords;
use crate::report::{ReportWords, ReportsWords};
use crate::session::SessionCommand;
use crate::template;

/// What the options are called that every command has.
const EVERYWHERE: &str = "Options of every command";

/// A journal of tasks, notes, time and plans, and agents that sleep, wake when it matters, and leave you
/// a report.
#[derive(Debug, Parser)]
#[command(
    name = "dormouse",
    version,
    after_help = "Examples:\n  dormouse task add \"Water the ferns\" --category home --due tomorrow\n  dormouse today\n  dormouse time start TASK\n  dormouse note add \"Bought moss\" --task TASK\n  dormouse undo --last\n  dormouse agent create --template task_agent --task TASK\n\nTASK and other words in capitals stand for ids: the whole of one, or its last characters as lists show them."
)]
pub(crate) struct Cli {
    /// The folder with your files [default: $DORMOUSE_HOME, else ~/.dormouse]
    #[arg(long, global = true, value_name = "DIR", help_heading = EVERYWHERE)]
    pub(crate) home: Option<PathBuf>,

    /// Print JSON instead of text: one value; one a line of what is followed (`follow`, `prompt --follow`, `up`) and of `events`
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// This day at a glance: what is planned, due, running and done
    #[command(after_help = "Example:\n  dormouse today")]
    Today,
    /// Tasks of the journal
    #[command(subcommand)]
    Task(task::TaskCommand),
    /// Take what comes on standard input, as tasks or as a note
    #[command(after_help = capture::EXAMPLES)]
    Capture(capture::Capture),
    /// Notes, recordings and pictures
    #[command(subcommand)]
    Note(note::NoteCommand),
    /// Time that was spent, and the timer
    #[command(subcommand)]
    Time(time::TimeCommand),
    /// Plans of days
    #[command(subcommand)]
    Plan(plan::PlanCommand),
    /// Say how a day, a task or a stretch of time was
    Rate(rate::Rate),
    /// Find what you keep by its words
    Search(search::Search),
    /// Show what was done to the journal, newest first: who, what, when
    #[command(after_help = "Examples:\n  dormouse history\n  dormouse history RECORD --limit 5")]
    History(history::History),
    /// Put back what an operation, or all of a run, did to the journal
    #[command(after_help = "Examples:\n  dormouse undo OPERATION\n  dormouse undo --last")]
    Undo(history::Undo),
    /// Categories of the journal
    #[command(subcommand)]
    Category(category::CategoryCommand),
    /// Labels that tasks can bear
    #[command(subcommand)]
    Label(label::LabelCommand),
    /// Write everything in the journal to standard output
    #[command(
        after_help = "Examples:\n  dormouse export --format json > journal.json\n  dormouse export --format markdown > journal.md"
    )]
    Export(exchange::ExportWords),
    /// Bring a file into the journal: all of it, or nothing if anything in it is wrong
    #[command(
        after_help = "Examples:\n  dormouse import --format json journal.json\n  task export | dormouse import --format taskwarrior -\n  dormouse import --format todotxt todo.txt --category home"
    )]
    Import(exchange::ImportWords),
    /// Agents
    #[command(subcommand)]
    Agent(AgentCommand),
    /// What agents are made from
    #[command(subcommand)]
    Template(template::TemplateCommand),
    /// Schedules of agents
    #[command(subcommand)]
    Schedule(ScheduleCommand),
    /// Show an agent's runs, newest first
    #[command(
        after_help = "Examples:\n  dormouse runs AGENT\n  dormouse runs AGENT --limit 5 --json"
    )]
    Runs(Runs),
    /// Show what happened to an agent, oldest first: its wakes and runs, what they asked and cost, how it stands
    #[command(
        after_help = "Examples:\n  dormouse events AGENT\n  dormouse events AGENT --after 120 --limit 500 --json"
    )]
    Events(EventsWords),
    /// Cancel a run of an agent: what it has done stays done, nothing more of it gets through
    #[command(after_help = "Examples:\n  dormouse cancel AGENT\n  dormouse cancel AGENT --run RUN")]
    Cancel {
        /// The agent's id, or its last characters, four or more
        agent: String,
        /// Which run, by its name or the beginning of it [default: the one that is under way]
        #[arg(long, value_name = "RUN")]
        run: Option<String>,
    },
    /// Read the report that an agent keeps current
    #[command(
        after_help = "Examples:\n  dormouse report AGENT\n  dormouse report AGENT --claims\n  dormouse report AGENT --scope daily --json"
    )]
    Report(ReportWords),
    /// List the reports that rest on a record: what each agent has last said of it, and on which claims
    #[command(
        after_help = "Examples:\n  dormouse reports TASK\n  dormouse reports ITEM --agent AGENT --json"
    )]
    Reports(ReportsWords),
    /// Ask an agent to look again, or run wakes that are queued
    #[command(after_help = "Examples:\n  dormouse wake AGENT\n  dormouse wake --drain")]
    Wake(Wake),
    /// Say something to an agent
    #[command(
        after_help = "Examples:\n  dormouse prompt AGENT \"What is open?\"\n  dormouse prompt AGENT \"And tomorrow?\" --session evening --wait\n  dormouse prompt AGENT \"What is open?\" --follow --json"
    )]
    Prompt(PromptWords),
    /// Follow a run: what its agent says while it says it, and what came of it; exits with 1 if it failed
    #[command(
        after_help = "Examples:\n  dormouse follow AGENT\n  dormouse follow AGENT --run RUN --after 0.17 --json"
    )]
    Follow(FollowWords),
    /// Run a past run once more: what you said then is said again, or the agent looks again; what it did stays done
    #[command(
        after_help = "Examples:\n  dormouse again AGENT --wait\n  dormouse again AGENT --run RUN --model local/other --wait"
    )]
    Again(AgainWords),
    /// Go through a past turn again, from what was recorded of it, step by step: nothing is asked, done or written;
    /// exits with 1 if anything comes out otherwise
    #[command(
        after_help = "Examples:\n  dormouse replay AGENT\n  dormouse replay AGENT --run RUN --json"
    )]
    Replay(ReplayWords),
    /// Sessions with agents: threads that go on from what was said before, and their conversations
    #[command(subcommand)]
    Session(SessionCommand),
    /// Look behind the scenes
    #[command(subcommand)]
    Debug(DebugCommand),
    /// Providers of models: whether each can be asked, and how often what fails is tried again
    #[command(after_help = "Example:\n  dormouse providers")]
    Providers,
    /// What you agreed to: which models are sent what agents work with
    #[command(subcommand)]
    Consent(ConsentCommand),
    /// Throw or lift the kill switch: while it is on, no agent runs and none is woken
    #[command(
        after_help = "Examples:\n  dormouse kill on\n  dormouse kill on --tools taskWrite\n  dormouse kill status"
    )]
    Kill {
        /// on, off, or status to see how it stands
        #[arg(value_enum)]
        to: Switch,
        /// Only the tools that need this capability, such as taskWrite: agents go on without them
        #[arg(long, value_name = "CLASS")]
        tools: Option<String>,
    },
    /// Serve the home and show who wakes, why, what comes of it and what it costs, until stopped
    #[command(
        after_help = "Examples:\n  dormouse up\n  dormouse up --sample\n  dormouse --home /tmp/try up --sample --listen 127.0.0.1:0"
    )]
    Up {
        /// Make a small sample workspace first: two tasks, and an agent for one of them
        #[arg(long)]
        sample: bool,
        /// Do not open a page; there is none to open yet
        #[arg(long)]
        no_open: bool,
        /// The loopback address for HTTP; port 0 takes any that is free
        #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7311", value_parser = address)]
        listen: SocketAddr,
    },
    /// Serve the home: let wakes run by themselves, and answer commands and programs, until stopped
    #[command(
        after_help = "Examples:\n  dormouse serve\n  dormouse serve --listen 127.0.0.1:0\n  curl http://127.0.0.1:7311/v1/health"
    )]
    Serve {
        /// The loopback address for HTTP; port 0 takes any that is free
        #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7311", value_parser = address)]
        listen: SocketAddr,
    },
    /// Read the files of the home whole and say what is wrong with them
    #[command(after_help = "Example:\n  dormouse doctor")]
    Doctor,
    /// Copy the files of the home into a new folder, and check the copy
    #[command(after_help = "Example:\n  dormouse backup ~/backups/monday")]
    Backup {
        /// A folder that does not exist yet
        #[arg(value_name = "DIR")]
        into: PathBuf,
    },
    /// Copy a backup into a home that has no files yet
    #[command(
        after_help = "Examples:\n  dormouse restore ~/backups/monday\n  dormouse --home DIR restore ~/backups/monday"
    )]
    Restore {
        /// A folder that `dormouse backup` made
        #[arg(value_name = "DIR")]
        from: PathBuf,
    },
    /// Print completions for a shell
    #[command(
        after_help = "Examples:\n  dormouse completions bash > ~/.local/share/bash-completion/completions/dormouse\n  dormouse completions zsh > ~/.zfunc/_dormouse\n  dormouse completions fish > ~/.config/fish/completions/dormouse.fish"
    )]
    Completions {
        /// Which shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

impl Command {
    /// Whether it only shows what is in the journal.
    pub(crate) fn looks_at_the_journal(&self) -> bool {
        use category::CategoryCommand;
        use label::LabelCommand;
        use note::NoteCommand;
        use task::TaskCommand;
        use time::TimeCommand;
        match self {
            Command::Today | Command::Search(_) | Command::History(_) | Command::Export(_) => true,
            Command::Task(words) => matches!(
                words,
                TaskCommand::Show { .. } | TaskCommand::List(_) | TaskCommand::Find { .. }
            ),
            Command::Note(words) => {
                matches!(words, NoteCommand::List(_) | NoteCommand::Show { .. })
            }
            Command::Category(words) => matches!(words, CategoryCommand::List),
            Command::Label(words) => matches!(words, LabelCommand::List),
            Command::Time(words) => {
                matches!(words, TimeCommand::Status | TimeCommand::List { .. })
            }
            Command::Plan(words) => matches!(words, plan::PlanCommand::Show { .. }),
            Command::Rate(words) => words.looks(),
            _ => false,
        }
    }

    /// What the command needs of the home. Everything can be stopped, and what one has can be taken out,
    /// whatever has become of the configuration; who lets agents go on needs it whole.
    pub(crate) fn needs(&self) -> Needs {
        match self {
            Command::Export(_) | Command::Kill { to: Switch::On | Switch::Status, .. } => {
                Needs::Files
            }
            begins if begins.may_come_first() => Needs::Place,
            _ => Needs::Home,
        }
    }

    /// Whether it can be the first thing that is done in a home: it adds something that rests on nothing
    /// else.
    fn may_come_first(&self) -> bool {
        use plan::{BlockCommand, PlanCommand};
        match self {
            Command::Capture(_) => true,
            Command::Import(words) => !words.dry_run,
            Command::Task(words) => matches!(words, task::TaskCommand::Add(_)),
            Command::Note(words) => matches!(words, note::NoteCommand::Add(_)),
            Command::Category(words) => matches!(words, category::CategoryCommand::Add { .. }),
            Command::Label(words) => matches!(words, label::LabelCommand::Add(_)),
            Command::Plan(words) => matches!(
                words,
                PlanCommand::Block(BlockCommand::Add { .. }) | PlanCommand::Replan(_)
            ),
            Command::Rate(words) => words.rates(),
            // Every home has categories; a task has to be there.
            Command::Agent(AgentCommand::Create(words)) => words.category.is_some(),
            _ => false,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// Create an agent
    #[command(
        after_help = "Examples:\n  dormouse agent create --template task_agent --task TASK\n  dormouse agent create --template watcher --category home"
    )]
    Create(AgentCreate),
    /// Show one agent: how it stands, how it can be woken, what it still has to do
    #[command(after_help = "Example:\n  dormouse agent show AGENT")]
    Show {
        /// The agent's id, or its last characters, four or more
        agent: String,
    },
    /// List the agents, newest first; behind them the destroyed ones, as far as a thousand have room
    #[command(after_help = "Example:\n  dormouse agent list")]
    #[command(alias = "ls")]
    List,
    /// Stop an agent until it is resumed; it then catches up with what changed meanwhile
    #[command(after_help = "Example:\n  dormouse agent pause AGENT")]
    Pause {
        /// The agent's id, or its last characters, four or more
        agent: String,
    },
    /// Stop an agent until it is resumed, and refuse even hints from outside for it
    #[command(after_help = "Example:\n  dormouse agent stop AGENT")]
    Stop {
        /// The agent's id, or its last characters, four or more
        agent: String,
    },
    /// Let a dormant agent go on, or all that are dormant because their turns failed
    #[command(
        after_help = "Examples:\n  dormouse agent resume AGENT\n  dormouse agent resume --failed"
    )]
    #[command(group(ArgGroup::new("whom").required(true).args(["agent", "failed"])))]
    Resume {
        /// The agent's id, or its last characters, four or more
        agent: Option<String>,
        /// All of the newest thousand that are dormant because of failures: when a provider is back, say
        #[arg(long)]
        failed: bool,
    },
    /// End an agent for good; its records stay
    #[command(after_help = "Example:\n  dormouse agent destroy AGENT")]
    Destroy {
        /// The agent's id, or its last characters, four or more
        agent: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
    Status,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ScheduleCommand {
    /// Add a schedule to an agent
    #[command(
        after_help = "Examples:\n  dormouse schedule add AGENT --cron \"0 7 * * MON-FRI\" --zone Europe/Berlin\n  dormouse schedule add AGENT --every 3600 --catch-up\n  dormouse schedule add AGENT --every 600 --once"
    )]
    Add(ScheduleAdd),
    /// List an agent's schedules, newest first
    #[command(after_help = "Example:\n  dormouse schedule list AGENT")]
    #[command(alias = "ls")]
    List {
        /// The agent's id, or its last characters, four or more
        agent: String,
    },
    /// Show one schedule and what became of its slots
    #[command(after_help = "Example:\n  dormouse schedule show SCHEDULE")]
    Show {
        /// The schedule's id, or its last characters, four or more
        schedule: String,
    },
    /// Stop a schedule until it is resumed
    #[command(after_help = "Example:\n  dormouse schedule pause SCHEDULE")]
    Pause {
        /// The schedule's id, or its last characters, four or more
        schedule: String,
    },
    /// Let a paused schedule come round again
    #[command(after_help = "Example:\n  dormouse schedule resume SCHEDULE")]
    Resume {
        /// The schedule's id, or its last characters, four or more
        schedule: String,
    },
    /// End a schedule for good
    #[command(after_help = "Example:\n  dormouse schedule disable SCHEDULE")]
    Disable {
        /// The schedule's id, or its last characters, four or more
        schedule: String,
    },
    /// Bring a schedule round now
    #[command(after_help = "Example:\n  dormouse schedule trigger SCHEDULE")]
    Trigger {
        /// The schedule's id, or its last characters, four or more
        schedule: String,
        /// Names this request: the same again is the same occurrence
        #[arg(long, value_name = "ID")]
        request_id: Option<String>,
    },
    /// Run the slots of a stretch of the past that have not run: at most 100, none from before it was
    /// added
    #[command(
        after_help = "Example:\n  dormouse schedule backfill SCHEDULE --from 2026-11-01T00:00:00Z --to 2026-11-08T00:00:00Z"
    )]
    Backfill {
        /// The schedule's id, or its last characters, four or more
        schedule: String,
        /// From when, such as 2026-11-01T00:00:00Z
        #[arg(long, value_name = "TIME")]
        from: At,
        /// Until when, such as 2026-11-08T00:00:00Z
        #[arg(long, value_name = "TIME")]
        to: At,
    },
}

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("rule").required(true).args(["cron", "every"])))]
pub(crate) struct ScheduleAdd {
    /// The agent's id, or its last characters, four or more
    pub(crate) agent: String,
    /// When, as minute hour day-of-month month day-of-week
    #[arg(long, value_name = "LINE")]
    pub(crate) cron: Option<String>,
    /// How often, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = whole_number, allow_negative_numbers = true)]
    pub(crate) every: Option<u64>,
    /// By which wall clock, such as Europe/Berlin; local is this computer's own
    #[arg(long, default_value = "local")]
    pub(crate) zone: String,
    /// What to call it
    #[arg(long)]
    pub(crate) label: Option<String>,
    /// What to do if it comes round before the last one has ended
    #[arg(long, value_enum, default_value_t = OverlapWord::Forbid)]
    pub(crate) overlap: OverlapWord,
    /// Make up for missed slots with one wake
    #[arg(long)]
    pub(crate) catch_up: bool,
    /// End it after its first occurrence
    #[arg(long)]
    pub(crate) once: bool,
    /// Wake the agent even if nothing relevant changed
    #[arg(long)]
    pub(crate) always: bool,
    /// No slot after this time, such as 2027-01-01T00:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<At>,
    /// Names this request: the same again gives the same schedule instead of a second one
    #[arg(long, value_name = "ID")]
    pub(crate) request_id: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OverlapWord {
    Allow,
    Forbid,
    Replace,
}

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("subject").required(true).args(["category", "task"])))]
pub(crate) struct AgentCreate {
    /// What to make it from: task_agent tends a task, watcher looks at the tasks of a category and calls
    /// no model; `dormouse template list` shows all
    #[arg(long, value_name = "NAME")]
    pub(crate) template: String,
    /// The task it tends; a task has one agent at most. It sees the category the task is in now
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// The category it watches, and the only one it may see
    #[arg(long, value_name = "NAME")]
    pub(crate) category: Option<String>,
    /// What to call it [default: the title of its task, or what it watches]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Names this request: the same again gives the same agent instead of a second one
    #[arg(long, value_name = "ID")]
    pub(crate) request_id: Option<String>,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("waits").args(["wait", "follow"]).multiple(true)))]
pub(crate) struct PromptWords {
    /// The agent's id, or its last characters, four or more
    pub(crate) agent: String,
    /// What to say
    pub(crate) text: String,
    /// In which session, so that it goes on from what was said there before
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// Ask this model instead of the agent's own, this once
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub(crate) model: Option<String>,
    /// Throw it into the turn that is under way, at its next step; without one it comes before all that waits
    #[arg(long, conflicts_with = "model")]
    pub(crate) interject: bool,
    /// Wait until it was dealt with, and show what the agent says to it; exits with 1 if that failed
    #[arg(long)]
    pub(crate) wait: bool,
    /// Wait, and show its words as they come, also where nobody looks on; on a terminal `--wait` does that anyway
    #[arg(long)]
    pub(crate) follow: bool,
    /// Wait no longer than this for a server that does the work
    #[arg(long, value_name = "SECONDS", default_value_t = 600, requires = "waits", value_parser = whole_number, allow_negative_numbers = true)]
    pub(crate) timeout: u64,
    /// Names this request: the same again is the same run instead of a second one
    #[arg(long, value_name = "ID")]
    pub(crate) request_id: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AgainWords {
    /// The agent's id, or its last characters, four or more
    pub(crate) agent: String,
    /// Which run, by its name or the beginning of it [default: the last that is over]
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
    /// Ask this model instead of the agent's own, this once
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub(crate) model: Option<String>,
    /// Wait until it was dealt with, and show what the agent says to it; exits with 1 if that failed
    #[arg(long)]
    pub(crate) wait: bool,
    /// Wait no longer than this for a server that does the work
    #[arg(long, value_name = "SECONDS", default_value_t = 600, requires = "wait", value_parser = whole_number, allow_negative_numbers = true)]
    pub(crate) timeout: u64,
    /// Names this request: the same again is the same run instead of another one
    #[arg(long, value_name = "ID")]
    pub(crate) request_id: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DebugCommand {
    /// Show what an agent's model is asked with, part by part: what it is, how long it stays the same,
    /// how far it is trusted, how long it is, and why it is there
    #[command(
        after_help = "Examples:\n  dormouse debug prompt AGENT\n  dormouse debug prompt AGENT --text"
    )]
    Prompt {
        /// The agent's id, or its last characters, four or more
        agent: String,
        /// Show the words of each part too
        #[arg(long)]
        text: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Runs {
    /// The agent's id, or its last characters, four or more
    pub(crate) agent: String,
    /// At most this many
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = how_many, allow_negative_numbers = true)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["agent", "drain"])))]
pub(crate) struct Wake {
    /// The agent to wake, by its id or its last characters, four or more
    pub(crate) agent: Option<String>,
    /// Run all that is queued, here and now, until nothing is that could begin
    #[arg(long)]
    pub(crate) drain: bool,
    /// Names this request: the same again is the same run instead of a second one
    #[arg(long, value_name = "ID", conflicts_with = "drain")]
    pub(crate) request_id: Option<String>,
    /// Ask this model instead of the agent's own, this once
    #[arg(long, value_name = "PROVIDER/MODEL", conflicts_with = "drain")]
    pub(crate) model: Option<String>,
}

/// An address with its port; `localhost` is the usual loopback.
fn address(text: &str) -> Result<SocketAddr, String> {
    let text = match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.to_owned(),
    };
    text.parse()
        .map_err(|_| "an address with its port is needed, such as 127.0.0.1:7311".to_owned())
}

#[cfg(test)]
#[path = "help_tests.rs"]
mod tests;

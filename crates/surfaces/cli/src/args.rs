//! The words of the command line.

use std::path::PathBuf;

use api_types::At;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Agents that sleep, wake when it matters, and leave you a report.
#[derive(Debug, Parser)]
#[command(
    name = "dormouse",
    version,
    after_help = "Examples:\n  dormouse task add \"Water the ferns\" --category home\n  dormouse agent create --template watcher --category home\n  dormouse wake --drain\n  dormouse runs AGENT --json"
)]
pub(crate) struct Cli {
    /// The folder with your files [default: $DORMOUSE_HOME, else ~/.dormouse]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,

    /// Print one JSON value instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Tasks of the journal
    #[command(subcommand)]
    Task(TaskCommand),
    /// Categories of the journal
    #[command(subcommand)]
    Category(CategoryCommand),
    /// Agents
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Schedules of agents
    #[command(subcommand)]
    Schedule(ScheduleCommand),
    /// Show an agent's runs, newest first
    Runs(Runs),
    /// Ask an agent to look again, or run wakes that are queued
    Wake(Wake),
    /// Say something to an agent
    #[command(after_help = "Example:\n  dormouse prompt AGENT \"What is open?\"")]
    Prompt {
        /// The agent's id
        agent: String,
        /// What to say
        text: String,
        /// Names this request: the same again is the same run instead of a second one
        #[arg(long, value_name = "ID")]
        request_id: Option<String>,
    },
    /// Throw or lift the kill switch: while it is on, no agent runs and none is woken
    Kill {
        /// on, off, or status to see how it stands
        #[arg(value_enum)]
        to: Switch,
    },
    /// Read the files of the home whole and say what is wrong with them
    Doctor,
    /// Copy the files of the home into a new folder, and check the copy
    Backup {
        /// A folder that does not exist yet
        #[arg(value_name = "DIR")]
        into: PathBuf,
    },
    /// Copy a backup into a home that has no files yet
    Restore {
        /// A folder that `dormouse backup` made
        #[arg(value_name = "DIR")]
        from: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum TaskCommand {
    /// Add a task
    #[command(after_help = "Example:\n  dormouse task add \"Water the ferns\" --category home")]
    Add(TaskAdd),
    /// Show one task
    Show {
        /// The task's id
        task: String,
    },
    /// List tasks, newest first
    List {
        /// Only those of this category
        #[arg(long, value_name = "NAME")]
        category: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct TaskAdd {
    /// What is to be done
    pub(crate) title: String,
    /// Where it belongs, such as work or home
    #[arg(long, value_name = "NAME")]
    pub(crate) category: String,
    /// Names this request: the same again gives the same task instead of a second one
    #[arg(long, value_name = "ID")]
    pub(crate) request_id: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CategoryCommand {
    /// List categories
    List,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// Create an agent
    #[command(after_help = "Example:\n  dormouse agent create --template watcher --category home")]
    Create(AgentCreate),
    /// Show one agent: how it stands, how it can be woken, what it still has to do
    Show {
        /// The agent's id
        agent: String,
    },
    /// List every agent that ever was
    List,
    /// Stop an agent until it is resumed; it then catches up with what changed meanwhile
    Pause {
        /// The agent's id
        agent: String,
    },
    /// Stop an agent until it is resumed, and refuse even hints from outside for it
    Stop {
        /// The agent's id
        agent: String,
    },
    /// Let a dormant agent go on
    Resume {
        /// The agent's id
        agent: String,
    },
    /// End an agent for good; its records stay
    Destroy {
        /// The agent's id
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
    List {
        /// The agent's id
        agent: String,
    },
    /// Show one schedule and what became of its slots
    Show {
        /// The schedule's id
        schedule: String,
    },
    /// Stop a schedule until it is resumed
    Pause {
        /// The schedule's id
        schedule: String,
    },
    /// Let a paused schedule come round again
    Resume {
        /// The schedule's id
        schedule: String,
    },
    /// End a schedule for good
    Disable {
        /// The schedule's id
        schedule: String,
    },
    /// Bring a schedule round now
    Trigger {
        /// The schedule's id
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
        /// The schedule's id
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
    /// The agent's id
    pub(crate) agent: String,
    /// When, as minute hour day-of-month month day-of-week
    #[arg(long, value_name = "LINE")]
    pub(crate) cron: Option<String>,
    /// How often, in seconds
    #[arg(long, value_name = "SECONDS")]
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
pub(crate) struct AgentCreate {
    /// What to make it from; watcher looks at the tasks of a category and calls no model
    #[arg(long, value_name = "NAME")]
    pub(crate) template: String,
    /// The category it watches, and the only one it may see
    #[arg(long, value_name = "NAME")]
    pub(crate) category: String,
    /// What to call it
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Names this request: the same again gives the same agent instead of a second one
    #[arg(long, value_name = "ID")]
    pub(crate) request_id: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Runs {
    /// The agent's id
    pub(crate) agent: String,
    /// At most this many
    #[arg(long, default_value_t = 50, value_name = "N")]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["agent", "drain"])))]
pub(crate) struct Wake {
    /// The agent to wake
    pub(crate) agent: Option<String>,
    /// Run all that is queued, here and now, until nothing is that could begin
    #[arg(long)]
    pub(crate) drain: bool,
    /// Names this request: the same again is the same run instead of a second one
    #[arg(long, value_name = "ID", requires = "agent")]
    pub(crate) request_id: Option<String>,
}

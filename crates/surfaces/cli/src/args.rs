//! The words of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

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
    /// Show an agent's runs, newest first
    Runs(Runs),
    /// Run wakes that are queued
    Wake(Wake),
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
pub(crate) struct Wake {
    /// Run all that is queued, here and now, until nothing is
    #[arg(long, required = true)]
    pub(crate) drain: bool,
}

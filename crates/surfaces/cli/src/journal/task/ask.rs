//! The words about tasks.

use api_types::{EntryListParams, EntryReply, JournalLook, ProblemReply, Request, TaskReply};
use clap::Subcommand;
use client::Client;

use crate::screen::Screen;

use super::words::StatusWord;
use super::{add, carry, checklist, edit, item, label, link, list, show, status};

#[derive(Debug, Subcommand)]
pub(crate) enum TaskCommand {
    /// Add a task
    #[command(after_help = add::EXAMPLES)]
    Add(add::TaskAdd),
    /// Show one task with its checklists and relations
    #[command(after_help = "Example:\n  dormouse task show TASK")]
    Show {
        /// The task's id, or its last characters, four or more
        task: String,
    },
    /// List tasks that are not closed, newest first
    #[command(after_help = list::EXAMPLES)]
    #[command(alias = "ls")]
    List(list::TaskList),
    /// Find the task that somebody means by some words
    #[command(after_help = "Example:\n  dormouse task find \"the ferns\"")]
    Find {
        /// Words of its title, or the end of its id
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Change what a task says
    #[command(after_help = edit::EXAMPLES)]
    Edit(edit::TaskEdit),
    /// Begin tasks
    #[command(after_help = "Example:\n  dormouse task start TASK")]
    Start(status::Tasks),
    /// Close tasks as done
    #[command(after_help = "Example:\n  dormouse task done TASK TASK")]
    Done(status::Tasks),
    /// Close tasks that are not to be done any more
    #[command(after_help = "Example:\n  dormouse task cancel TASK TASK")]
    Cancel(status::Tasks),
    /// Open tasks again
    #[command(after_help = "Example:\n  dormouse task reopen TASK")]
    Reopen(status::Tasks),
    /// Mark tasks as blocked: something else has to happen first
    #[command(after_help = "Example:\n  dormouse task block TASK")]
    Block(status::Tasks),
    /// Put tasks aside
    #[command(after_help = "Example:\n  dormouse task hold TASK")]
    Hold(status::Tasks),
    /// Remove a task with its checklists, relations and rating; its notes and the time spent on it stay
    #[command(after_help = "Example:\n  dormouse task rm TASK")]
    #[command(aliases = ["remove", "delete"])]
    Rm(edit::TaskRemove),
    /// Make a task that carries on from another one
    #[command(name = "follow-up", after_help = carry::FOLLOW_UP_EXAMPLES)]
    FollowUp(carry::FollowUp),
    /// Close a task and carry its open items into a follow-up
    #[command(after_help = carry::CONCLUDE_EXAMPLES)]
    Conclude(carry::Conclude),
    /// Relate a task to another one
    #[command(
        after_help = "Examples:\n  dormouse task link TASK blocks TASK\n  dormouse task link TASK part-of TASK"
    )]
    Link(link::TaskLink),
    /// Take a relation between two tasks away
    #[command(after_help = "Example:\n  dormouse task unlink TASK blocks TASK")]
    Unlink(link::TaskLink),
    /// Give a task labels, take others away
    #[command(after_help = label::EXAMPLES)]
    Label(label::TaskLabel),
    /// Items of checklists
    #[command(subcommand)]
    Item(item::ItemCommand),
    /// Checklists of tasks
    #[command(subcommand)]
    Checklist(checklist::ChecklistCommand),
}

pub(crate) fn ask(
    command: TaskCommand,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    match command {
        TaskCommand::Add(words) => add::add(words, client, screen),
        TaskCommand::Show { task } => {
            let task = get(client, task)?;
            let (id, limit) = (Some(task.id.clone()), Some(show::NOTES + 1));
            let params = EntryListParams { task: id, limit, ..EntryListParams::default() };
            let notes: Vec<EntryReply> = client.ask(Request::Look(JournalLook::Entries(params)))?;
            screen.show(&task, |task| show::task(task, &notes));
            Ok(())
        }
        TaskCommand::List(words) => list::list(words, client, screen),
        TaskCommand::Find { words } => list::find(&words.join(" "), client, screen),
        TaskCommand::Edit(words) => edit::edit(words, client, screen),
        TaskCommand::Start(tasks) => status::set(StatusWord::InProgress, &tasks, client, screen),
        TaskCommand::Done(tasks) => status::set(StatusWord::Done, &tasks, client, screen),
        TaskCommand::Cancel(tasks) => status::set(StatusWord::Cancelled, &tasks, client, screen),
        TaskCommand::Reopen(tasks) => status::set(StatusWord::Open, &tasks, client, screen),
        TaskCommand::Block(tasks) => status::set(StatusWord::Blocked, &tasks, client, screen),
        TaskCommand::Hold(tasks) => status::set(StatusWord::OnHold, &tasks, client, screen),
        TaskCommand::Rm(words) => edit::remove(words, client, screen),
        TaskCommand::FollowUp(words) => carry::follow_up(words, client, screen),
        TaskCommand::Conclude(words) => carry::conclude(words, client, screen),
        TaskCommand::Link(words) => link::link("relate_tasks", words, client, screen),
        TaskCommand::Unlink(words) => link::link("unrelate_tasks", words, client, screen),
        TaskCommand::Label(words) => label::label(words, client, screen),
        TaskCommand::Item(command) => item::ask(command, client, screen),
        TaskCommand::Checklist(command) => checklist::ask(command, client, screen),
    }
}

/// One task with all that belongs to it.
pub(super) fn get(client: &Client, task: String) -> Result<TaskReply, ProblemReply> {
    client.ask(Request::Look(JournalLook::Task { task }))
}

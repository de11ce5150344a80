//! The operator's words: what they ask for, and what is to be done about it.

mod add;
mod ask;
mod check;
mod fields;
mod find;
mod list;
mod parse;
mod plan;
mod reply;
mod split;
mod words;

pub(crate) use parse::parse;
pub(crate) use plan::{Step, plan};
pub(crate) use reply::{CAN, WHO, reply};

/// What one sentence asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Order {
    /// New items, on a list that is perhaps named.
    Add { items: Vec<String>, list: Option<String> },
    /// A new checklist.
    AddList { title: String, items: Vec<String> },
    /// Items to check, or to uncheck.
    Check { what: String, checked: bool },
    /// Another title for the task.
    Rename(String),
    /// Another title for an item.
    Reword { what: String, title: String },
    /// Another priority: `p0` to `p3`.
    Priority(&'static str),
    /// Another due date, or none.
    Due(Option<String>),
    /// Another estimate in minutes, or none.
    Estimate(Option<u32>),
    /// Another status.
    Status(&'static str),
    /// A task that carries on.
    FollowUp(String),
    /// A private note.
    Note(String),
    /// The report, written anew.
    Refresh,
    /// A question that the task answers.
    Ask(Question),
    /// It is known what is wanted, and why it cannot be done.
    Unclear(String),
    /// It is not known what is wanted.
    Unknown,
}

/// What can be asked of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Question {
    /// How it stands.
    Summary,
    /// What is open.
    Open,
    /// What is done.
    Done,
    /// What comes next.
    Next,
    /// When it is due.
    Due,
    /// How long it takes.
    HowLong,
    /// How much it matters.
    Priority,
    /// What it waits for.
    Blocked,
    /// What changed.
    Changed,
    /// Whether an item is done.
    Item(String),
    /// What the scribe is and can do.
    Help,
    /// Nothing: a kind word.
    Thanks,
}

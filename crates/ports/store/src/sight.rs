//! Reads of all that a turn looks at, one for each file, each from one moment.

use std::collections::{BTreeMap, BTreeSet};

use types::{
    Account, AgentId, CategoryId, Content, Day, EnvelopeId, Label, Link, Record, RecordId,
    ReportScope, RunKey, SessionId, StateId, TaskId, ThreadId,
};

use crate::Answer;

/// A task and all that hangs on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surroundings {
    /// The task, its tombstone if it was removed; absent if there never was one.
    pub task: Option<Record>,
    /// The category it lies in.
    pub category: Option<Record>,
    /// The labels it bears.
    pub labels: Vec<Record>,
    /// Its checklists, oldest first.
    pub checklists: Vec<Record>,
    /// Their items, open ones first, then the newest.
    pub items: Vec<Record>,
    /// Items that there are beyond those.
    pub items_left_out: usize,
    /// Its entries, newest first.
    pub entries: Vec<Record>,
    /// Entries that there are beyond those.
    pub entries_left_out: usize,
    /// Its time entries, newest first.
    pub times: Vec<Record>,
    /// Time entries that there are beyond those.
    pub times_left_out: usize,
    /// How it is related to other tasks.
    pub links: Vec<Link>,
    /// Those tasks.
    pub linked: Vec<Record>,
    /// Where the words of all these came from, for those that are not the operator's alone.
    pub origins: BTreeMap<RecordId, Label>,
}

impl Surroundings {
    /// Every record among them.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        let named = self.task.iter().chain(&self.category).chain(&self.labels);
        let held = self.checklists.iter().chain(&self.items).chain(&self.entries);
        named.chain(held).chain(&self.times).chain(&self.linked)
    }
}

/// How much of a task is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// Items at most.
    pub items: usize,
    /// Entries at most.
    pub entries: usize,
}

/// What of an agent's memory is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recall {
    /// Whose.
    pub agent: AgentId,
    /// Its durable state.
    pub state: StateId,
    /// In which thread it works.
    pub thread: ThreadId,
    /// The session whose thread that is, if it is one's.
    pub session: Option<SessionId>,
    /// The input it was woken by.
    pub envelope: Option<EnvelopeId>,
    /// Which report.
    pub scope: ReportScope,
    /// The person's local day, for what was spent.
    pub day: Day,
    /// For which run; what that has set aside does not count.
    pub run: RunKey,
    /// Notes at most.
    pub notes: usize,
    /// Messages of the thread at most.
    pub messages: usize,
    /// Other tasks whose agents' reports are wanted.
    pub tasks: Vec<TaskId>,
}

/// What an agent remembers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Background {
    /// Its durable state.
    pub state: Option<Record>,
    /// The session it speaks in.
    pub session: Option<Record>,
    /// The input it was woken by, with its words.
    pub input: Option<(Record, Content)>,
    /// The report that stands, with its words.
    pub report: Option<(Record, Content)>,
    /// Its notes, newest first, with their words, back to the last that their summary stands for.
    pub notes: Vec<(Record, Content)>,
    /// The newest summary of its notes.
    pub notes_summary: Option<(Record, Content)>,
    /// The newest summary of the thread.
    pub summary: Option<(Record, Content)>,
    /// What was said in the thread, newest first, with its words, back to the last that the summary stands
    /// for.
    pub messages: Vec<(Record, Content)>,
    /// What it has spent on the day, and what other runs have set aside.
    pub account: Account,
    /// What the agents of the other tasks report.
    pub reports: Vec<TaskReport>,
}

/// What the agent of a task reports.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskReport {
    /// The task that it tends.
    pub task: TaskId,
    /// Where that agent may look: what it says may come from anywhere in there.
    pub sees: BTreeSet<CategoryId>,
    /// The words.
    pub words: Content,
}

/// Reads of what a turn looks at.
pub trait ReadSight {
    /// A task and all that hangs on it.
    fn surroundings(&self, task: TaskId, reach: Reach) -> Answer<Surroundings>;

    /// What an agent remembers.
    fn background(&self, recall: Recall) -> Answer<Background>;

    /// Where the words of records of the journal came from, for those that are not the operator's alone.
    fn origins(&self, ids: Vec<RecordId>) -> Answer<BTreeMap<RecordId, Label>>;

    /// Contents of records, in the order asked for; those that are gone are left out.
    fn contents(&self, domain: types::Domain, at: Vec<types::ContentRef>) -> Answer<Vec<Content>>;
}

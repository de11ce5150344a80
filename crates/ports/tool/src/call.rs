//! Calls and what a tool plans for them.

use std::collections::BTreeSet;

use serde_json::Value;
use types::{
    AgentId, At, Author, CategoryId, Domain, Epoch, Guard, Label, OperationId, Position, RecordId,
    ReportScope, RunKey, TaskId, ThreadId, Trace, WakeReason, Write,
};

/// One call of a tool by an agent, in one of its runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Who calls.
    pub agent: AgentId,
    /// In which run.
    pub run: RunKey,
    /// Which call of the run, as the model named it, or its place: the same again is the same call.
    pub id: String,
    /// Under which claim: the store refuses the effect of a claim that is over.
    pub epoch: Epoch,
    /// In which thread.
    pub thread: ThreadId,
    /// Why the agent is awake.
    pub wake_reason: WakeReason,
    /// The categories it may touch.
    pub scope: BTreeSet<CategoryId>,
    /// The one task that it tends; then it may change nothing beside it.
    pub task: Option<TaskId>,
    /// The reports that it keeps: it writes no others.
    pub reports: BTreeSet<ReportScope>,
    /// The model that asks.
    pub model: String,
    /// How far the journal had been read before the model was asked.
    pub journal_seen: Position,
    /// When that was.
    pub looked_at: At,
    /// Which tool.
    pub tool: String,
    /// With which arguments.
    pub arguments: Value,
    /// The name of the operation, given when the plan was recorded; a change without one is refused.
    pub operation: Option<OperationId>,
    /// What led to it.
    pub trace: Trace,
    /// Where all came from that the model had read when it asked.
    pub read: Label,
    /// Only show what would be done.
    pub preview: bool,
}

impl Call {
    /// In whose name it is made.
    #[must_use]
    pub fn author(&self) -> Author {
        let Call { agent, run, epoch, .. } = self;
        Author::Agent { agent: agent.clone(), run: *run, epoch: *epoch }
    }

    /// Where the words of it came from, and of all that is made of them: the model, and what it had read.
    #[must_use]
    pub fn label(&self) -> Label {
        self.author().having_read(&self.read)
    }
}

/// A record that a plan rests on or changes, as it was when the plan was made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// Which record.
    pub record: RecordId,
    /// At which revision it was read; for one that is to be made, its parent stands here.
    pub revision: u64,
    /// The category it lies in; absent if it belongs to none.
    pub category: Option<CategoryId>,
}

/// What a tool would do, and what it will answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// The record that the operation is about.
    pub subject: RecordId,
    /// The file it writes into. What goes among the agents' own records needs no effect of its own: it
    /// is written together with the record of the call.
    pub domain: Domain,
    /// Where things go: categories that something is made in or moved to.
    pub destinations: BTreeSet<CategoryId>,
    /// What to write there; empty for a read, or where nothing would change.
    pub writes: Vec<Write>,
    /// What must still hold when it is written.
    pub guards: Vec<Guard>,
    /// The answer.
    pub answer: Value,
    /// Records whose words are in what it writes or answers though its answer does not name them.
    pub words_of: BTreeSet<RecordId>,
}

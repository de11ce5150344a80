//! How things stand when a call is judged.

use std::collections::BTreeSet;

use types::{AgentId, BodyType, Capability, CategoryId, Domain, Fence, TaskId, ToolCounts};

use crate::{Complaint, Rights};

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Snapshot<'a> {
    /// What is wrong with the arguments, by the tool's schema; empty if nothing is.
    pub complaints: &'a [Complaint],
    /// What the caller's profile allows.
    pub rights: &'a Rights,
    /// The fence around everything.
    pub global_fence: Fence,
    /// The fence around the caller.
    pub agent_fence: Fence,
    /// The classes of tools that are stopped, for everybody.
    pub stopped: &'a BTreeSet<Capability>,
    /// What is known under the name of this call from before.
    pub earlier: Option<Earlier<'a>>,
    /// How often the caller has called the tool, calls that are judged together with this one included.
    pub counts: ToolCounts,
    /// What the tool would do; absent until it was asked.
    pub plan: Option<&'a Plan>,
}

/// What is known under the name of a call from before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Earlier<'a> {
    /// Which tool it was.
    pub tool: &'a str,
    /// Who called it; absent if no agent did.
    pub agent: Option<&'a AgentId>,
    /// It had the same arguments, as far as that is known.
    pub same_arguments: bool,
    /// It was done and has its answer.
    pub done: bool,
}

/// What a tool would do, or looked at before it gave up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The file it writes into.
    pub domain: Domain,
    /// It named what is not there, as far as the tool could find.
    pub missed: bool,
    /// The categories of the records it looked at; absent for a record that belongs to none.
    pub targets: BTreeSet<Option<CategoryId>>,
    /// The categories that something goes to.
    pub destinations: BTreeSet<CategoryId>,
    /// What it would write.
    pub writes: BTreeSet<Written>,
    /// The tasks of each thing it would write: for a record the task that it is or belongs to, as it was
    /// and as it would be; for a link those of both sides. None for what belongs to no task.
    pub tasks: BTreeSet<BTreeSet<TaskId>>,
    /// The tasks it would make, each with one that it would link it to.
    pub made: BTreeSet<(TaskId, TaskId)>,
}

impl Plan {
    /// A plan for a file that looked at nothing and would write nothing.
    #[must_use]
    pub const fn of(domain: Domain) -> Plan {
        Plan {
            domain,
            missed: false,
            targets: BTreeSet::new(),
            destinations: BTreeSet::new(),
            writes: BTreeSet::new(),
            tasks: BTreeSet::new(),
            made: BTreeSet::new(),
        }
    }
}

/// A kind of write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Written {
    /// Of a record; of one of the caller's own, if it goes among the agents'.
    Record(BodyType),
    /// Of a link.
    Link,
    /// Of words of a record that is written with them, or of an event that tells of it.
    Beside,
    /// Of anything else: nothing that a tool has to do with.
    Other,
}

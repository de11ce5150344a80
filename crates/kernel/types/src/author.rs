//! Who writes.

use serde::{Deserialize, Serialize};

use crate::{AgentId, Epoch, Label, RunKey, Source, Trust};

/// Whether a change was made on this host or came from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Made on this host.
    Local,
    /// Applied from another host.
    Sync,
}

/// The author of a commit.
///
/// An agent's commit cannot be written without the run it belongs to and the epoch it was claimed
/// under: the store checks the global and the agent's fence against it, so a late writer fails.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum Author {
    /// The person whose home this is.
    Operator,
    /// Dormouse itself: bookkeeping, schedules, seeding.
    Runtime,
    /// An agent in one of its runs.
    Agent {
        /// Which agent.
        agent: AgentId,
        /// In which run.
        run: RunKey,
        /// Under which claim.
        epoch: Epoch,
    },
}

impl Author {
    /// The agent that wrote, if one did.
    #[must_use]
    pub fn agent(&self) -> Option<&AgentId> {
        match self {
            Author::Agent { agent, .. } => Some(agent),
            Author::Operator | Author::Runtime => None,
        }
    }

    /// The label of what this author says on its own account.
    #[must_use]
    pub fn label(&self) -> Label {
        match self {
            Author::Operator => Label::operator(),
            Author::Runtime => Label::runtime(),
            Author::Agent { .. } => Label::new(Trust::Untrusted, Source::Model),
        }
    }

    /// The label of what this author says after having read something: its own, and all of that.
    #[must_use]
    pub fn having_read(&self, read: &Label) -> Label {
        self.label().join(read)
    }
}

//! What became of a commit.

use serde_json::Value;

use crate::{
    AgentId, ChangedRecord, Code, Counter, CursorName, Digest, Epoch, FenceScope, OperationId,
    Position, RecordId, RunKey, ScheduleId, Token,
};

/// What became of a commit. Zero rows is a named outcome, not an error.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It is on disk, whole.
    Applied(Applied),
    /// It was already there; here is what it answered then.
    Idempotent(Recorded),
    /// Something newer stands in its way; nothing of it happened.
    Conflict(Conflict),
}

impl Outcome {
    /// For whoever only has to know that it is there, now or from an earlier time.
    ///
    /// # Errors
    /// What stands in its way.
    pub fn done(self) -> Result<(), Conflict> {
        match self {
            Outcome::Applied(_) | Outcome::Idempotent(_) => Ok(()),
            Outcome::Conflict(conflict) => Err(conflict),
        }
    }
}

/// A commit that is on disk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applied {
    /// What other consumers will see of it; none if it held local rows only.
    pub change: Option<(Position, Counter, Digest)>,
    /// Wakes that were queued by it; those already known are not counted.
    pub runs_queued: u32,
    /// What an operation wrote, so that nobody has to read it again; none if it wrote more than records, or was
    /// none.
    pub wrote: Option<Wrote>,
}

/// What an operation wrote: nothing but records that others may hear of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wrote {
    /// The records, by their ids.
    pub records: Vec<ChangedRecord>,
    /// What they are about.
    pub tokens: Vec<Token>,
}

/// An operation that was done before.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Which.
    pub operation: OperationId,
    /// What it answered.
    pub result: Value,
}

/// Why a commit was not applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// The fence is closed or higher than the writer's epoch.
    #[error("writing under {scope} was stopped or taken over (now {stored}, this one {held})")]
    Fenced {
        /// Which fence.
        scope: FenceScope,
        /// Where it stands.
        stored: Epoch,
        /// Whether nobody may pass.
        closed: bool,
        /// The writer's epoch.
        held: Epoch,
    },
    /// The record has moved on.
    #[error("{record} has been changed meanwhile (revision {found}, not {expected})")]
    Revision {
        /// Which record.
        record: RecordId,
        /// What the writer has seen.
        expected: u64,
        /// What is there.
        found: u64,
    },
    /// The cursor has moved on.
    #[error("another process has done this work (\"{name}\" is at {found}, not {expected})")]
    Cursor {
        /// Which cursor.
        name: CursorName,
        /// What the writer has seen.
        expected: Position,
        /// What is there.
        found: Position,
    },
    /// Something was merged into the run since the writer looked.
    #[error("run {run_key} stands for more than was looked at")]
    Merged {
        /// Which run.
        run_key: RunKey,
    },
    /// Another run of the agent has begun and not ended.
    #[error("{agent} has another run that has not ended")]
    Busy {
        /// Which agent.
        agent: AgentId,
    },
    /// The agent has as many unread envelopes as it may.
    #[error("{agent} has {unread} unread messages, at most {max} are kept")]
    MailboxFull {
        /// Which agent.
        agent: AgentId,
        /// How many it has.
        unread: usize,
        /// How many it may have.
        max: usize,
    },
    /// The schedule's clock has moved on.
    #[error("another process has dealt with {schedule}")]
    Armed {
        /// Which schedule.
        schedule: ScheduleId,
    },
    /// Something about it was written since the writer looked.
    #[error("something was written meanwhile about {token}")]
    Stirred {
        /// About what.
        token: Token,
    },
    /// Another record bears the mark.
    #[error("{by} has it already ({mark})")]
    Marked {
        /// Which mark.
        mark: String,
        /// Who bears it.
        by: RecordId,
    },
    /// The agent has called the tool as often as it may.
    #[error("{agent} has called {tool} as often as it may")]
    ToolQuota {
        /// Which agent.
        agent: AgentId,
        /// Which tool.
        tool: String,
    },
    /// The run does not stand where the writer saw it.
    #[error("run {run_key} is not where it was: it has begun, has ended or was never queued")]
    Run {
        /// Which run.
        run_key: RunKey,
    },
}

impl Conflict {
    /// Whether what the writer looked at has moved: looked at again, it may be written all the same.
    #[must_use]
    pub const fn is_moved(&self) -> bool {
        matches!(self, Conflict::Revision { .. } | Conflict::Stirred { .. })
    }

    /// The code that users see.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Conflict::Fenced { .. } => Code::Fenced,
            Conflict::MailboxFull { .. } => Code::MailboxFull,
            Conflict::ToolQuota { .. } => Code::ToolQuotaExceeded,
            _ => Code::Conflict,
        }
    }
}

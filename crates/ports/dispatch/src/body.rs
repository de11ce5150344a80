//! What an agent does when it is awake.

use std::pin::Pin;

use types::{
    AgentIdentity, At, AuditDraft, Author, Continuation, Delta, Epoch, FailedActivity, Guard, Hint,
    Problem, Run, RunFailure, RunKey, Usage, WaitFor, Write,
};

/// A run that has begun: what it is given, and under which claim it writes.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The run.
    pub run: Run,
    /// Whose.
    pub agent: AgentIdentity,
    /// Under which epoch it may write; a newer one makes its commits fail.
    pub epoch: Epoch,
    /// Why a turn is taken at all.
    pub why: &'static str,
    /// What that is to the agent's turn before.
    pub continuation: Continuation,
    /// What changed in the journal since the agent last looked.
    pub journal: Delta,
    /// What changed in the agents' own log since.
    pub own: Delta,
    /// Hints that came since.
    pub hints: Vec<Hint>,
}

impl Claim {
    /// The author of what this run writes.
    #[must_use]
    pub fn author(&self) -> Author {
        Author::Agent {
            agent: self.agent.agent_id.clone(),
            run: self.run.draft.run_key,
            epoch: self.epoch,
        }
    }
}

/// Something to wait for, decided in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitDraft {
    /// For what.
    pub waiting_for: WaitFor,
    /// In words.
    pub description: String,
    /// When to stop waiting.
    pub deadline: At,
}

/// How an agent rests after a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rested {
    /// What it waits for, committed together with the end of its run.
    pub waits: Vec<WaitDraft>,
    /// When it means to look again by itself, whatever else wakes it before.
    pub wake_at: Option<At>,
}

/// What a turn leaves behind, committed together with the end of its run and in its agent's name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Closing {
    /// What it spent, on top of what its run was put back with.
    pub usage: Usage,
    /// What it writes into the agents' file.
    pub writes: Vec<Write>,
    /// What must still hold for that.
    pub guards: Vec<Guard>,
    /// What goes into the audit chain.
    pub audit: Vec<AuditDraft>,
    /// If it is tried again, or its agent looks again, not before this time.
    pub not_before: Option<At>,
    /// If it is tried again, what failed and what is done about it.
    pub failed: Option<FailedActivity>,
    /// If it is not, whether its agent looks again by itself.
    pub looks_again: Again,
}

/// Whether an agent looks again by itself after a run that failed for good.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Again {
    /// Once, for what the run stood for besides; not if it was such a look itself.
    #[default]
    Once,
    /// Also if it was such a look: what stood in its way may pass.
    UntilItPasses,
    /// Not at all: what stood in its way stands in the way of every turn until somebody does something
    /// about it. Nothing is lost by that: the next wake sees what this one was to see.
    Never,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// It did what there was to do.
    Done(Closing, Rested),
    /// It looked, and there was nothing to do; the word is the rule that said so.
    Nothing(&'static str, Closing),
    /// It failed and may be tried again; what it leaves is written only if it is not.
    Failed(RunFailure, Closing),
    /// It failed and will fail again.
    FailedForGood(RunFailure, Closing),
    /// It was stopped from outside: its claim is over.
    Interrupted,
}

/// What a run has left open, being settled.
pub type Concluding = Pin<Box<dyn Future<Output = Result<(), Problem>> + Send>>;

/// What is left of a turn that nobody takes up again, being gathered.
pub type Remains = Pin<Box<dyn Future<Output = Result<Closing, Problem>> + Send>>;

/// Comes when the commit that begins a run is written. If it cannot be, its turn is dropped.
pub type Begun = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A turn being taken.
pub type Turn = Pin<Box<dyn Future<Output = Ending> + Send>>;

/// What an agent does when it is awake.
pub trait Body: Send + Sync {
    /// What is written in the commit that begins a run: what the turn sets aside before it is taken.
    fn opening(&self, _claim: &Claim) -> Vec<Write> {
        vec![]
    }

    /// Takes one turn. It is called again with the same run key after a crash or a failure, so what it
    /// does outside must be named by that key. It may look around while its run is still beginning, and
    /// does nothing that anybody could notice before that has begun.
    fn turn(&self, claim: Claim, begun: Begun) -> Turn;

    /// Settles what a run has left open that nobody takes up again, before its end is written. If that
    /// cannot be, neither is its end, and both are tried again. The guards are what must hold for nobody to
    /// take it up meanwhile.
    fn conclude(&self, _run: Run, _failure: RunFailure, _guards: Vec<Guard>) -> Concluding {
        Box::pin(std::future::ready(Ok(())))
    }

    /// What is written with the end of a run that nobody takes up again, and whose turn cannot say it: it was
    /// interrupted too often, cancelled, or its agent is destroyed. If that cannot be gathered, the end is not
    /// written, and both are tried again; so they are if the run has moved before that was written.
    fn give_up(&self, _run: Run, _failure: RunFailure) -> Remains {
        Box::pin(std::future::ready(Ok(Closing::default())))
    }

    /// What is written when a run is put back into the queue: what it spent and whom it asked since it began, as
    /// far as that is not written. If that cannot be gathered, nobody will know.
    fn put_back(&self, _run: Run) -> Remains {
        Box::pin(std::future::ready(Ok(Closing::default())))
    }

    /// A run has ended, or was put back, and that is written: what was remembered for it alone may be forgotten.
    fn over(&self, _run: &RunKey) {}
}

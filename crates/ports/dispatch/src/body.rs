//! What an agent does when it is awake.

use std::pin::Pin;

use types::{AgentIdentity, At, Author, Delta, Epoch, Hint, Run, RunFailure, Usage, WaitFor};

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

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It did what there was to do.
    Done(Usage, Rested),
    /// It looked, and there was nothing to do; the word is the rule that said so.
    Nothing(&'static str),
    /// It failed and may be tried again.
    Failed(RunFailure),
    /// It failed and will fail again.
    FailedForGood(RunFailure),
    /// It was stopped from outside: its claim is over.
    Interrupted,
}

/// A turn being taken.
pub type Turn = Pin<Box<dyn Future<Output = Ending> + Send>>;

/// What an agent does when it is awake.
pub trait Body: Send + Sync {
    /// Takes one turn. It is called again with the same run key after a crash or a failure, so what it
    /// does outside must be named by that key.
    fn turn(&self, claim: Claim) -> Turn;
}

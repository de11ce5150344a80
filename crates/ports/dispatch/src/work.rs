//! What there is to do, and who does it.

use std::pin::Pin;
use std::sync::Arc;

use types::{AgentId, At, Problem, ReadyRun};

/// A step of the work.
pub type Step<T> = Pin<Box<dyn Future<Output = Result<T, Problem>> + Send>>;

/// A signal that carries no orders: it says look.
pub type Signal = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What a look found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// Runs that could begin, first in rank first.
    pub ready: Vec<ReadyRun>,
    /// When to look again even if nothing stirs.
    pub next: Option<At>,
    /// What could not be done before anybody runs: a full disk, say. It is found again.
    pub problem: Option<Problem>,
}

/// What there is to do. Every step reads what is committed, decides and commits, so any of them can be
/// repeated, or done by another process after a crash. What is remembered between two steps only saves
/// work; a restart may lose it.
pub trait Work: Send + Sync {
    /// Looks once after a start: takes up what was left behind.
    fn recover(&self) -> Step<()>;

    /// Matches changes, fires what is due, and says who could run.
    fn look(&self) -> Step<Look>;

    /// Ends as soon as something has stirred since it was called: a change, a run, a clock. Call it
    /// before [`Work::look`], so that nothing falls between the two.
    fn stirred(&self) -> Signal;

    /// Takes one run of an agent to its end, or to where it has to wait.
    fn work(&self, agent: AgentId) -> Step<()>;
}

/// Who does it: a task per active agent in this process, or an engine that spreads agents over
/// machines. Exclusive per agent: it never works twice for one agent at the same time.
pub trait Dispatch: Send + Sync {
    /// Starts to do the work; it goes on until the dispatcher is dropped.
    fn start(&self, work: Arc<dyn Work>);
}

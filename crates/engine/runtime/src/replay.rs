//! A past turn, gone through again.

use types::{Problem, ReplayedStep, RunKey, Verdict};

use crate::Runtime;
use crate::find_run::{RUNS, unknown};

/// A past turn that was gone through again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Of which run.
    pub run: RunKey,
    /// What was done again, in order.
    pub steps: Vec<ReplayedStep>,
}

impl Replayed {
    /// What came of all of it: the weightiest of what came of each step.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.steps.iter().map(|step| step.verdict).max().unwrap_or(Verdict::Recorded)
    }
}

impl Runtime {
    /// Goes through the turn of an agent's run again, or through its last one: nothing is asked, done or written.
    ///
    /// # Errors
    /// If there is no such run, it took no turn, or the store cannot read.
    pub async fn replay(&self, agent: &str, run: Option<RunKey>) -> Result<Replayed, Problem> {
        let agent = self.fleet.agent_get(agent).await?;
        let key = match run {
            Some(key) => key,
            None => {
                let none = || format!("none of the last {RUNS} runs of {} took a turn", agent.id);
                let last = self.last_turn(&agent.id).await?;
                last.ok_or_else(|| unknown(&agent.id, none()))?.run_key
            }
        };
        let run = self.run_of(&agent.id, key).await?;
        let steps = self.turns.replay(run, &agent.identity).await?;
        let none = || format!("the run {key} took no turn");
        let steps = steps.ok_or_else(|| unknown(&agent.id, none()))?;
        Ok(Replayed { run: key, steps })
    }
}

//! A past turn, gone through again.

use types::{Code, Problem, ReplayedStep, RunKey, Verdict};

use crate::Runtime;
use crate::debug_prompt::RUNS;

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
        let hint = || format!("`dormouse runs {}` lists them", agent.id);
        let unknown = |message: String| Problem::new(Code::UnknownRecord, message, hint());
        let key = match run {
            Some(key) => key,
            None => {
                let none = || format!("none of the last {RUNS} runs of {} took a turn", agent.id);
                let last = self.last_turn(&agent.id).await?;
                last.ok_or_else(|| unknown(none()))?.run_key
            }
        };
        let found = self.store.run(key).await?.filter(|run| run.draft.agent == agent.id);
        let run = found.ok_or_else(|| unknown(format!("{} has no run {key}", agent.id)))?;
        let steps = self.turns.replay(run, &agent.identity).await?;
        let steps = steps.ok_or_else(|| unknown(format!("the run {key} took no turn")))?;
        Ok(Replayed { run: key, steps })
    }
}

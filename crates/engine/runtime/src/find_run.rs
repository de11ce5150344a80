//! Finding a run of an agent, and the last turn that it took.

use types::{AgentId, Code, Problem, Run, RunKey, Turn};

use crate::Runtime;

/// Runs that are looked through for the last turn.
pub(crate) const RUNS: usize = 100;

impl Runtime {
    /// The run of an agent that is called so.
    pub(crate) async fn run_of(&self, agent: &AgentId, run: RunKey) -> Result<Run, Problem> {
        let found = self.store.run(run).await?.filter(|found| found.draft.agent == *agent);
        found.ok_or_else(|| unknown(agent, format!("{agent} has no run {run}")))
    }

    /// The last turn that an agent took.
    pub(crate) async fn last_turn(&self, agent: &AgentId) -> Result<Option<Turn>, Problem> {
        let runs = self.waker.runs(agent.clone(), RUNS).await?;
        let mut turns = self.waker.turns(&runs).await?;
        Ok(runs.iter().find_map(|run| turns.remove(&run.draft.run_key)))
    }
}

/// That there is no such run, or nothing of it.
pub(crate) fn unknown(agent: &AgentId, message: String) -> Problem {
    Problem::new(Code::UnknownRecord, message, format!("`dormouse runs {agent}` lists them"))
}

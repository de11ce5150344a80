//! Finding a run of an agent, and the last turn that it took.

use rules::naming::begins_so;
use types::{AgentId, Code, Problem, Run, RunKey, RunState, Turn, limits};

use crate::Runtime;

/// Runs that are looked through for the last turn.
pub(crate) const RUNS: usize = 100;

impl Runtime {
    /// The run of an agent by its name: the whole of it, or its beginning if it is one of the newest. Without a name it
    /// is the one that is under way, or else the last.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub async fn run_named(&self, agent: &AgentId, name: Option<&str>) -> Result<RunKey, Problem> {
        if let Some(key) = name.and_then(|name| name.parse().ok())
            && self.own_run(agent, key).await?.is_some()
        {
            return Ok(key);
        }
        let runs = self.waker.runs(agent.clone(), limits::ROWS_PER_READ_MAX).await?;
        let Some(name) = name else {
            return usual(&runs).ok_or_else(|| unknown(agent, format!("{agent} has no run yet")));
        };
        let is = |run: &&Run| begins_so(&run.draft.run_key, name);
        let mut found = runs.iter().filter(is).map(|run| run.draft.run_key);
        match (found.next(), found.next()) {
            (Some(run), None) => Ok(run),
            (Some(_), Some(_)) => {
                let message = format!("more than one run of {agent} begins with {name:?}");
                Err(Problem::new(Code::AmbiguousReference, message, "write more of its name"))
            }
            (None, _) => {
                let message = format!("{agent} has no run whose name begins with {name:?}");
                Err(unknown(agent, message))
            }
        }
    }

    /// The run of an agent that is called so.
    pub(crate) async fn run_of(&self, agent: &AgentId, run: RunKey) -> Result<Run, Problem> {
        let found = self.own_run(agent, run).await?;
        found.ok_or_else(|| unknown(agent, format!("{agent} has no run {run}")))
    }

    async fn own_run(&self, agent: &AgentId, run: RunKey) -> Result<Option<Run>, Problem> {
        Ok(self.store.run(run).await?.filter(|found| found.draft.agent == *agent))
    }

    /// The last turn that an agent took.
    pub(crate) async fn last_turn(&self, agent: &AgentId) -> Result<Option<Turn>, Problem> {
        let runs = self.waker.runs(agent.clone(), RUNS).await?;
        let mut turns = self.waker.turns(&runs).await?;
        Ok(runs.iter().find_map(|run| turns.remove(&run.draft.run_key)))
    }
}

/// The run that is under way, or the last. The newest are first.
fn usual(runs: &[Run]) -> Option<RunKey> {
    let under_way = |run: &&Run| matches!(run.state, RunState::Started { .. });
    let run = runs.iter().find(under_way).or_else(|| runs.first());
    run.map(|run| run.draft.run_key)
}

/// That there is no such run, or nothing of it.
pub(crate) fn unknown(agent: &AgentId, message: String) -> Problem {
    Problem::new(Code::UnknownRecord, message, format!("`dormouse runs {agent}` lists them"))
}

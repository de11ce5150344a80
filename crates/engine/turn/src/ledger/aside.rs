//! Setting aside what something may cost, and counting what it did cost instead.

use dispatch::Claim;
use types::{AgentId, Amounts, Day, RunKey, Write};

use crate::job::Job;

/// Sets aside what a run may spend next, at most.
pub(crate) fn set_aside(claim: &Claim, day: Day, amounts: Amounts) -> Write {
    let (agent, run_key) = (claim.agent.agent_id.clone(), claim.run.draft.run_key);
    Write::Reserve { agent, day, run_key, amounts }
}

/// Counts what a turn has spent since that was last counted, instead of what was set aside for it.
pub(crate) fn settle(job: &mut Job, runtime_ms: u64) -> Write {
    let amounts = job.purse.settle(runtime_ms);
    settled(&job.claim.agent.agent_id, &job.claim.run.draft.run_key, job.purse.day, amounts)
}

/// Counts this instead of what was set aside for a run.
pub(crate) fn settled(agent: &AgentId, run: &RunKey, day: Day, amounts: Amounts) -> Write {
    Write::Settle { agent: agent.clone(), day, run_key: *run, amounts }
}

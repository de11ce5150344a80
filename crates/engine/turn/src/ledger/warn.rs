//! Telling the operator that an agent has spent most of what it may, once a day.

use rules::budget::{self, Near};
use serde_json::json;
use types::{AgentState, AuditDraft, EventDraft, EventKind, Write};

use crate::Turns;
use crate::job::Job;

impl Turns {
    /// What the operator is to be told, now that all the turn has spent is settled. Nothing if they were
    /// told on the same day: the agent's state remembers it, and is written in the same commit.
    pub(crate) fn warning(&self, job: &Job, state: &AgentState) -> Option<Near> {
        let limits = self.limits(&job.profile);
        let near = budget::near(&limits, &job.purse.account.spent, self.settings.warn_at_percent);
        near.filter(|_| state.budget_warned_on != Some(job.purse.day))
    }
}

/// The word to whoever follows the agent.
pub(crate) fn told(job: &Job, near: &Near) -> Write {
    let body = json!({ "day": job.purse.day, "what": near.what, "percent": near.percent });
    let agent = job.claim.agent.agent_id.clone();
    Write::Event(EventDraft { agent, kind: EventKind::BudgetNear, body })
}

/// The entry that it was said.
pub(crate) fn audited(job: &Job, near: &Near) -> AuditDraft {
    AuditDraft {
        action: "budget.near",
        subject: job.claim.agent.agent_id.to_string(),
        detail: format!("{}:{}", near.what, job.purse.day),
    }
}

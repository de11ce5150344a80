//! What an agent has of the budgets of this day.

use types::{Account, AgentIdentity, BudgetLimits, Day, Problem};

use crate::{Part, Turns};

/// What an agent has spent of what it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spending {
    /// On which day.
    pub day: Day,
    /// What is gone, and what runs that are not over have set aside.
    pub account: Account,
    /// What it may spend.
    pub limits: BudgetLimits,
}

impl Turns {
    /// What an agent has spent today; none if it takes no turns.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn spending(&self, agent: &AgentIdentity) -> Result<Option<Spending>, Problem> {
        let Part::Acts(profile) = (self.settings.part)(agent) else { return Ok(None) };
        let day = self.today();
        let account = self.store.account(agent.agent_id.clone(), day).await?;
        Ok(Some(Spending { day, account, limits: self.limits(&profile) }))
    }
}

//! What an agent has of the budgets of a day: what is left, and what the next step may take of it.

use policy::inference;
use rules::budget;
use rules::planted::{self, Fault};
use types::{Account, AgentIdentity, Amounts, BudgetLimits, Day, ModelRef, Problem};

use crate::broken::Broken;
use crate::close::millis;
use crate::job::Job;
use crate::{Part, Profile, Turns};

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

    /// Whether the agent may make so many calls of tools today. If not, none of them is made.
    pub(crate) fn may_call(&self, job: &Job, calls: usize) -> Result<(), Broken> {
        let account = self.spent_so_far(job);
        inference::allows_calls(&self.limits(&job.profile), &account, calls as u64)
            .map_err(Broken::Denied)
    }

    /// Whether something is left of every budget of the day.
    pub(crate) fn has_room(&self, job: &Job) -> bool {
        let one_more = Amounts { tokens: 1, cost_micros: 1, tool_calls: 1, runtime_ms: 1 };
        let spent = self.spent_so_far(job).spent.plus(one_more);
        self.limits(&job.profile).exceeded_by(&spent).is_none()
    }

    /// What the agent may spend in a day.
    pub(crate) fn limits(&self, profile: &Profile) -> BudgetLimits {
        if planted::is(Fault::BudgetIgnored) {
            return BudgetLimits::default();
        }
        self.settings.limits.and(profile.limits)
    }

    /// What the turn has spent and not settled yet counts as spent, its time as well.
    pub(crate) fn spent_so_far(&self, job: &Job) -> Account {
        job.purse.account_with(millis(job.given.taken_up_at, self.world.now()))
    }

    /// What a call with so long a prompt may cost at most.
    pub(crate) fn at_most(&self, model: &ModelRef, prompt_tokens: u64) -> Amounts {
        let most = self.settings.models.deployment(model).generation.max_output_tokens;
        self.at_most_with(model, prompt_tokens, most)
    }

    /// The same with an answer of at most so many tokens.
    pub(crate) fn at_most_with(&self, model: &ModelRef, prompt: u64, answer: u64) -> Amounts {
        let price = self.model.price(model).unwrap_or_default();
        budget::at_most(prompt, answer, |usage| price.of(usage))
    }

    /// The day that spending is accounted to.
    pub(crate) fn today(&self) -> Day {
        budget::day(self.world.now(), &self.world.zone())
    }

    /// The day whose account says what is left of another: that day itself.
    pub(crate) fn accounted(&self, day: Day) -> Day {
        match planted::is(Fault::BudgetOfYesterday) {
            true => budget::day(self.world.now().plus_millis(-86_400_000), &self.world.zone()),
            false => day,
        }
    }
}

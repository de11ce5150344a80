//! Whether the model may be asked, with this prompt and at this price.

use context::projection::Blocked;
use policy::Denied;
use policy::inference::{self, Permitted, Request, Snapshot};
use rules::budget;
use rules::planted::{self, Fault};
use store::FencesAround;
use tokio::sync::watch;
use types::{Account, AgentIdentity, Amounts, BudgetLimits, Day, ModelRef, RunDraft};

use crate::broken::Broken;
use crate::close::millis;
use crate::job::Job;
use crate::stop::is_over;
use crate::{Deployment, Profile, Turns};

/// Leave to ask a model.
pub(crate) struct Cleared {
    pub(crate) permitted: Permitted,
    /// The tools that can be called now, if that is not all that it is offered.
    pub(crate) callable: Option<Vec<String>>,
}

impl Turns {
    /// Passes the gate before the model, and says by what a stop from here on is seen.
    pub(crate) async fn permit_now(
        &self,
        job: &Job,
    ) -> Result<(Cleared, watch::Receiver<u64>), Broken> {
        self.while_nothing_stops(|| self.permit(job)).await
    }

    /// Passes the gate before a model that is asked something beside the turn, at this price at most.
    pub(crate) async fn permit_aside(
        &self,
        job: &Job,
        model: &ModelRef,
        estimate: Amounts,
        projection: Result<(), &Blocked>,
    ) -> Result<(Permitted, watch::Receiver<u64>), Broken> {
        let gate = || self.pass(job, model, estimate, projection);
        let ((permitted, _), stops) = self.while_nothing_stops(gate).await?;
        Ok((permitted, stops))
    }

    /// A stop that came while the gate was passed holds as well, and so does what was taken back by then: nothing
    /// leaves the machine after either.
    async fn while_nothing_stops<T, F: Future<Output = Result<T, Broken>>>(
        &self,
        gate: impl Fn() -> F,
    ) -> Result<(T, watch::Receiver<u64>), Broken> {
        loop {
            let stops = self.store.fenced();
            let passed = gate().await?;
            if !stops.has_changed().unwrap_or(false) {
                return Ok((passed, stops));
            }
        }
    }

    /// Passes the gate before the model, or says what stands in the way; nothing has left the machine
    /// then.
    pub(crate) async fn permit(&self, job: &Job) -> Result<Cleared, Broken> {
        if job.tells_what_moved() {
            return Err(Broken::TaskMoved);
        }
        let tokens = prompt_tokens(job);
        let models = &self.settings.models;
        let Deployment { capacity, generation } = models.deployment(&job.model);
        let needed = tokens.saturating_add(generation.max_output_tokens);
        if needed > *capacity {
            return Err(Broken::TooLong { tokens, capacity: *capacity });
        }
        if let Some(own) = job.given.capacity.filter(|own| needed > *own) {
            return Err(Broken::SessionFull { tokens, capacity: own });
        }
        let estimate = self.at_most(&job.model, tokens);
        let passed = self.pass(job, &job.model, estimate, job.page.may_be_sent()).await;
        let (permitted, stopped_tools) = passed?;
        let callable = job.tools.callable(&stopped_tools, self.may_call(job, 1).is_ok());
        Ok(Cleared { permitted, callable })
    }

    /// Asks the gate whether a model may be asked; says besides which classes of tools are stopped.
    async fn pass(
        &self,
        job: &Job,
        model: &ModelRef,
        estimate: Amounts,
        projection: Result<(), &Blocked>,
    ) -> Result<(Permitted, Vec<String>), Broken> {
        let FencesAround { everything: global_fence, own, stopped_tools } =
            self.fences(&job.claim).await?;
        // Somebody stopped this agent while it was at work: nothing more is asked in its name.
        if is_over(&job.claim, &own) {
            return Err(Broken::Stopped);
        }
        // Last, so that nothing is waited for between this and the question: what was taken back by then is
        // not asked.
        let receipts = self.receipts_now(model).await?;
        let models = &self.settings.models;
        let categories = &job.claim.agent.allowed_category_ids;
        let request = Request {
            agent: &job.claim.agent.agent_id,
            kind: &job.claim.agent.template,
            category: categories.first().filter(|_| categories.len() == 1),
            model,
            estimate,
        };
        let snapshot = Snapshot {
            global_fence,
            lifecycle: job.claim.agent.lifecycle,
            access: &models.access,
            providers: &models.providers,
            receipts: &receipts,
            projection: projection.map_err(|blocked| blocked.part.as_str()),
            account: self.spent_so_far(job),
            limits: self.limits(&job.profile),
        };
        let permitted = inference::judge(&request, &snapshot).map_err(denied)?;
        Ok((permitted, stopped_tools))
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

    /// The model that is asked in a run: the operator's choice for it, or its agent's.
    pub(crate) fn model_for(&self, run: &RunDraft, agent: &AgentIdentity) -> ModelRef {
        run.model.clone().unwrap_or_else(|| self.model_of(agent))
    }

    /// The model that an agent asks.
    pub(crate) fn model_of(&self, agent: &AgentIdentity) -> ModelRef {
        let own = agent.config.model_id.as_deref().and_then(|name| name.parse().ok());
        own.unwrap_or_else(|| self.settings.models.default.clone())
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

/// Being stopped is no failure of the turn: it is taken up again when it may go on.
fn denied(denied: Denied) -> Broken {
    if denied.is_stop() { Broken::Stopped } else { Broken::Denied(denied) }
}

/// About how many tokens are sent.
pub(crate) fn prompt_tokens(job: &Job) -> u64 {
    let said: u64 = job.talk.said.iter().map(said_tokens).sum();
    let thrown_in: u64 =
        job.talk.interjected.iter().map(|words| context::tokens(&words.text)).sum();
    job.page.tokens + said + thrown_in + job.tools.tokens
}

fn said_tokens(exchange: &model::Exchange) -> u64 {
    match exchange {
        model::Exchange::Said { text, calls, keepsake } => {
            let calls: u64 = calls
                .iter()
                .map(|(id, tool, arguments)| {
                    let arguments = arguments.to_string();
                    context::tokens(id) + context::tokens(tool) + context::tokens(&arguments)
                })
                .sum();
            let keepsake = keepsake.as_ref().map_or(0, |kept| context::tokens(&kept.to_string()));
            context::tokens(text) + calls + keepsake
        }
        model::Exchange::Answered { call, text } => context::tokens(call) + context::tokens(text),
        model::Exchange::Interjected { text } => context::tokens(text),
    }
}

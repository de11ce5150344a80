//! Whether the model may be asked, with this prompt and at this price.

use context::projection::Blocked;
use policy::Denied;
use policy::inference::{self, Permitted, Request, Snapshot};
use store::FencesAround;
use tokio::sync::watch;
use types::{AgentIdentity, Amounts, ModelRef, RunDraft};

use crate::broken::Broken;
use crate::job::Job;
use crate::stop::is_over;
use crate::{Deployment, Turns};

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

    /// The model that is asked in a run: the operator's choice for it, or its agent's.
    pub(crate) fn model_for(&self, run: &RunDraft, agent: &AgentIdentity) -> ModelRef {
        run.model.clone().unwrap_or_else(|| self.model_of(agent))
    }

    /// The model that an agent asks.
    pub(crate) fn model_of(&self, agent: &AgentIdentity) -> ModelRef {
        let own = agent.config.model_id.as_deref().and_then(|name| name.parse().ok());
        own.unwrap_or_else(|| self.settings.models.default.clone())
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

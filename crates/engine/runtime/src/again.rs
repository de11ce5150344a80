//! Running a past run once more.

use ingress::{Delivery, Woken};
use types::{
    Body, Code, DeliverySurface, Domain, EnvelopeContent, EnvelopeOrigin, ModelRef, Problem, Run,
    RunKey, RunState,
};

use crate::Runtime;

/// What is to be run once more, and how.
#[derive(Debug, Clone)]
pub struct RunAgain {
    /// Whose.
    pub agent: String,
    /// Which.
    pub run: RunKey,
    /// The model to ask, if it is to be another than the agent's.
    pub model: Option<ModelRef>,
    /// Names this: the same again is the same new run.
    pub request: String,
    /// Through which door it is asked for.
    pub surface: DeliverySurface,
}

impl Runtime {
    /// Runs a past run once more, as a run of its own: what the operator said then is said again in the same session;
    /// if nobody spoke, the agent looks again. What the past run did stays done.
    ///
    /// # Errors
    /// If there is no such run, it is not over, its words are gone or somebody else's, or the agent cannot be
    /// spoken to.
    pub async fn run_again(&self, again: RunAgain) -> Result<Woken, Problem> {
        let agent = self.fleet.agent_get(&again.agent).await?.id;
        let run = self.run_of(&agent, again.run).await?;
        if !matches!(run.state, RunState::Ended { .. }) {
            let message = format!("the run {} is not over", again.run);
            let hint = "wait for its end with `dormouse follow`, or end it with `dormouse cancel`";
            return Err(Problem::new(Code::Conflict, message, hint));
        }
        let Some(text) = self.words_of(&run).await? else {
            return Ok(self.ingress.wake_to_ask(&agent, &again.request, again.model).await?);
        };
        let session = rules::thread::session_of(&agent, &run.draft.thread).map(str::to_owned);
        let delivery = Delivery {
            session,
            surface: again.surface,
            model: again.model,
            causation_id: Some(again.run.to_string()),
            ..Delivery::prompt(agent, text, again.request)
        };
        let admitted = self.ingress.admit(delivery).await?;
        Ok(Woken { run_key: admitted.run_key, again: admitted.again })
    }

    /// What the operator said that a run was for; nothing if nobody spoke.
    async fn words_of(&self, run: &Run) -> Result<Option<String>, Problem> {
        let Some(id) = &run.draft.envelope else { return Ok(None) };
        let found = self.store.record(Domain::Agent, id.into()).await?;
        let gone = || {
            let message =
                format!("what was said to it in the run {} was erased", run.draft.run_key);
            Problem::new(Code::UnknownRecord, message, "say it with `dormouse prompt`")
        };
        let Some(Body::AgentEnvelope(envelope)) = found.map(|record| record.body) else {
            return Err(gone());
        };
        // The words of others would come back as the operator's own.
        if !matches!(envelope.origin, EnvelopeOrigin::Operator { .. }) {
            let message = "only what you said yourself can be said again";
            let hint = "`dormouse wake` has the agent look again";
            return Err(Problem::new(Code::NotAdmissible, message, hint));
        }
        let content = self.store.content(Domain::Agent, envelope.content).await?;
        let words = content.and_then(|content| EnvelopeContent::words(&content.bytes));
        words.map(Some).ok_or_else(gone)
    }
}

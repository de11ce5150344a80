//! Asking the model, and naming what it asks for.

use std::sync::Arc;

use model::{AskedCall, Exchange, Request, Response};
use policy::inference::Permitted;
use rules::planted::{self, Fault};
use tool::Call;
use types::{FinishReason, ModelFailureKind, OperationId, PlannedCall, Round};

use crate::Turns;
use crate::broken::Broken;
use crate::job::Job;

impl Turns {
    /// Asks the model. What comes is whole, or it is a failure.
    pub(crate) async fn ask(
        &self,
        job: &mut Job,
        permitted: &Permitted,
    ) -> Result<Response, Broken> {
        let unheard = planted::is(Fault::InterjectionUnheard);
        let interjected = job.interjected.iter().filter(|_| !unheard);
        let interjected =
            interjected.map(|words| Exchange::Interjected { text: words.text.clone() });
        let request = Request {
            // Whoever passed the gate, and nobody else.
            model: permitted.model().clone(),
            agent: permitted.agent().clone(),
            prompt: job.prompt.clone(),
            said: job.said.iter().cloned().chain(interjected).collect(),
            tools: Arc::clone(&job.tools),
            allowed: None,
            generation: self.settings.models.generation.clone(),
        };
        let listen = Arc::clone(&job.voice);
        job.spent.model_calls += 1;
        let response = self.model.ask(request, listen).await;
        let response = response.map_err(|failure| Broken::Model(Box::new(failure)))?;
        job.spent.tokens = job.spent.tokens.plus(response.usage);
        job.spent.cost_micros += self.cost(job, &response);
        whole(response)
    }

    fn cost(&self, job: &Job, response: &Response) -> u64 {
        self.model.price(&job.model).map_or(0, |price| price.of(&response.usage))
    }

    /// Names what the model asks for by the records it would change as they are now. From here on, the
    /// same intent has the same name however often it is tried.
    pub(crate) async fn plan(&self, job: &mut Job, response: Response) -> Round {
        let cost_micros = self.cost(job, &response);
        let mut calls = Vec::new();
        for asked in response.calls {
            let mut planned = planned(asked);
            planned.operation = self.executor.name(&call(job, &planned)).await;
            if planted::is(Fault::OperationByOrdinal) {
                planned.operation =
                    planned.operation.map(|_| other_name(job, &calls.len().to_string()));
            }
            calls.push(planned);
        }
        Round {
            text: response.text,
            calls,
            reasoning: response.reasoning,
            finish: response.finish,
            model: job.model.clone(),
            token_usage: response.usage,
            cost_micros,
            timeline: response.timeline,
            interjected: std::mem::take(&mut job.interjected),
        }
    }
}

/// An answer that was cut off, or that says nothing at all, is not acted upon.
fn whole(response: Response) -> Result<Response, Broken> {
    let nothing = response.text.trim().is_empty() && response.calls.is_empty();
    let message = match response.finish {
        FinishReason::Length if !response.calls.is_empty() => {
            "the model ran out of room in the middle of what it asked for"
        }
        FinishReason::ContentFilter => "the provider held the answer back for what it says",
        _ if nothing => "the model said nothing and asked for nothing",
        _ => return Ok(response),
    };
    Err(Broken::Model(Box::new(model::Failure {
        kind: ModelFailureKind::InvalidResponse,
        message: message.to_owned(),
        status: None,
        retry_after_ms: None,
        timeline: response.timeline,
    })))
}

/// Arguments that are no JSON are kept as the text that they are: the gate refuses them, and the model
/// is told.
fn planned(asked: AskedCall) -> PlannedCall {
    let arguments = asked.arguments.unwrap_or_else(serde_json::Value::String);
    PlannedCall { id: asked.id, tool: asked.tool, arguments, operation: None }
}

/// What an operation is called under a planted fault.
fn other_name(job: &Job, name: &str) -> OperationId {
    rules::operation::id_in_run(&job.claim.run.draft.run_key, &rules::hash::fields([name]))
}

/// A planned call as the executor takes it.
pub(crate) fn call(job: &Job, planned: &PlannedCall) -> Call {
    let claim = &job.claim;
    let anew = claim.run.attempt > 0 && planted::is(Fault::NamedAnewOnRetry);
    let named = |id| if anew { other_name(job, &format!("{id} again")) } else { id };
    Call {
        agent: claim.agent.agent_id.clone(),
        run: claim.run.draft.run_key,
        id: planned.id.clone(),
        epoch: claim.epoch,
        thread: claim.run.draft.thread.clone(),
        wake_reason: claim.run.draft.reason,
        scope: claim.agent.allowed_category_ids.clone(),
        task: job.task.clone(),
        model: job.model.to_string(),
        journal_seen: claim.journal.head,
        tool: planned.tool.clone(),
        arguments: planned.arguments.clone(),
        operation: planned.operation.map(named),
        preview: false,
    }
}

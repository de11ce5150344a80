//! Asking the model, and naming what it asks for.

use std::sync::Arc;

use model::{AskedCall, Exchange, Failure, Generation, Request, Response};
use policy::inference::Permitted;
use rules::planted::{self, Fault};
use rules::turn::{calls, charged};
use tokio::sync::watch;
use tool::Call;
use types::{
    AttemptTimeline, Block, Digest, Domain, FinishReason, ModelFailureKind, ModelRef, OperationId,
    PlannedCall, Round, TokenUsage, Trace, TurnSpent, limits,
};

use crate::Turns;
use crate::broken::Broken;
use crate::job::Job;
use crate::ledger::{Outcome, Question, Wanted};
use crate::meanwhile::meanwhile;
use crate::permit::{Cleared, prompt_tokens};
use crate::question;

impl Turns {
    /// Asks the model, unless somebody stops the turn first. What comes is whole, or it is a failure.
    pub(crate) async fn ask(
        &self,
        job: &mut Job,
        Cleared { permitted, callable }: Cleared,
        stops: watch::Receiver<u64>,
    ) -> Result<Response, Broken> {
        let run = job.claim.run.draft.run_key;
        let question = self.about_to_ask(job);
        let attempt = question.spent;
        if !self.under_way.ask(&run, question) {
            // Somebody gives the run up, and counts what it has spent.
            return Err(Broken::Stopped);
        }
        let unheard = planted::is(Fault::InterjectionUnheard);
        let interjected = job.talk.interjected.iter().filter(|_| !unheard);
        let interjected = interjected.map(question::thrown_in);
        let request = Request {
            said: job.talk.said.iter().cloned().chain(interjected).collect(),
            tools: Arc::clone(&job.tools.specs),
            allowed: callable,
            ..permitted_to_ask(&permitted, job.page.blocks.clone(), self.generation(job))
        };
        let listen = self.counted(job, (&job.model, attempt), Arc::clone(&job.voice) as _);
        let began = self.world.now();
        let answer = self.model.ask(request, listen);
        // What was asked is written down with whatever comes: there is time now to get that ready.
        let answer = meanwhile(answer, || {
            let prompted = job.prompted();
            if !job.talk.open {
                self.store.foresee(Domain::Agent, &prompted.parts);
            }
        });
        let answer = self.unless_stopped(&job.claim, &job.model, stops, answer).await?;
        let over = self.world.now();
        match answer {
            Ok(response) => {
                let usage = named_or_counted(prompt_tokens(job), &response);
                let timeline = rules::turn::backfill(response.timeline, began, over);
                let response = Response { timeline, usage, ..response };
                let took = self.took(&job.model, &response.timeline, usage);
                let response = whole(response, !job.talk.rounds.is_empty());
                let failed = |failed: &Broken| Outcome::Failed(failed.code());
                let outcome = response.as_ref().err().map_or(Outcome::Answered, failed);
                self.charge(job, took, outcome);
                response
            }
            Err(failure) => {
                let timeline = rules::turn::backfill(failure.timeline, began, over);
                let took = self.took(&job.model, &timeline, TokenUsage::default());
                let broken = Broken::Model(Box::new(Failure { timeline, ..failure }));
                self.charge(job, took, Outcome::Failed(broken.code()));
                Err(broken)
            }
        }
    }

    /// The question that is about to be asked, with what it may cost at most.
    fn about_to_ask(&self, job: &Job) -> Question {
        let most = self.settings.models.deployment(&job.model).generation.max_output_tokens;
        let wanted = Wanted::Answer(job.talk.rounds.len());
        self.open_question(wanted, &job.model, prompt_tokens(job), most)
    }

    /// A question that sends so many tokens, and may be answered with at most so many.
    pub(crate) fn open_question(
        &self,
        wanted: Wanted,
        model: &ModelRef,
        sent: u64,
        most: u64,
    ) -> Question {
        let tokens = TokenUsage::of(sent, most);
        let spent = TurnSpent { model_calls: 1, tokens, cost_micros: self.cost(model, tokens) };
        Question { wanted, model: model.clone(), spent, outcome: Outcome::Open, calls: 0 }
    }

    /// What a question took, by all that was tried for it.
    pub(crate) fn took(
        &self,
        model: &ModelRef,
        timeline: &AttemptTimeline,
        answer: TokenUsage,
    ) -> TurnSpent {
        let tokens = charged(timeline, answer);
        TurnSpent { model_calls: calls(timeline), tokens, cost_micros: self.cost(model, tokens) }
    }

    /// How the answers of a turn are made.
    fn generation(&self, job: &Job) -> Generation {
        let usual = self.settings.models.deployment(&job.model).generation.clone();
        Generation { prompt_version: Some(job.profile.prompt_version), ..usual }
    }

    pub(crate) fn charge(&self, job: &mut Job, took: TurnSpent, outcome: Outcome) {
        job.purse.spent = job.purse.spent.plus(took);
        self.under_way.hear(&job.claim.run.draft.run_key, took, outcome);
    }

    fn cost(&self, model: &ModelRef, usage: TokenUsage) -> u64 {
        self.model.price(model).map_or(0, |price| price.of(&usage))
    }

    /// Names what the model asks for by the records it would change as they are now. From here on, the
    /// same intent has the same name however often it is tried.
    pub(crate) async fn plan(
        &self,
        job: &mut Job,
        response: Response,
        callable: Option<Vec<String>>,
    ) -> Round {
        let cost_micros = self.cost(&job.model, charged(&response.timeline, response.usage));
        let mut calls: Vec<PlannedCall> = response.calls.into_iter().map(planned).collect();
        let wanted: Vec<Call> =
            calls.iter().map(|planned| call(job, job.talk.rounds.len(), planned)).collect();
        let names = self.executor.name_all(&wanted).await;
        for (place, (planned, named)) in calls.iter_mut().zip(names).enumerate() {
            planned.operation = named.as_ref().map(|named| named.operation);
            job.deeds.drafts.extend(named.and_then(|named| named.drafted));
            if planted::is(Fault::OperationByOrdinal) {
                planned.operation = planned.operation.map(|_| other_name(job, &place.to_string()));
            }
        }
        let generation = self.generation(job);
        let asked = Some(asked(job, &generation));
        Round {
            text: response.text,
            calls,
            reasoning: response.reasoning,
            keepsake: response.keepsake,
            finish: response.finish,
            model: job.model.clone(),
            model_version: response.version,
            generation,
            token_usage: response.usage,
            cost_micros,
            timeline: response.timeline,
            interjected: std::mem::take(&mut job.talk.interjected),
            callable,
            asked,
        }
    }
}

/// A question in these words for whoever passed the gate, and nobody else.
pub(crate) fn permitted_to_ask(
    permitted: &Permitted,
    prompt: Vec<Block>,
    generation: Generation,
) -> Request {
    Request {
        model: permitted.model().clone(),
        agent: permitted.agent().clone(),
        kind: permitted.kind().to_owned(),
        category: permitted.category().cloned(),
        prompt,
        said: vec![],
        tools: Arc::default(),
        allowed: None,
        generation,
    }
}

/// The mark of the question that was just answered.
fn asked(job: &Job, generation: &Generation) -> Digest {
    let thrown_in: Vec<Exchange> = job.talk.interjected.iter().map(question::thrown_in).collect();
    let said = job.talk.said.iter().chain(&thrown_in);
    question::mark(job.prompted().reference.words.as_ref(), said, &job.model, generation)
}

/// What an answer took. A provider that does not say what was spent has spent something all the same:
/// then it is what was sent and what came, four bytes a token.
pub(crate) fn named_or_counted(sent: u64, response: &Response) -> TokenUsage {
    if response.usage.total_tokens > 0 {
        return response.usage;
    }
    TokenUsage::of(sent, bytes(response).div_ceil(4) as u64)
}

/// Bytes of an answer: written down, it is one content, however many of its characters have to be escaped
/// there.
const ANSWER_BYTES_MAX: usize = limits::CONTENT_BYTES_MAX / 8;

/// An answer that was cut off, that nobody could write down, or that says nothing at all, is not acted upon. Who has
/// called tools by then may end without a word: small models do.
fn whole(response: Response, has_called: bool) -> Result<Response, Broken> {
    let nothing = response.text.trim().is_empty() && response.calls.is_empty();
    if nothing && has_called && response.finish == FinishReason::Stop {
        return Ok(response);
    }
    let message = match response.finish {
        FinishReason::Length if !response.calls.is_empty() => {
            "the model ran out of room in the middle of what it asked for"
        }
        FinishReason::Length if nothing => "the model ran out of room before it had said anything",
        FinishReason::ContentFilter => "the provider held the answer back for what it says",
        _ if nothing => "the model said nothing and asked for nothing",
        _ if bytes(&response) > ANSWER_BYTES_MAX => "the model said more than can be kept",
        _ => return Ok(response),
    };
    Err(Broken::Model(Box::new(Failure {
        kind: ModelFailureKind::InvalidResponse,
        message: message.to_owned(),
        status: None,
        retry_after_ms: None,
        timeline: response.timeline,
    })))
}

fn bytes(response: &Response) -> usize {
    let call = |asked: &AskedCall| {
        let arguments =
            asked.arguments.as_ref().map_or_else(String::len, |it| it.to_string().len());
        asked.id.len() + asked.tool.len() + arguments
    };
    let calls: usize = response.calls.iter().map(call).sum();
    let keepsake = response.keepsake.as_ref().map_or(0, |kept| kept.to_string().len());
    response.text.len() + response.reasoning.as_ref().map_or(0, String::len) + calls + keepsake
}

/// Arguments that are no JSON are kept as the text that they are: the gate refuses them, and the model
/// is told. All others are kept in the one way to write them, so that who asks for the same twice is found out
/// by whoever compares them.
fn planned(asked: AskedCall) -> PlannedCall {
    let arguments = asked.arguments.map_or_else(serde_json::Value::String, rules::canonical::value);
    PlannedCall { id: asked.id, tool: asked.tool, arguments, operation: None }
}

/// What an operation is called under a planted fault.
fn other_name(job: &Job, name: &str) -> OperationId {
    rules::operation::id_in_run(&job.claim.run.draft.run_key, &rules::hash::fields([name]))
}

/// What led to a call: the answer of this round, and what woke the agent.
fn trace(job: &Job, round: usize) -> Trace {
    let round = u32::try_from(round).unwrap_or(u32::MAX);
    Trace {
        attempt: job.claim.run.attempt,
        cause: Some(rules::turn::round_id(&job.claim.run.draft.run_key, round)),
        correlation: job.given.correlation.clone(),
    }
}

/// A planned call of a round as the executor takes it.
pub(crate) fn call(job: &Job, round: usize, planned: &PlannedCall) -> Call {
    let claim = &job.claim;
    let anew = claim.run.attempt > 0 && planted::is(Fault::NamedAnewOnRetry);
    let named = |id| if anew { other_name(job, &format!("{id} again")) } else { id };
    Call {
        agent: claim.agent.agent_id.clone(),
        run: claim.run.draft.run_key,
        id: question::call_id(round, planned),
        epoch: claim.epoch,
        thread: claim.run.draft.thread.clone(),
        wake_reason: claim.run.draft.reason,
        scope: claim.agent.allowed_category_ids.clone(),
        task: job.given.task.clone(),
        reports: job.profile.reports.clone(),
        model: job.model.to_string(),
        journal_seen: claim.journal.head,
        looked_at: job.given.began_at,
        tool: planned.tool.clone(),
        arguments: planned.arguments.clone(),
        operation: planned.operation.map(named),
        trace: trace(job, round),
        read: job.read(),
        preview: false,
    }
}

//! Asking a fast model what somebody means, before a turn asks its own. Rules have said it already, and that holds
//! wherever no such model is configured, none may be asked, or it does not say.

use std::sync::Arc;

use context::projection::{Allow, check};
use model::{Quiet, Response};
use rules::planted::{self, Fault};
use types::{
    Amounts, AuditDraft, Block, Classified, Code, DialogAct, Generation, ModelRef, TokenUsage,
    TurnSpent, limits,
};

use crate::Turns;
use crate::ask::{named_or_counted, permitted_to_ask};
use crate::broken::Broken;
use crate::job::Job;
use crate::ledger::{Outcome, Wanted};
use crate::question;

impl Turns {
    /// Has a fast model say what is meant by the words that the turn begins with. It is asked through the same gate
    /// as any other, with these words and nothing else; one that is not clear is asked once more.
    pub(crate) async fn classify(&self, job: &mut Job) -> Result<(), Broken> {
        let Some((model, words)) = self.to_classify(job) else { return Ok(()) };
        // Of a turn that may not ask its own model nobody is asked anything.
        self.permit(job).await?;
        for _ in 0..limits::MEANING_TRIES {
            match self.ask_meaning(job, &model, &words).await {
                Ok(None) => {}
                Ok(act) => {
                    job.meaning.act = act;
                    break;
                }
                Err(Broken::Denied(denied)) => {
                    job.deeds.left.audit.push(not_asked(job, &model, denied.denial.code));
                    break;
                }
                Err(Broken::Model(_)) => break,
                Err(broken) => return Err(broken),
            }
        }
        Ok(())
    }

    /// The model and what it is asked. A turn that has recorded something knows what was meant, and who chose a
    /// model for it wants these words to be sent to no other. Who says very much is not asked what is meant by it.
    fn to_classify(&self, job: &Job) -> Option<(ModelRef, Vec<Block>)> {
        let model = self.settings.models.fast.clone()?;
        let is_new = job.meaning.act.is_some() && !job.talk.open;
        let is_free = job.claim.run.draft.model.as_ref().is_none_or(|chosen| *chosen == model);
        let words = (is_new && is_free).then(|| context::meaning(&job.page.blocks)).flatten()?;
        let is_short = context::tokens_of(&words) <= limits::MEANING_WORDS_TOKENS_MAX;
        is_short.then_some((model, words))
    }

    async fn ask_meaning(
        &self,
        job: &mut Job,
        model: &ModelRef,
        words: &[Block],
    ) -> Result<Option<DialogAct>, Broken> {
        let sent = context::tokens_of(words);
        let estimate = self.at_most_with(model, sent, limits::MEANING_TOKENS);
        let projection = check(words, &Allow::meaning());
        let (permitted, stops) =
            self.permit_aside(job, model, estimate, projection.as_ref().copied()).await?;
        let question = self.open_question(Wanted::Meaning, model, sent, limits::MEANING_TOKENS);
        let (run, attempt) = (job.claim.run.draft.run_key, question.spent);
        if !self.under_way.ask(&run, question) {
            // Somebody gives the run up, and counts what it has spent.
            return Err(Broken::Stopped);
        }
        let request = permitted_to_ask(&permitted, words.to_vec(), self.in_a_word(model));
        let answer = self.model.ask(request, self.counted(job, (model, attempt), Arc::new(Quiet)));
        let (took, outcome, act) =
            match self.unless_stopped(&job.claim, model, stops, answer).await? {
                Ok(response) => {
                    let usage = named_or_counted(sent, &response);
                    let took = self.took(model, &response.timeline, usage);
                    (took, Outcome::Answered, Ok(said(&response)))
                }
                Err(failure) => {
                    let took = self.took(model, &failure.timeline, TokenUsage::default());
                    let broken = Broken::Model(Box::new(failure));
                    (took, Outcome::Failed(broken.code()), Err(broken))
                }
            };
        if !planted::is(Fault::MeaningUncounted) {
            self.charge(job, took, outcome);
        }
        note(job, model, words, took, act.as_ref().ok().copied().flatten());
        act
    }

    /// What is set aside for it in the commit that begins the run: nobody knows yet how much was said.
    pub(crate) fn at_most_for_meaning(&self, model: &ModelRef) -> Amounts {
        let words = limits::MEANING_WORDS_TOKENS_MAX;
        let one = self.at_most_with(model, words, limits::MEANING_TOKENS);
        (0..limits::MEANING_TRIES).fold(Amounts::default(), |all, _| all.plus(one))
    }

    /// As its answers are made otherwise, but short.
    fn in_a_word(&self, model: &ModelRef) -> Generation {
        let usual = self.settings.models.deployment(model).generation.clone();
        let max_output_tokens = usual.max_output_tokens.min(limits::MEANING_TOKENS);
        Generation { max_output_tokens, prompt_version: None, ..usual }
    }
}

/// What a turn remembers of it.
fn note(job: &mut Job, model: &ModelRef, words: &[Block], took: TurnSpent, act: Option<DialogAct>) {
    let before = job.meaning.classified.take().map(|asked| asked.took).unwrap_or_default();
    let (asked, took) = (question::about_words(model, words), before.plus(took));
    job.meaning.classified = Some(Classified { model: model.clone(), act, asked, took });
}

/// One that asks for a tool instead has not understood.
fn said(response: &Response) -> Option<DialogAct> {
    rules::turn::named(&response.text).filter(|_| response.calls.is_empty())
}

fn not_asked(job: &Job, model: &ModelRef, code: Code) -> AuditDraft {
    let subject = rules::turn::id(&job.claim.run.draft.run_key).to_string();
    AuditDraft { action: "model.deny", subject, detail: format!("{model}:{code}") }
}

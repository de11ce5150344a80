//! What an attempt has spent of which nothing is on record: what goes with its end, or with the run when that is put
//! back.

use dispatch::{Claim, Closing};
use rules::planted::{self, Fault};
use types::{
    Amounts, AuditDraft, Body, Domain, ModelRef, Run, RunKey, TokenUsage, TurnSpent, Usage,
};

use crate::broken::Broken;
use crate::close::{millis, usage};
use crate::job::Job;

use super::aside::settled;
use super::{Attempt, Outcome, Question, amounts};
use crate::{Part, Turns};

impl Turns {
    /// What goes with a run that is put back: the questions that nobody has counted yet, and what they cost instead
    /// of what was set aside for them.
    pub(crate) async fn putting_back(&self, run: &Run) -> Result<Closing, Broken> {
        let Some(attempt) = self.under_way.of(&run.draft.run_key) else {
            return self.left_by_another(run).await;
        };
        let recorded = match attempt.questions.iter().any(|one| one.outcome == Outcome::Answered) {
            true => self.recorded_answers(&run.draft.run_key).await?.len(),
            // Then there is none that could be on record.
            false => 0,
        };
        let spent = match planted::is(Fault::QuestionForgotten) {
            true => TurnSpent::default(),
            false => spent(&attempt, recorded),
        };
        let mut closing = Closing { usage: usage(&spent), ..Closing::default() };
        self.count_unrecorded(run, &attempt, recorded, &mut closing);
        Ok(closing)
    }

    /// What goes with a run whose process is gone: whether it asked anybody, and what became of that, is not known to
    /// anybody. What was set aside for it counts as spent, and the audit says that something may be missing.
    async fn left_by_another(&self, run: &Run) -> Result<Closing, Broken> {
        let record = self.store.record(Domain::Agent, (&run.draft.agent).into()).await?;
        let audit = match record.map(|record| record.body) {
            Some(Body::Agent(agent)) if matches!((self.settings.part)(&agent), Part::Acts(_)) => {
                let model = self.model_for(&run.draft, &agent);
                vec![call_entry(&run.draft.run_key, format!("{model}:?:unknown"))]
            }
            _ => vec![],
        };
        Ok(Closing { audit, ..Closing::default() })
    }

    /// Audits what an attempt has asked without anything being on record of it, and settles what it has spent if that
    /// was not done.
    pub(crate) fn count_unrecorded(
        &self,
        run: &Run,
        attempt: &Attempt,
        recorded: usize,
        closing: &mut Closing,
    ) {
        let (agent, run) = (&run.draft.agent, &run.draft.run_key);
        closing.audit.extend(audited_of(run, attempt, recorded));
        if attempt.settled {
            return;
        }
        let amounts = Amounts {
            tool_calls: attempt.uncounted_calls(recorded),
            runtime_ms: millis(attempt.began, self.world.now()),
            ..amounts(spent(attempt, recorded))
        };
        closing.writes.push(settled(agent, run, attempt.day, amounts));
    }

    /// What earlier attempts at a run have spent on questions of which nothing is on record. What that cost is not
    /// kept with the run: it is what it would cost today.
    pub(crate) fn spent_before(&self, run: &Run, model: &ModelRef) -> TurnSpent {
        let Usage { model_calls, tokens_in, tokens_out } = run.usage;
        let tokens = TokenUsage::of(tokens_in, tokens_out);
        let cost_micros = self.model.price(model).map_or(0, |price| price.of(&tokens));
        TurnSpent { model_calls, tokens, cost_micros }
    }

    /// Adds that to what a turn has spent: it was counted when the run was put back.
    pub(crate) fn add_before(&self, job: &mut Job) {
        let before = self.spent_before(&job.claim.run, &job.model);
        job.purse.add_counted(before);
    }

    /// What a turn leaves that has asked no model: what was set aside for that is free again.
    pub(crate) fn closing_unasked(&self, claim: &Claim) -> Closing {
        let (agent, run) = (&claim.agent.agent_id, &claim.run.draft.run_key);
        let settled = settled(agent, run, self.today(), Amounts::default());
        Closing { writes: vec![settled], ..Closing::default() }
    }
}

/// What an attempt has spent on questions of which nothing is on record.
pub(crate) fn spent(attempt: &Attempt, recorded: usize) -> TurnSpent {
    attempt.unrecorded(recorded).fold(TurnSpent::default(), |all, one| all.plus(one.spent))
}

/// The entries of what an attempt has asked without anything being on record of it.
pub(crate) fn audited_of(run: &RunKey, attempt: &Attempt, recorded: usize) -> Vec<AuditDraft> {
    // The answer came, and its turn was over before anything was done about it.
    attempt.unrecorded(recorded).map(|one| entry(run, one, "lost")).collect()
}

/// The entries of what an attempt has asked about the words that its turn began with.
pub(crate) fn audited_about_words(run: &RunKey, attempt: &Attempt) -> Vec<AuditDraft> {
    attempt.about_words().map(|one| entry(run, one, "answered")).collect()
}

/// The entry of a question, with this if it was answered.
fn entry(run: &RunKey, one: &Question, answered: &str) -> AuditDraft {
    let became = match one.outcome {
        Outcome::Open => "stopped".to_owned(),
        Outcome::Answered => answered.to_owned(),
        Outcome::Failed(code) => format!("failed:{code}"),
    };
    audited(run, &one.model, one.spent.tokens.total_tokens, &became)
}

/// The entry of a question: which model, what it took, and what became of it.
pub(crate) fn audited(run: &RunKey, model: &ModelRef, tokens: u64, became: &str) -> AuditDraft {
    call_entry(run, format!("{model}:{tokens}:{became}"))
}

fn call_entry(run: &RunKey, detail: String) -> AuditDraft {
    AuditDraft { action: "model.call", subject: rules::turn::id(run).to_string(), detail }
}

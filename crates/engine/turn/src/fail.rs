//! Ending a turn that broke: a typed failure, a brief that a person understands, nothing half done.
//!
//! This is where recovery begins, and nowhere else: what failed, how and in which turn is known here, and
//! `rules::turn::strategy` says what is done about it.

use dispatch::{Again, Claim, Closing, Ending};
use serde_json::{Value, json};
use types::{
    At, AttemptTimeline, Code, FailedActivity, Message, MessageId, MessageKind, MessageMetadata,
    RecordDraft, Recovery, RecoveryOutcome, Run, RunFailure, Strategy, TurnKind, Write,
};

use crate::Turns;
use crate::artifact::{artifact, bounded, brief, failure, label, noticed};
use crate::broken::Broken;
use crate::close::{Over, millis};
use crate::compact::Summed;
use crate::dormant::go_dormant;
use crate::job::Job;
use crate::ledger::settle;
use crate::standing::state;
use crate::steps::SETTLE;

/// How long a provider may put a turn off: a quota is of a day, and what is longer is a mistake in a date.
const RETRY_AFTER_MS_MAX: i64 = 24 * 60 * 60 * 1_000;

impl Turns {
    /// Ends a turn that broke. One that may pass is tried again; what it leaves is written only if that
    /// was the last time.
    pub(crate) async fn fail(&self, mut job: Job, broken: Broken) -> Ending {
        if matches!(broken, Broken::Stopped) {
            return Ending::Interrupted;
        }
        let on_record = match &broken {
            // What it was about to record is lost, so it ends by what is on record.
            Broken::Store(_) | Broken::InDoubt { .. } | Broken::Moved(_) => false,
            broken => match self.write_down(&mut job, broken).await {
                Err(Broken::Stopped) => return Ending::Interrupted,
                written => written.is_ok(),
            },
        };
        let comes_back = self.comes_back(&job, &broken);
        if !on_record {
            return self.end_by_the_record(&job.claim, &broken, comes_back).await;
        }
        let failed = failed_activity(&job, &broken);
        let dormancy = self.rest_after_failures(&job, &broken).await;
        let notice = dormancy.as_ref().map(|dormancy| dormancy.notice.as_str());
        let mut closing = self.closing_of_failure(&mut job, &broken, failed.clone(), notice);
        (closing.looks_again, closing.not_before) = comes_back;
        if let Some(dormancy) = dormancy {
            go_dormant(&mut closing, dormancy);
        }
        if !broken.may_pass() {
            closing.writes.extend(told(&job, &broken, job.last_message()));
        }
        ending(&broken, Closing { failed: Some(failed), ..closing })
    }

    /// Writes what its calls have left, before it ends: what is not written down by then counts as open.
    async fn write_down(&self, job: &mut Job, broken: &Broken) -> Result<(), Broken> {
        if broken.may_pass() {
            return self.settle_now(job, broken).await;
        }
        let left = job.deeds.take_left();
        Ok(self.executor.write_left(job.claim.author(), left).await?)
    }

    /// Whether what it was to look at is looked at again, and when at the earliest.
    fn comes_back(&self, job: &Job, broken: &Broken) -> (Again, Option<At>) {
        let told_to_wait = |ms: u64| {
            let ms = i64::try_from(ms).unwrap_or(i64::MAX);
            self.world.now().plus_millis(ms.min(RETRY_AFTER_MS_MAX))
        };
        match broken {
            // Another model may cost more than is left, and this look is taken with the usual one.
            broken if broken.code() == Code::BudgetExceeded && job.is_choice() => {
                (Again::UntilItPasses, None)
            }
            // A new day is a new budget: what it could not look at today is looked at then.
            broken if broken.code() == Code::BudgetExceeded => {
                let tomorrow = rules::day::bounds(job.purse.day, &self.world.zone()).1;
                (Again::UntilItPasses, Some(tomorrow))
            }
            Broken::Model(model) => (broken.again(), model.retry_after_ms.map(told_to_wait)),
            broken => (broken.again(), None),
        }
    }

    /// Ends a turn that could not even begin.
    pub(crate) async fn could_not_begin(&self, claim: &Claim, broken: Broken) -> Ending {
        match broken {
            Broken::Stopped => Ending::Interrupted,
            Broken::TaskMissing => self.task_is_missing(claim).await,
            broken => self.end_by_the_record(claim, &broken, (broken.again(), None)).await,
        }
    }

    /// Ends a turn of which there is only what is on record. Why it broke is known all the same, and so is
    /// whether its agent looks again.
    async fn end_by_the_record(
        &self,
        claim: &Claim,
        broken: &Broken,
        (again, not_before): (Again, Option<At>),
    ) -> Ending {
        let attempt = self.under_way.of(&claim.run.draft.run_key);
        let closing = self.abandon(&claim.run, &failure(broken), again, attempt, None).await;
        let closing = Closing { not_before, ..closing };
        let (activity, strategy) = (broken.activity().to_owned(), broken.strategy());
        let failure_type = broken.failure_type();
        let failed = FailedActivity { activity, failure_type, strategy, stands_at: None };
        ending(broken, Closing { failed: Some(failed), ..closing })
    }

    /// What a call that failed did not spend is free again, and what earlier ones have left is written:
    /// whoever takes the turn up again asks for none of it twice. So is that it failed: each attempt
    /// leaves word of its own. If it cannot be written, what was set aside counts as spent.
    async fn settle_now(&self, job: &mut Job, broken: &Broken) -> Result<(), Broken> {
        let run = job.claim.run.draft.run_key;
        if !self.under_way.settle(&run) {
            // Somebody gives the run up, and counts what it has spent.
            return Err(Broken::Stopped);
        }
        let mut left = job.deeds.take_left();
        left.writes.push(settle(job, millis(job.given.taken_up_at, self.world.now())));
        // What it was woken by is written with its first answer.
        let previous = if job.talk.rounds.is_empty() {
            job.given.previous.clone()
        } else {
            job.last_message()
        };
        left.writes.extend(told(job, broken, previous));
        let commit = left.into_commit(job.claim.author(), self.world.now());
        let written = self.store.commit(commit.named(SETTLE).soon()).await;
        let written = written.map_err(Broken::from).and_then(|outcome| Ok(outcome.done()?));
        if written.is_err() {
            self.under_way.not_settled(&run);
        }
        written
    }

    fn closing_of_failure(
        &self,
        job: &mut Job,
        broken: &Broken,
        failed: FailedActivity,
        notice: Option<&str>,
    ) -> Closing {
        let failure = Some((artifact(&job.model, broken), timeline(broken).cloned()));
        let recovery = Some(recovery(job, broken, failed));
        let words = noticed(brief(job, broken), notice);
        let (kind, summed) = (TurnKind::Aborted, Summed::default());
        let (label, barred) = (label(broken.code()), broken.barred());
        let over = Over { kind, words, label, failure, barred, recovery, summed };
        self.closing(job, over)
    }
}

/// The message that says how an attempt failed, with all that is known of it, and the word to whoever
/// follows the agent.
fn told(job: &Job, broken: &Broken, previous: Option<MessageId>) -> Vec<Write> {
    let (artifact, words) = (artifact(&job.model, broken), brief(job, broken));
    let mut said = json!({ "failure": artifact, "timeline": timeline(broken), "said": words });
    if let Some(usage) = timeline(broken).and_then(|timeline| timeline.aggregated_token_usage) {
        said["token_usage"] = json!(usage);
    }
    let run = &job.claim.run;
    let id = rules::turn::failed_id(&run.draft.run_key, run.attempt);
    let mut writes = entry(run, &id, previous, &failure(broken), &said);
    if let Broken::Model(failure) = broken {
        writes.push(crate::tell::failed(job, failure));
    }
    writes
}

/// The message in the thread of a run that says how it failed.
pub(crate) fn entry(
    run: &Run,
    id: &MessageId,
    previous: Option<MessageId>,
    failure: &RunFailure,
    said: &Value,
) -> Vec<Write> {
    let bytes = said.to_string().into_bytes();
    let (kept, content) = rules::content::keep(id.into(), label(failure.code), bytes);
    let (agent, thread) = (run.draft.agent.clone(), run.draft.thread.clone());
    let message = Message {
        run_key: Some(run.draft.run_key),
        previous,
        metadata: MessageMetadata {
            status: Some("error".to_owned()),
            error_code: Some(failure.code.to_string()),
            error_message: Some(bounded(&failure.message)),
            ..MessageMetadata::default()
        },
        ..Message::of(agent, thread, MessageKind::System, content)
    };
    vec![kept, Write::Record(RecordDraft::live(id, message))]
}

/// How a model was tried, if that is what broke.
fn timeline(broken: &Broken) -> Option<&AttemptTimeline> {
    match broken {
        Broken::Model(failure) => Some(&failure.timeline),
        _ => None,
    }
}

fn ending(broken: &Broken, closing: Closing) -> Ending {
    match broken.may_pass() {
        true => Ending::Failed(failure(broken), closing),
        false => Ending::FailedForGood(failure(broken), closing),
    }
}

/// What failed, and what is done about it.
fn failed_activity(job: &Job, broken: &Broken) -> FailedActivity {
    let strategy = broken.strategy();
    let good = || state(job).and_then(|state| state.last_turn).and_then(|last| last.good);
    FailedActivity {
        activity: broken.activity().to_owned(),
        failure_type: broken.failure_type(),
        strategy,
        stands_at: (strategy == Strategy::Rollback).then(good).flatten(),
    }
}

/// What came of it, if this attempt is the last.
fn recovery(job: &Job, broken: &Broken, failed: FailedActivity) -> Recovery {
    let outcome = match broken.may_pass() {
        true => RecoveryOutcome::Abandoned,
        false => RecoveryOutcome::Escalated,
    };
    Recovery { failed: Some(failed), attempts: job.claim.run.failures + 1, outcome }
}

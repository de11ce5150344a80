//! Ending a turn that broke: a typed failure, a brief that a person understands, nothing half done.

use std::collections::BTreeMap;

use dispatch::{Claim, Closing, Ending, Rested};
use rules::dormancy::Dormancy;
use rules::failures::FAILURES_MAX;
use rules::lifecycle::LifeEvent;
use serde_json::json;
use types::{
    Body, Code, Commit, Domain, FailureArtifact, FailureCategory, Message, MessageKind,
    MessageMetadata, ModelFailureKind, Outcome, RecordDraft, RecordId, RunFailure, TurnKind, Write,
    limits,
};

use crate::Turns;
use crate::broken::Broken;
use crate::close::Over;
use crate::job::Job;
use crate::record::{failure_id, keep_words, of_run, settle};
use crate::steps::SETTLE;

impl Turns {
    /// Ends a turn that broke. One that may pass is tried again; what it leaves is written only if that
    /// was the last time.
    pub(crate) async fn fail(&self, mut job: Job, broken: Broken) -> Ending {
        if matches!(broken, Broken::Stopped) {
            return Ending::Interrupted;
        }
        let failure = failure(&broken);
        let on_record = match &broken {
            // What it was about to record is lost, so it ends by what is on record.
            Broken::Store(_) | Broken::Moved(_) => false,
            broken if broken.may_pass() => match self.settle_now(&mut job).await {
                Err(Broken::Stopped) => return Ending::Interrupted,
                settled => settled.is_ok(),
            },
            _ => true,
        };
        if !on_record {
            let closing = self.abandon(&job.claim.run, &failure).await;
            return Ending::Failed(failure, closing);
        }
        let mut closing = self.closing_of_failure(&mut job, &broken);
        self.rest_after_failures(&job, &failure.message, &mut closing).await;
        if !broken.may_pass() {
            return Ending::FailedForGood(failure, closing);
        }
        if let Broken::Model(model) = &broken {
            let later =
                |ms: u64| self.world.now().plus_millis(i64::try_from(ms).unwrap_or(i64::MAX));
            closing.not_before = model.retry_after_ms.map(later);
        }
        Ending::Failed(failure, closing)
    }

    /// Ends a turn that could not even begin.
    pub(crate) async fn could_not_begin(&self, claim: &Claim, broken: Broken) -> Ending {
        match broken {
            Broken::Stopped => Ending::Interrupted,
            Broken::TaskMissing => self.task_is_missing(claim).await,
            broken => {
                let failure = failure(&broken);
                let closing = self.abandon(&claim.run, &failure).await;
                match broken.may_pass() {
                    true => Ending::Failed(failure, closing),
                    false => Ending::FailedForGood(failure, closing),
                }
            }
        }
    }

    /// What a call that failed did not spend is free again, and what earlier ones have left is written:
    /// whoever takes the turn up again asks for none of it twice. If it cannot be written, what was set
    /// aside counts as spent.
    async fn settle_now(&self, job: &mut Job) -> Result<(), Broken> {
        let mut left = job.take_left();
        left.writes.push(settle(job, 0));
        let (author, now) = (job.claim.author(), self.world.now());
        let commit = Commit {
            guards: left.guards,
            audit: left.audit,
            ..Commit::new(Domain::Agent, author, now, left.writes).named(SETTLE).soon()
        };
        match self.store.commit(commit).await? {
            Outcome::Applied(_) | Outcome::Idempotent(_) => Ok(()),
            Outcome::Conflict(conflict) => Err(conflict.into()),
        }
    }

    /// What the agent tends is gone: it rests until that is back, and nothing of it is lost.
    async fn task_is_missing(&self, claim: &Claim) -> Ending {
        let why = Broken::TaskMissing.to_string();
        let Some(dormancy) = self.dormancy(claim, LifeEvent::LoseTask, &why).await else {
            return Ending::Failed(failure(&Broken::TaskMissing), Closing::default());
        };
        let (agent, run_key) = (claim.agent.agent_id.clone(), claim.run.draft.run_key);
        let (day, amounts) = (self.today(), types::Amounts::default());
        let mut closing = Closing::default();
        closing.writes.push(Write::Settle { agent, day, run_key, amounts });
        go_dormant(&mut closing, dormancy);
        Ending::Done(closing, Rested::default())
    }

    /// The way of an agent to dormancy, from where it stands now.
    async fn dormancy(&self, claim: &Claim, event: LifeEvent, why: &str) -> Option<Dormancy> {
        let id = RecordId::from(&claim.agent.agent_id);
        let record = self.store.record(Domain::Agent, id).await.ok().flatten()?;
        rules::dormancy::of(&record, event, why, self.world.now()).ok()
    }

    /// An agent that has failed too often in a row rests until somebody resumes it.
    async fn rest_after_failures(&self, job: &Job, last: &str, closing: &mut Closing) {
        let Some(Body::AgentState(state)) = job.state.as_ref().map(|record| &record.body) else {
            return;
        };
        let id = RecordId::from(&job.claim.agent.agent_id);
        let Ok(Some(record)) = self.store.record(Domain::Agent, id).await else { return };
        let now = self.world.now();
        let counted = rules::failures::counted(state, &job.claim.run.draft.run_key, now);
        let dormancy = rules::failures::dormancy(&record, &counted, FAILURES_MAX, last, now);
        if let Ok(Some(dormancy)) = dormancy {
            go_dormant(closing, dormancy);
        }
    }

    fn closing_of_failure(&self, job: &mut Job, broken: &Broken) -> Closing {
        let artifact = artifact(job, broken);
        let timeline = match broken {
            Broken::Model(failure) => Some(failure.timeline.clone()),
            _ => None,
        };
        let words = brief(job, broken);
        let said = json!({ "failure": artifact, "timeline": timeline, "said": words });
        let id = failure_id(job);
        let bytes = said.to_string().into_bytes();
        let (kept, content) = keep_words((&id).into(), types::Label::runtime(), bytes);
        let message = Message {
            previous: job.last_message(),
            metadata: MessageMetadata {
                status: Some("error".to_owned()),
                error_code: Some(broken.code().to_string()),
                error_message: Some(bounded(&broken.to_string())),
                ..MessageMetadata::default()
            },
            ..of_run(job, MessageKind::System, content)
        };
        let over = Over { kind: TurnKind::Aborted, words, failure: Some((artifact, timeline)) };
        let mut closing = self.closing(job, over);
        closing.writes.push(kept);
        closing.writes.push(Write::Record(RecordDraft::live(&id, message)));
        closing
    }
}

fn go_dormant(closing: &mut Closing, dormancy: Dormancy) {
    closing.writes.extend(dormancy.writes);
    closing.guards.extend(dormancy.guards);
    closing.audit.extend(dormancy.audit);
}

fn failure(broken: &Broken) -> RunFailure {
    RunFailure { code: broken.code(), message: bounded(&broken.to_string()) }
}

fn bounded(text: &str) -> String {
    let end = text.floor_char_boundary(limits::TOOL_MESSAGE_BYTES_MAX.min(text.len()));
    text[..end].to_owned()
}

/// The failure as people see it in a list.
fn artifact(job: &Job, broken: &Broken) -> FailureArtifact {
    let (category, status) = match broken {
        Broken::Model(failure) => {
            let protocol = matches!(
                failure.kind,
                ModelFailureKind::InvalidResponse | ModelFailureKind::UnsupportedTransport
            );
            let category =
                if protocol { FailureCategory::Protocol } else { FailureCategory::Transport };
            (category, failure.status)
        }
        _ => (FailureCategory::Runtime, None),
    };
    let mut metadata = BTreeMap::new();
    if let Broken::Model(failure) = broken {
        let kind = rules::turn::classify_failure(failure.kind);
        metadata.insert("failure_type".to_owned(), kind.as_str().to_owned());
    }
    if let Broken::Denied(denied) = broken {
        metadata.insert("rule".to_owned(), denied.rule.to_owned());
    }
    FailureArtifact {
        category,
        kind: broken.code().to_string(),
        summary: bounded(&broken.to_string()),
        provider: Some(job.model.provider().to_owned()),
        model_ref: Some(job.model.to_string()),
        status,
        source_chain: vec![],
        metadata,
    }
}

/// What the person is told: what happened, what was done by then, and what to do.
fn brief(job: &Job, broken: &Broken) -> String {
    let done = match job.tool_calls {
        0 => "Nothing was done.".to_owned(),
        1 => "What I had done by then stays done: one call of a tool.".to_owned(),
        calls => format!("What I had done by then stays done: {calls} calls of tools."),
    };
    let hint = match broken {
        Broken::Denied(denied) => denied.denial.hint.clone(),
        other => hint(other.code()).to_owned(),
    };
    format!("I could not finish this: {broken}. {done} {hint} ({})", broken.code())
}

fn hint(code: Code) -> &'static str {
    match code {
        Code::ModelUnavailable => "Is its server running, and its address right in config.toml?",
        Code::ProviderRefused => "The secret or the model's name in config.toml may be wrong.",
        Code::SecretUnavailable => "Set the variable or file that `secret` in config.toml names.",
        Code::InvalidResponse => "Ask again, or choose another model in config.toml.",
        Code::NoProgress | Code::TurnLimitReached => "Tell me more exactly what you want.",
        Code::ContextLengthExceeded => "Choose a model with more room in config.toml.",
        _ => "`dormouse runs` has the details.",
    }
}

//! A failure as people see it: in a list, in one breath, and what to do about it. Bounded, and never a
//! raw log.

use std::collections::BTreeMap;
use std::error::Error;

use types::{
    Code, FailureArtifact, FailureCategory, Label, ModelFailureKind, ModelRef, RunFailure, Source,
    TransportDiagnostics, Trust, limits,
};

use crate::broken::Broken;
use crate::job::Job;

/// What to do about a session that has too little room.
const SESSION_FULL: &str = "Start a session with more room: `dormouse session start AGENT NAME`.";

/// What to do about a provider that says itself what is wrong with it.
const BUSY: &str = "It can be reached, but does not answer now; another model may.";

/// The failure as people see it in a list.
pub(crate) fn artifact(model: &ModelRef, broken: &Broken) -> FailureArtifact {
    let mut metadata = BTreeMap::new();
    if let Some(kind) = broken.failure_type() {
        metadata.insert("failure_type".to_owned(), kind.as_str().to_owned());
    }
    if let Broken::Denied(denied) = broken {
        metadata.insert("rule".to_owned(), denied.rule.to_owned());
        let limit = denied.denial.limit.map(|limit| ("limit".to_owned(), limit.to_owned()));
        metadata.extend(limit);
    }
    if let Some(seen) = diagnostics(broken) {
        metadata.insert("stage".to_owned(), line(&seen.stage));
    }
    FailureArtifact {
        status: match broken {
            Broken::Model(failure) => failure.status,
            _ => None,
        },
        source_chain: causes(broken),
        metadata,
        ..of_run(model, &failure(broken))
    }
}

/// The failure of a run of which nothing more is known.
pub(crate) fn of_run(model: &ModelRef, failure: &RunFailure) -> FailureArtifact {
    FailureArtifact {
        category: rules::turn::category(failure.code),
        kind: failure.code.to_string(),
        summary: bounded(&failure.message),
        provider: Some(model.provider().to_owned()),
        model_ref: Some(model.to_string()),
        status: None,
        source_chain: vec![],
        metadata: BTreeMap::new(),
    }
}

/// The failure as the run log keeps it.
pub(crate) fn failure(broken: &Broken) -> RunFailure {
    RunFailure { code: broken.code(), message: bounded(&broken.to_string()) }
}

/// Where the words of a failure came from: those about a provider may be the provider's own.
pub(crate) fn label(code: Code) -> Label {
    let own = rules::turn::category(code) == FailureCategory::Runtime
        && code != Code::ContextLengthExceeded;
    let ours = Label::runtime();
    if own { ours } else { ours.join(&Label::new(Trust::Untrusted, Source::External)) }
}

/// What the person is told: what happened, what was done by then, and what to do. A call that was refused or
/// only read has done nothing.
pub(crate) fn brief(job: &Job, broken: &Broken) -> String {
    let done = match job.deeds.changing.len() {
        0 => "Nothing was done.".to_owned(),
        1 => "What I had done by then stays done: one call of a tool.".to_owned(),
        calls => format!("What I had done by then stays done: {calls} calls of tools."),
    };
    let hint = match broken {
        Broken::Denied(denied) => sentence(&denied.denial.hint),
        Broken::SessionFull { .. } => SESSION_FULL.to_owned(),
        Broken::Model(failure) if has_answered(failure.kind) => BUSY.to_owned(),
        Broken::Model(failure) if broken.code() == Code::ProviderRefused => {
            refused(failure.status).to_owned()
        }
        other => hint(other.code()).to_owned(),
    };
    format!("I could not finish this: {broken}. {done} {hint} ({})", broken.code())
}

/// What the person is told, and behind it on a line of its own what else there is to know.
pub(crate) fn noticed(words: String, notice: Option<&str>) -> String {
    match notice {
        Some(notice) => format!("{words}\n{notice}"),
        None => words,
    }
}

/// What fits into a message about a failure.
pub(crate) fn bounded(text: &str) -> String {
    cut(text, limits::TOOL_MESSAGE_BYTES_MAX)
}

/// Whether what is wrong is told by the provider itself: then it is where it was looked for.
const fn has_answered(kind: ModelFailureKind) -> bool {
    use ModelFailureKind as Kind;
    matches!(kind, Kind::Broken | Kind::RateLimited | Kind::ServerError)
}

/// What helps with a provider that will not take a question.
const fn refused(status: Option<u16>) -> &'static str {
    match status {
        Some(401 | 403) => "The secret in config.toml may be wrong, or not be good for this model.",
        Some(402) => "It wants to be paid.",
        Some(404 | 405) => "The model's name or `base_url` in config.toml may be wrong.",
        _ => {
            "If it cannot read how it is asked, `stream` and `max_completion_tokens` in config.toml \
             change that; if the model cannot call tools, choose another."
        }
    }
}

fn hint(code: Code) -> &'static str {
    match code {
        Code::ModelUnavailable => "Is its server running, and its address right in config.toml?",
        Code::SecretUnavailable => {
            "Let `secret` in config.toml name a variable that is set, or a file that can be read."
        }
        Code::UnsupportedTransport => {
            "Set `transport` in config.toml to one that is spoken: openai_chat_completions."
        }
        Code::NetworkDenied => {
            "If it is meant to go there, make that the `base_url` of a provider in config.toml."
        }
        Code::InvalidResponse => "Ask again, or choose another model in config.toml.",
        Code::NoProgress | Code::TurnLimitReached => "Tell me more exactly what you want.",
        Code::OutOfScope => "Move the task back, or give it another agent there.",
        Code::ContextLengthExceeded => "Choose a model with more room in config.toml.",
        _ => "`dormouse runs AGENT` shows what became of it.",
    }
}

/// Words that stand alone elsewhere, as a sentence among others.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    let stop = if words.ends_with('.') { "" } else { "." };
    first.chain(letters).chain(stop.chars()).collect()
}

/// What lies beneath a failure, outermost first.
fn causes(broken: &Broken) -> Vec<String> {
    let deeper = std::iter::successors(broken.source(), |&cause| cause.source());
    let seen = diagnostics(broken).map(|seen| seen.source_chain.clone()).unwrap_or_default();
    let all = deeper.map(ToString::to_string).chain(seen);
    all.map(|cause| line(&cause)).take(limits::FAILURE_DETAILS_MAX).collect()
}

/// What the transport knows of the last attempt.
fn diagnostics(broken: &Broken) -> Option<&TransportDiagnostics> {
    match broken {
        Broken::Model(failure) => failure.timeline.attempts.last()?.transport_diagnostics.as_ref(),
        _ => None,
    }
}

fn line(text: &str) -> String {
    cut(text, limits::FAILURE_DETAIL_BYTES_MAX)
}

fn cut(text: &str, bytes_max: usize) -> String {
    text[..text.floor_char_boundary(bytes_max.min(text.len()))].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::{AttemptOutcome, AttemptRecord, AttemptTimeline, ModelFailureKind};

    fn attempt(seen: TransportDiagnostics) -> AttemptRecord {
        AttemptRecord {
            provider: "local".to_owned(),
            model_ref: "local/m".to_owned(),
            attempt: 3,
            max_attempts: 3,
            started_at: None,
            completed_at: None,
            duration_ms: None,
            failure_kind: Some(ModelFailureKind::Connection),
            disposition: None,
            outcome: AttemptOutcome::RetriesExhausted,
            advanced_to_fallback: false,
            backoff_ms: None,
            token_usage: None,
            transport_diagnostics: Some(seen),
        }
    }

    #[test]
    fn what_stands_among_sentences_is_one() {
        assert_eq!(sentence("raise the limit"), "Raise the limit.");
        assert_eq!(sentence("`dormouse kill off` lifts it"), "`dormouse kill off` lifts it.");
        assert_eq!(sentence("It is so."), "It is so.");
    }

    #[test]
    fn an_artifact_has_the_whole_chain_of_causes_and_no_log() {
        let log = "x".repeat(1_000_000);
        let source_chain = vec!["could not connect".to_owned(), "refused".to_owned(), log.clone()];
        let seen = TransportDiagnostics {
            stage: "connect".to_owned(),
            source_chain,
            ..Default::default()
        };
        let timeline = AttemptTimeline { attempts: vec![attempt(seen)], ..Default::default() };
        let broken = Broken::Model(Box::new(model::Failure {
            kind: ModelFailureKind::Connection,
            message: log,
            status: None,
            retry_after_ms: None,
            timeline,
        }));
        let found = artifact(&ModelRef::scribe(), &broken);
        assert_eq!(found.source_chain[..2], ["could not connect", "refused"]);
        assert_eq!(found.metadata["failure_type"], "network_error");
        assert_eq!(found.metadata["stage"], "connect");
        let bytes = serde_json::to_vec(&found).unwrap().len();
        assert!(bytes < 2_500, "{bytes}");
    }
}

//! The attempts of one request, as they are remembered.

use types::{
    At, AttemptOutcome, AttemptRecord, AttemptTimeline, ModelFailureKind, ModelRef, TokenUsage,
};

use crate::answer::{Miss, Spoken};
use crate::retry::{ATTEMPTS_MAX, Next};

/// When an attempt was made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) started_at: At,
    pub(crate) completed_at: At,
    /// By a clock that nobody sets; waiting beforehand is not in it.
    pub(crate) duration_ms: u64,
}

/// The attempts of one request so far.
#[derive(Debug)]
pub(crate) struct Timeline {
    model: ModelRef,
    attempts: Vec<AttemptRecord>,
}

impl Timeline {
    /// None yet.
    pub(crate) fn of(model: &ModelRef) -> Timeline {
        Timeline { model: model.clone(), attempts: Vec::new() }
    }

    /// Which attempt comes next, from 1.
    pub(crate) fn next(&self) -> u32 {
        u32::try_from(self.attempts.len() + 1).unwrap_or(u32::MAX)
    }

    /// One failed.
    pub(crate) fn missed(&mut self, miss: &Miss, span: Option<Span>, next: Next) {
        let (outcome, backoff_ms) = match next {
            Next::Again { wait_ms } => (AttemptOutcome::Retrying, Some(wait_ms)),
            Next::Over(outcome) => (outcome, None),
        };
        let mut record = self.record(span, outcome, miss.usage);
        record.failure_kind = Some(miss.kind);
        record.disposition = Some(disposition(miss.kind).to_owned());
        record.backoff_ms = backoff_ms;
        record.transport_diagnostics = Some((*miss.diagnostics).clone());
        self.attempts.push(record);
    }

    /// One went through.
    pub(crate) fn succeeded(&mut self, spoken: &Spoken, span: Span) {
        let record = self.record(Some(span), AttemptOutcome::Succeeded, spoken.usage);
        self.attempts.push(record);
    }

    /// What all of them took, as far as anybody knows.
    pub(crate) fn taken(&self) -> Option<TokenUsage> {
        let taken = self.attempts.iter().filter_map(|attempt| attempt.token_usage);
        taken.reduce(TokenUsage::plus)
    }

    /// The same with what one more took.
    pub(crate) fn taken_with(&self, usage: Option<TokenUsage>) -> TokenUsage {
        self.taken().unwrap_or_default().plus(usage.unwrap_or_default())
    }

    /// All of it.
    pub(crate) fn close(self) -> AttemptTimeline {
        let won =
            self.attempts.last().is_some_and(|last| last.outcome == AttemptOutcome::Succeeded);
        let name = self.model.to_string();
        AttemptTimeline {
            aggregated_token_usage: self.taken(),
            requested_model_ref: name.clone(),
            winning_model_ref: won.then(|| name.clone()),
            active_model_ref: Some(name),
            attempts: self.attempts,
        }
    }

    fn record(
        &self,
        span: Option<Span>,
        outcome: AttemptOutcome,
        token_usage: Option<TokenUsage>,
    ) -> AttemptRecord {
        AttemptRecord {
            provider: self.model.provider().to_owned(),
            model_ref: self.model.to_string(),
            attempt: self.next(),
            max_attempts: ATTEMPTS_MAX,
            started_at: span.map(|span| span.started_at),
            completed_at: span.map(|span| span.completed_at),
            duration_ms: span.map(|span| span.duration_ms),
            failure_kind: None,
            disposition: None,
            outcome,
            // Another model is another request: whoever asks decides on it.
            advanced_to_fallback: false,
            backoff_ms: None,
            token_usage,
            transport_diagnostics: None,
        }
    }
}

const fn disposition(kind: ModelFailureKind) -> &'static str {
    if kind.is_retryable() { "retryable" } else { "fail_fast" }
}

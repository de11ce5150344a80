//! Asking: attempt after attempt, until one goes through or none is left.

use std::time::Duration;

use egress::Bytes;
use model::{Failure, Listen, Request, Response};
use tokio::time::{Instant, sleep};
use types::AttemptOutcome;

use crate::answer::{Miss, Spoken};
use crate::attempt::{Asked, Ear, attempt};
use crate::chat::lower;
use crate::providers::{Inner, Provider};
use crate::retry::{Next, next};
use crate::timeline::{Span, Timeline};

/// Asks the model of a request. The failure is boxed: it tells every attempt.
pub(crate) async fn ask(
    inner: &Inner,
    request: Request,
    listen: &dyn Listen,
) -> Result<Response, Box<Failure>> {
    let mut timeline = Timeline::of(&request.model);
    let provider = match inner.select(&request.model) {
        Ok(provider) => provider,
        Err(miss) => {
            timeline.missed(&miss, None, next(miss.kind, 1, None, 0));
            return Err(failure(&request, &miss, timeline));
        }
    };
    let body = Bytes::from(lower(&request, provider.dialect, &provider.written));
    let asked = Asked { body, tokens_max: request.generation.max_output_tokens };
    loop {
        let number = timeline.next();
        let (tried, span) = timed(inner, provider, asked.clone(), listen, &timeline).await;
        let miss = match tried {
            Ok(spoken) => {
                timeline.succeeded(&spoken, span);
                return Ok(response(spoken, timeline));
            }
            Err(miss) => miss,
        };
        let step = match next(miss.kind, number, miss.retry_after_ms, inner.world.random()) {
            Next::Again { .. } if !listen.may_try_again(timeline.taken_with(miss.usage)) => {
                Next::Over(AttemptOutcome::RetriesExhausted)
            }
            step => step,
        };
        timeline.missed(&miss, Some(span), step);
        match step {
            Next::Again { wait_ms } => sleep(Duration::from_millis(wait_ms)).await,
            Next::Over(_) => return Err(failure(&request, &miss, timeline)),
        }
    }
}

async fn timed(
    inner: &Inner,
    provider: &Provider,
    asked: Asked,
    listen: &dyn Listen,
    timeline: &Timeline,
) -> (Result<Spoken, Miss>, Span) {
    let (started_at, began) = (inner.world.now(), Instant::now());
    let now = || inner.world.now();
    let mut ear = Ear::of(listen, timeline);
    let tried = attempt(&provider.config, &inner.egress, asked, now, &mut ear).await;
    let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    (tried, Span { started_at, completed_at: inner.world.now(), duration_ms })
}

fn response(spoken: Spoken, timeline: Timeline) -> Response {
    Response {
        text: spoken.text,
        calls: spoken.calls,
        reasoning: spoken.reasoning,
        keepsake: spoken.keepsake,
        version: spoken.version,
        finish: spoken.finish,
        usage: spoken.usage.unwrap_or_default(),
        timeline: timeline.close(),
    }
}

fn failure(request: &Request, miss: &Miss, timeline: Timeline) -> Box<Failure> {
    let timeline = timeline.close();
    let tries = match timeline.attempts.len() {
        0 | 1 => String::new(),
        tries => format!(" (attempt {tries} of {tries})"),
    };
    Box::new(Failure {
        kind: miss.kind,
        message: format!("{}: {}{tries}", request.model, miss.message),
        status: miss.status,
        retry_after_ms: miss.retry_after_ms,
        timeline,
    })
}

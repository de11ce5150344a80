//! The port.

use std::sync::Arc;

use model::{Asking, Failure, Heard, Listen, Model, Price, Request, Response};
use types::{AttemptTimeline, ModelFailureKind, ModelRef};

use crate::answer::answer;

/// `builtin/scribe`: always there, costs nothing, reaches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scribe;

impl Model for Scribe {
    fn ask(&self, request: Request, listen: Arc<dyn Listen>) -> Asking {
        Box::pin(async move {
            if request.model != ModelRef::scribe() {
                return Err(not_mine(&request.model));
            }
            let response = answer(&request);
            speak(&response, listen.as_ref());
            Ok(response)
        })
    }

    fn again(&self, request: &Request) -> Option<Response> {
        (request.model == ModelRef::scribe()).then(|| answer(request))
    }

    fn price(&self, model: &ModelRef) -> Option<Price> {
        (*model == ModelRef::scribe()).then(Price::default)
    }
}

/// Says the answer line by line, so that whoever listens sees what they would of any other model.
fn speak(response: &Response, listen: &dyn Listen) {
    let attempt = 1;
    let mut n = 0;
    for line in response.text.split_inclusive('\n') {
        listen.heard(Heard::Text { attempt, n, text: line.to_owned() });
        n += 1;
    }
    for call in &response.calls {
        listen.heard(Heard::Call { attempt, n, tool: call.tool.clone() });
        n += 1;
    }
}

fn not_mine(model: &ModelRef) -> Failure {
    Failure {
        kind: ModelFailureKind::BadRequest,
        message: format!("{} was asked to speak for {model}", ModelRef::scribe()),
        status: None,
        retry_after_ms: None,
        timeline: AttemptTimeline {
            requested_model_ref: model.to_string(),
            ..AttemptTimeline::default()
        },
    }
}

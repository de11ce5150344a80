//! A model that says what it was told to say, and remembers what it was asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use model::{AskedCall, Asking, Failure, Listen, Model, Price, Request, Response};
use serde_json::Value;
use types::{AttemptTimeline, FinishReason, ModelFailureKind, ModelRef, TokenUsage};

/// What is said next.
pub type Line = Result<Response, Failure>;

/// A model that says its lines in order, and then the last one for ever.
#[derive(Debug, Default)]
pub struct ScriptedModel {
    told: Mutex<Told>,
}

#[derive(Debug, Default)]
struct Told {
    lines: VecDeque<Line>,
    asked: Vec<Request>,
    /// The last line was said and stays until there is another.
    stays: bool,
}

impl ScriptedModel {
    /// A model with these lines.
    #[must_use]
    pub fn saying(lines: Vec<Line>) -> Arc<ScriptedModel> {
        let model = ScriptedModel::default();
        model.told().lines.extend(lines);
        Arc::new(model)
    }

    /// More lines.
    pub fn then(&self, line: Line) {
        let mut told = self.told();
        if std::mem::take(&mut told.stays) {
            told.lines.clear();
        }
        told.lines.push_back(line);
    }

    /// What it was asked so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Request> {
        self.told().asked.clone()
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().expect("no test panics while it holds the script")
    }
}

impl Model for ScriptedModel {
    fn ask(&self, request: Request, _listen: Arc<dyn Listen>) -> Asking {
        let mut told = self.told();
        told.asked.push(request);
        let line = match told.lines.len() {
            0 => says("There is nothing to do."),
            1 => {
                told.stays = true;
                told.lines[0].clone()
            }
            _ => told.lines.pop_front().expect("there are two"),
        };
        Box::pin(std::future::ready(line))
    }

    fn price(&self, _model: &ModelRef) -> Option<Price> {
        Some(Price { input_micros: 1_000_000, output_micros: 2_000_000 })
    }
}

/// It says something and asks for nothing.
///
/// # Errors
/// None: it is a line.
pub fn says(text: &str) -> Line {
    Ok(Response {
        text: text.to_owned(),
        calls: vec![],
        reasoning: None,
        finish: FinishReason::Stop,
        usage: TokenUsage::of(100, 10),
        timeline: AttemptTimeline::default(),
    })
}

/// It asks for tools: id, name and arguments.
///
/// # Errors
/// None: it is a line.
pub fn asks(calls: &[(&str, &str, Value)]) -> Line {
    let calls = calls.iter().map(|(id, tool, arguments)| AskedCall {
        id: (*id).to_owned(),
        tool: (*tool).to_owned(),
        arguments: Ok(arguments.clone()),
    });
    let response = says("")?;
    Ok(Response { calls: calls.collect(), finish: FinishReason::ToolCalls, ..response })
}

/// It cannot be reached.
///
/// # Errors
/// Always: that is the line.
pub fn fails(kind: ModelFailureKind) -> Line {
    Err(Failure {
        kind,
        message: format!("the script says {}", kind.as_str()),
        status: None,
        retry_after_ms: None,
        timeline: AttemptTimeline::default(),
    })
}

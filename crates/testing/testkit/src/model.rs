//! A model that says what it was told to say, and remembers what it was asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use model::{AskedCall, Asking, Failure, Heard, Listen, Model, Price, Request, Response};
use serde_json::Value;
use types::{AttemptTimeline, FinishReason, ModelFailureKind, ModelRef, TokenUsage};

/// What is said next.
pub type Line = Result<Response, Failure>;

/// A model that says its lines in order, and then the last one for ever.
#[derive(Default)]
pub struct ScriptedModel {
    told: Mutex<Told>,
}

#[derive(Default)]
struct Told {
    lines: VecDeque<Line>,
    asked: Vec<Request>,
    /// The last line was said and stays until there is another.
    stays: bool,
    /// What happens while a question is asked, by its number.
    meanwhile: Option<(usize, Meanwhile)>,
    /// The question that it does not answer, by its number.
    sticks: Option<usize>,
    /// It was asked and does not answer.
    stuck: bool,
    /// Whoever listened, as far as they are still there.
    listeners: Vec<Weak<dyn Listen>>,
}

type Meanwhile = Box<dyn FnOnce() + Send>;

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

    /// Something happens while it is asked: the next time, or after so many more answers.
    pub fn meanwhile(&self, after: usize, what: impl FnOnce() + Send + 'static) {
        let mut told = self.told();
        let at = told.asked.len() + after;
        told.meanwhile = Some((at, Box::new(what)));
    }

    /// A question is never answered: the next, or the one after so many more answers. Whoever asks it
    /// has to give up or die.
    pub fn sticks(&self, after: usize) {
        let mut told = self.told();
        (told.sticks, told.stuck) = (Some(told.asked.len() + after), false);
    }

    /// Whether it was asked and does not answer.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.told().stuck
    }

    /// How many of those who listened while they asked are still there.
    #[must_use]
    pub fn still_listening(&self) -> usize {
        self.told().listeners.iter().filter(|one| one.strong_count() > 0).count()
    }

    /// The line that is said now.
    fn next_line(&self, request: Request, listen: &Arc<dyn Listen>) -> Option<Line> {
        let mut told = self.told();
        let number = told.asked.len();
        told.asked.push(request);
        told.listeners.push(Arc::downgrade(listen));
        if told.sticks.take_if(|at| *at == number).is_some() {
            told.stuck = true;
            return None;
        }
        Some(match told.lines.len() {
            0 => says("There is nothing to do."),
            1 => {
                told.stays = true;
                told.lines[0].clone()
            }
            _ => told.lines.pop_front().expect("there are two"),
        })
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().expect("no test panics while it holds the script")
    }
}

impl Model for ScriptedModel {
    fn ask(&self, request: Request, listen: Arc<dyn Listen>) -> Asking {
        let mut told = self.told();
        let number = told.asked.len();
        let due = told.meanwhile.take_if(|(at, _)| *at == number);
        // Whatever happens may ask for the script itself.
        drop(told);
        if let Some((_, what)) = due {
            what();
        }
        let Some(line) = self.next_line(request, &listen) else {
            return Box::pin(std::future::pending());
        };
        if let Ok(response) = &line {
            for (n, word) in (0..).zip(response.text.split_inclusive(' ')) {
                listen.heard(Heard::Text { attempt: 1, n, text: word.to_owned() });
            }
        }
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
        keepsake: None,
        text: text.to_owned(),
        calls: vec![],
        reasoning: None,
        version: None,
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

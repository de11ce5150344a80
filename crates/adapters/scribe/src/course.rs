//! What has happened in this turn so far.

use model::{Exchange, Request};
use serde_json::Value;

use crate::read::{Input, Prompt};

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// It was done, with this answer.
    Done(Value),
    /// It was only shown; nothing was done.
    Shown,
    /// It was not done.
    Failed {
        /// Of which kind.
        kind: String,
        /// In words.
        message: String,
    },
    /// Nobody has answered it.
    Open,
}

/// A call of this turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Made<'a> {
    pub(crate) id: &'a str,
    pub(crate) tool: &'a str,
    pub(crate) arguments: &'a Value,
    pub(crate) outcome: Outcome,
}

impl Made<'_> {
    fn is(&self, tool: &str, arguments: &Value) -> bool {
        self.tool == tool && self.arguments == arguments
    }
}

/// Words of the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Words<'a> {
    pub(crate) text: &'a str,
    /// Bytes of them that were not shown.
    pub(crate) left_out: u64,
}

/// The turn so far. A text without calls is what the operator was told; what came before it needs no
/// second telling.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Course<'a> {
    /// Every call of the turn, in order.
    pub(crate) calls: Vec<Made<'a>>,
    /// How many of them the operator was told of.
    told: usize,
    /// What the operator said and was not answered.
    pub(crate) unanswered: Vec<Words<'a>>,
    /// The part of it that nothing was done about.
    pub(crate) pending: Vec<Words<'a>>,
    /// The model has spoken before.
    pub(crate) begun: bool,
}

impl<'a> Course<'a> {
    /// Reads what was said in this turn.
    pub(crate) fn read(request: &'a Request, prompt: &'a Prompt) -> Course<'a> {
        let words = |input: &'a Input| Words { text: &input.text, left_out: input.left_out };
        let words: Vec<Words<'_>> = prompt.told().map(words).collect();
        let mut course = Course {
            calls: Vec::new(),
            told: 0,
            unanswered: words.clone(),
            pending: words,
            begun: false,
        };
        for exchange in &request.said {
            course.take(exchange);
        }
        course
    }

    fn take(&mut self, exchange: &'a Exchange) {
        match exchange {
            Exchange::Said { calls, .. } => {
                self.begun = true;
                self.pending.clear();
                let made = calls.iter().map(|(id, tool, arguments)| Made {
                    id,
                    tool,
                    arguments,
                    outcome: Outcome::Open,
                });
                self.calls.extend(made);
                if calls.is_empty() {
                    self.unanswered.clear();
                    self.told = self.calls.len();
                }
            }
            Exchange::Answered { call, text } => {
                let asked = self.calls.iter_mut().rev().find(|made| made.id == call.as_str());
                if let Some(made) = asked {
                    made.outcome = outcome(text);
                }
            }
            // Nothing was said, so nothing is to be answered.
            Exchange::Interjected { text } if text.trim().is_empty() => {}
            Exchange::Interjected { text } => {
                let words = Words { text, left_out: 0 };
                self.unanswered.push(words);
                self.pending.push(words);
            }
        }
    }

    /// The calls that the operator was not told of.
    pub(crate) fn untold(&self) -> &[Made<'a>] {
        &self.calls[self.told..]
    }

    /// Whether the same call failed before in this turn, and the operator was told.
    pub(crate) fn failed_and_told(&self, tool: &str, arguments: &Value) -> bool {
        let untold = self.untold().iter().any(|made| made.is(tool, arguments));
        !untold && self.failed_before(tool, arguments)
    }

    /// Whether the same call failed before in this turn.
    pub(crate) fn failed_before(&self, tool: &str, arguments: &Value) -> bool {
        let failed = |made: &Made<'_>| matches!(made.outcome, Outcome::Failed { .. });
        self.calls.iter().any(|made| failed(made) && made.is(tool, arguments))
    }
}

/// A tool's answer is one line of JSON; what is none is taken for a failure, which is the safe reading.
fn outcome(text: &str) -> Outcome {
    let answer: Value = serde_json::from_str(text).unwrap_or(Value::Null);
    let word = |name: &str| answer.get(name).and_then(Value::as_str);
    match answer.get("ok").and_then(Value::as_bool) {
        Some(true) if answer.get("preview") == Some(&Value::Bool(true)) => Outcome::Shown,
        Some(true) => Outcome::Done(answer.get("payload").cloned().unwrap_or_default()),
        _ => Outcome::Failed {
            kind: word("kind").unwrap_or("unknown").to_owned(),
            message: word("message").unwrap_or("the tool's answer could not be read").to_owned(),
        },
    }
}

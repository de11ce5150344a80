//! What a model answers.

use serde_json::Value;
use types::{AttemptTimeline, FinishReason, TokenUsage};

/// A call that a model asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedCall {
    /// Its own name for it; never empty.
    pub id: String,
    /// Which tool.
    pub tool: String,
    /// With which arguments; if the model wrote no JSON, the text that it wrote.
    pub arguments: Result<Value, String>,
}

/// What a model answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// Its words.
    pub text: String,
    /// What it asks for.
    pub calls: Vec<AskedCall>,
    /// What it thought, if its provider tells.
    pub reasoning: Option<String>,
    /// What its provider wants back with this answer when it is told what the calls came to.
    pub keepsake: Option<Value>,
    /// Which version of the model answered, as its provider names it.
    pub version: Option<String>,
    /// Why it stopped.
    pub finish: FinishReason,
    /// What it spent.
    pub usage: TokenUsage,
    /// How it was reached.
    pub timeline: AttemptTimeline,
}

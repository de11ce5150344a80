//! What a model is asked.

use std::sync::Arc;

use serde_json::Value;
use types::{AgentId, Block, CategoryId, Generation, ModelRef};

/// What was said in this turn after the prompt, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Exchange {
    /// The model spoke.
    Said {
        /// Its words.
        text: String,
        /// What it asked for: id, tool and arguments.
        calls: Vec<(String, String, Value)>,
        /// What its provider wants back with that.
        keepsake: Option<Value>,
    },
    /// A tool answered.
    Answered {
        /// Which call.
        call: String,
        /// With what.
        text: String,
    },
    /// The operator threw something in.
    Interjected {
        /// The words.
        text: String,
    },
}

/// A tool as a model sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub input_schema: Value,
}

/// What a model is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Which model.
    pub model: ModelRef,
    /// For whom.
    pub agent: AgentId,
    /// Of which template the agent is.
    pub kind: String,
    /// The category of what it works on; absent if that lies in none, or in several.
    pub category: Option<CategoryId>,
    /// The prompt, part by part: what stays longest first.
    pub prompt: Vec<Block>,
    /// What was said since.
    pub said: Vec<Exchange>,
    /// The tools of the agent, always all of them and in the same order.
    pub tools: Arc<[ToolSpec]>,
    /// Those that may be called in this wake; all, if absent.
    pub allowed: Option<Vec<String>>,
    /// How the answer is to be made.
    pub generation: Generation,
}

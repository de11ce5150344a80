//! What the server is asked.

use hyper::body::Bytes;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// A request that the server has understood.
#[derive(Debug)]
pub struct Asked {
    /// Which call it is, from 0.
    pub n: u64,
    /// The key that came with it, without the word before it.
    pub key: Option<String>,
    /// As much of it as every answer needs.
    pub(crate) outline: Outline,
    pub(crate) bytes: Bytes,
}

impl Asked {
    /// All of it.
    ///
    /// # Panics
    /// Never: it was read once.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).expect("it was read as JSON before")
    }

    /// All of it, as it was sent.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The id of the task that the prompt is about, if it has one: the record under `# Task`.
    #[must_use]
    pub fn task(&self) -> Option<String> {
        self.under("# Task\n")?["id"].as_str().map(str::to_owned)
    }

    /// What somebody says to the agent, if anybody does: the words under `# Input`.
    #[must_use]
    pub fn input(&self) -> Option<String> {
        self.under("# Input\n")?["text"].as_str().map(str::to_owned)
    }

    /// The value under a heading of the prompt.
    fn under(&self, heading: &str) -> Option<Value> {
        let whole = self.json();
        let words = whole["messages"].as_array()?.iter().find(|said| said["role"] == "user")?;
        let (_, after) = words["content"].as_str()?.split_once(heading)?;
        serde_json::Deserializer::from_str(after).into_iter::<Value>().next()?.ok()
    }

    /// Whether a tool has just answered, so that it is time for words.
    #[must_use]
    pub fn is_after_tools(&self) -> bool {
        self.outline.messages.last().is_some_and(|message| message.role == "tool")
    }

    /// Whether it wants its answer piece by piece.
    #[must_use]
    pub fn wants_stream(&self) -> bool {
        self.outline.stream.unwrap_or(false)
    }

    /// Whether it wants to know at the end of a stream what it has cost.
    #[must_use]
    pub fn wants_usage(&self) -> bool {
        self.outline.stream_options.as_ref().is_some_and(|options| options.include_usage)
    }
}

/// The bones of a request. What nobody looks at is skipped, not kept: the server is fast.
#[derive(Debug, Deserialize)]
pub(crate) struct Outline {
    pub(crate) model: String,
    pub(crate) messages: Vec<Message>,
    pub(crate) stream: Option<bool>,
    pub(crate) stream_options: Option<StreamOptions>,
    #[serde(default)]
    pub(crate) tools: Vec<Tool>,
    pub(crate) tool_choice: Option<Value>,
    #[serde(rename = "max_tokens")]
    pub(crate) _max_tokens: Option<u64>,
    #[serde(rename = "max_completion_tokens")]
    pub(crate) _max_completion_tokens: Option<u64>,
    #[serde(rename = "temperature")]
    pub(crate) _temperature: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Message {
    pub(crate) role: String,
    pub(crate) content: Option<IgnoredAny>,
    #[serde(default)]
    pub(crate) tool_calls: Vec<Call>,
    pub(crate) tool_call_id: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Call {
    pub(crate) id: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(rename = "function")]
    pub(crate) _function: CalledFunction,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CalledFunction {
    #[serde(rename = "name")]
    pub(crate) _name: String,
    #[serde(rename = "arguments")]
    pub(crate) _arguments: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Tool {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) function: Function,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Function {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) strict: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StreamOptions {
    #[serde(default)]
    pub(crate) include_usage: bool,
}

//! What is sent: the documented fields that Dormouse uses, and no others.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

#[derive(Serialize)]
pub(super) struct Body<'a> {
    pub(super) model: &'a str,
    pub(super) messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tools: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool_choice: Option<ToolChoice<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seed: Option<u64>,
    pub(super) stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub(super) enum Message<'a> {
    System {
        content: String,
    },
    User {
        content: String,
    },
    Assistant {
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reasoning_content: Option<&'a Value>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
    Tool {
        tool_call_id: &'a str,
        content: &'a str,
    },
}

#[derive(Serialize)]
pub(super) struct Call<'a> {
    pub(super) id: &'a str,
    #[serde(rename = "type")]
    pub(super) kind: Function,
    pub(super) function: Called<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extra_content: Option<&'a Value>,
}

#[derive(Serialize)]
pub(super) struct Called<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) arguments: String,
}

#[derive(Serialize)]
pub(super) struct Tool<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Function,
    pub(super) function: Offered<'a>,
}

#[derive(Serialize)]
pub(super) struct Offered<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) parameters: Cow<'a, Value>,
    pub(super) strict: bool,
}

/// Which tools may be called.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum ToolChoice<'a> {
    Word(&'static str),
    Some {
        #[serde(rename = "type")]
        kind: &'static str,
        allowed_tools: Allowed<'a>,
    },
}

#[derive(Serialize)]
pub(super) struct Allowed<'a> {
    pub(super) mode: &'static str,
    pub(super) tools: Vec<Named<'a>>,
}

#[derive(Serialize)]
pub(super) struct Named<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Function,
    pub(super) function: Name<'a>,
}

#[derive(Serialize)]
pub(super) struct Name<'a> {
    pub(super) name: &'a str,
}

#[derive(Serialize)]
pub(super) struct StreamOptions {
    pub(super) include_usage: bool,
}

/// The one type that calls and tools have.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Function {
    Function,
}

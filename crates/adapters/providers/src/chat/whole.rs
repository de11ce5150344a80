//! An answer in one piece.

use serde::Deserialize;
use serde_json::Value;

use super::loose::{Arguments, Words};
use super::settle::{Draft, DraftCall, one_or_two, usage};
use super::stream::Stream;
use crate::answer::{Spoken, Wrong};
use crate::classify::by_words;
use crate::error_body::ErrorBody;

#[derive(Deserialize)]
struct Completion {
    error: Option<Value>,
    model: Option<Value>,
    #[serde(default, deserialize_with = "one_or_two")]
    choices: Option<Vec<Choice>>,
    usage: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    role: Option<String>,
    content: Option<Words>,
    refusal: Option<String>,
    reasoning: Option<String>,
    reasoning_content: Option<String>,
    tool_calls: Option<Vec<Call>>,
}

#[derive(Deserialize)]
struct Call {
    id: Option<String>,
    extra_content: Option<Value>,
    #[serde(rename = "type")]
    kind: Option<String>,
    function: Called,
}

#[derive(Deserialize)]
struct Called {
    name: String,
    #[serde(default)]
    arguments: Arguments,
}

/// Reads an answer. One that came piece by piece all the same says so by how it begins.
pub(crate) fn read(bytes: &[u8]) -> Result<Spoken, Wrong> {
    if bytes.starts_with(b"data:") || bytes.starts_with(b":") {
        let mut stream = Stream::default();
        stream.feed(bytes)?;
        return stream.end();
    }
    let completion: Completion =
        serde_json::from_slice(bytes).map_err(|error| malformed(&error))?;
    let usage = completion.usage.as_ref().and_then(usage);
    draft(completion, usage).map_err(|wrong| Wrong { usage, ..wrong })?.settle()
}

fn draft(completion: Completion, usage: Option<types::TokenUsage>) -> Result<Draft, Wrong> {
    if let Some(error) = completion.error {
        return Err(told(&error));
    }
    let choices = completion.choices.ok_or_else(|| Wrong::invalid("the answer has no choices"))?;
    let [choice] = <[Choice; 1]>::try_from(choices).map_err(|choices| {
        Wrong::invalid(match choices.is_empty() {
            true => "the answer has no choices",
            false => "the answer has more than one choice",
        })
    })?;
    let Choice { message, finish_reason } = choice;
    if message.role.is_some_and(|role| !role.is_empty() && role != "assistant") {
        return Err(Wrong::invalid("somebody else than the model speaks"));
    }
    let calls = message.tool_calls.unwrap_or_default();
    let Words { said, thought } = message.content.unwrap_or_default();
    Ok(Draft {
        lends_thoughts: message.reasoning_content.is_some(),
        text: said,
        refusal: message.refusal.unwrap_or_default(),
        reasoning: message.reasoning_content.or(message.reasoning).unwrap_or(thought),
        version: version(completion.model.as_ref()),
        calls: calls.into_iter().map(call).collect::<Result<_, _>>()?,
        finish: finish_reason,
        usage,
    })
}

fn call(call: Call) -> Result<DraftCall, Wrong> {
    only_functions(call.kind.as_deref())?;
    let Called { name, arguments } = call.function;
    let id = call.id.unwrap_or_default();
    Ok(DraftCall { id, name, arguments: arguments.0, extra: call.extra_content })
}

/// Which version of the model speaks; nothing if it says it in another way.
pub(super) fn version(told: Option<&Value>) -> Option<String> {
    told.and_then(Value::as_str).map(str::to_owned)
}

/// We offer functions only.
pub(super) fn only_functions(kind: Option<&str>) -> Result<(), Wrong> {
    match kind {
        None | Some("function" | "") => Ok(()),
        Some(_) => Err(Wrong::invalid("something else than a function is called")),
    }
}

/// An answer that tells of an error although it began well.
pub(super) fn told(error: &Value) -> Wrong {
    let error = ErrorBody::of(error);
    Wrong {
        kind: by_words(&error),
        message: format!("told of an error: {}", error.message),
        usage: None,
    }
}

/// Where it is wrong; never what stands there.
pub(super) fn malformed(error: &serde_json::Error) -> Wrong {
    use serde_json::error::Category;
    let what = match error.classify() {
        Category::Data => "has something else where the contract has a field",
        Category::Io | Category::Syntax | Category::Eof => "is no JSON",
    };
    let place = format!("line {}, column {}", error.line(), error.column());
    Wrong::invalid(format!("the answer {what} ({place})"))
}

#[cfg(test)]
#[path = "whole_tests.rs"]
mod tests;

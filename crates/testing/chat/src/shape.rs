//! An answer in one piece.

use serde_json::{Value, json};

use crate::Asked;
use crate::reply::Said;

/// When everything was said: a test server has no clock.
const CREATED: u64 = 1_790_000_000;

/// The object that is answered.
pub(crate) fn completion(asked: &Asked, said: &Said) -> Value {
    let mut message = json!({"role": "assistant", "content": said.text, "refusal": null});
    if !said.calls.is_empty() {
        message["tool_calls"] = said.calls.iter().map(call).collect();
    }
    let mut whole = head(asked, "chat.completion");
    whole["choices"] =
        json!([{"index": 0, "message": message, "logprobs": null, "finish_reason": finish(said)}]);
    whole["usage"] = usage(said);
    whole
}

/// What stands at the beginning of an answer and of each piece of one.
pub(crate) fn head(asked: &Asked, object: &str) -> Value {
    json!({
        "id": format!("chatcmpl-{}", asked.n),
        "object": object,
        "created": CREATED,
        "model": asked.outline.model,
        "system_fingerprint": "fp_dormouse",
    })
}

/// Why it stopped, if nothing else is said.
pub(crate) fn finish(said: &Said) -> &str {
    match &said.finish {
        Some(reason) => reason,
        None if said.calls.is_empty() => "stop",
        None => "tool_calls",
    }
}

/// What it spent, with the parts that are documented.
pub(crate) fn usage(said: &Said) -> Value {
    let (input, output) = said.usage.unwrap_or((100, 20));
    json!({
        "prompt_tokens": input,
        "completion_tokens": output,
        "total_tokens": input + output,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    })
}

fn call((id, name, arguments): &(String, String, String)) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

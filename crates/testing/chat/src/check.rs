//! Requests that OpenAI would refuse are refused.

use crate::Reply;
use crate::asked::{Message, Outline};
use crate::strict;

/// Reads a request.
pub(crate) fn outline(bytes: &[u8]) -> Result<Outline, Box<Reply>> {
    let refuse = |message: String, param| Box::new(Reply::bad_request(&message, param));
    let outline: Outline = serde_json::from_slice(bytes).map_err(|error| {
        refuse(format!("We could not parse the JSON body of your request: {error}"), None)
    })?;
    if outline.model.is_empty() {
        return Err(refuse("you must provide a model parameter".to_owned(), Some("model")));
    }
    if outline.messages.is_empty() {
        let message = "Invalid 'messages': empty array. Expected an array with minimum length 1.";
        return Err(refuse(message.to_owned(), Some("messages")));
    }
    if outline.stream_options.is_some() && outline.stream != Some(true) {
        let message = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
        return Err(refuse(message.to_owned(), Some("stream_options")));
    }
    if outline.tool_choice.is_some() && outline.tools.is_empty() {
        let message = "'tool_choice' is only allowed when 'tools' are specified.";
        return Err(refuse(message.to_owned(), Some("tool_choice")));
    }
    tools(&outline).map_err(|message| refuse(message, Some("tools")))?;
    if outline.tools.iter().any(|tool| tool.function.strict) {
        let whole = serde_json::from_slice(bytes).unwrap_or_default();
        strict::tools(&whole).map_err(|message| refuse(message, Some("tools")))?;
    }
    talk(&outline.messages).map_err(|message| refuse(message, Some("messages")))?;
    Ok(outline)
}

fn tools(outline: &Outline) -> Result<(), String> {
    for tool in &outline.tools {
        let name = &tool.function.name;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if tool.kind != "function" || name.is_empty() || name.len() > 64 || !name.bytes().all(plain)
        {
            return Err(format!("Invalid tool {name:?}: string does not match pattern."));
        }
    }
    Ok(())
}

/// What is called has to be answered, at once, and nothing else may be answered.
fn talk(messages: &[Message]) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        let answers = message.role == "tool";
        if !answers && !open.is_empty() {
            return Err(unanswered(&open));
        }
        match message.role.as_str() {
            "system" | "developer" | "user" if message.content.is_some() => {}
            "assistant" if message.content.is_some() || !message.tool_calls.is_empty() => {
                if message.tool_calls.iter().any(|call| call.kind != "function") {
                    return Err("Invalid type of a tool call.".to_owned());
                }
                open = message.tool_calls.iter().map(|call| call.id.as_str()).collect();
            }
            "tool" if message.content.is_some() => {
                let id = message.tool_call_id.as_deref().unwrap_or_default();
                let asked = open.iter().position(|asked| *asked == id).ok_or(
                    "Invalid parameter: messages with role 'tool' must be a response to a preceding \
                     message with 'tool_calls'.",
                )?;
                open.remove(asked);
            }
            role => return Err(format!("Invalid message of role {role:?}.")),
        }
    }
    if open.is_empty() { Ok(()) } else { Err(unanswered(&open)) }
}

fn unanswered(open: &[&str]) -> String {
    format!(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each \
         'tool_call_id'. The following tool_call_ids did not have response messages: {}",
        open.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn accepts(messages: &Value) -> bool {
        let body = json!({"model": "m", "messages": messages});
        outline(&serde_json::to_vec(&body).unwrap()).is_ok()
    }

    #[test]
    fn what_is_called_has_to_be_answered_and_nothing_else_may_be() {
        let user = json!({"role": "user", "content": "hi"});
        let call = |id: &str| {
            let function = json!({"name": "f", "arguments": "{}"});
            json!({"role": "assistant", "content": null,
                   "tool_calls": [{"id": id, "type": "function", "function": function}]})
        };
        let answer = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "ok"});
        assert!(accepts(&json!([user])));
        assert!(accepts(&json!([user, call("a"), answer("a"), user])));
        assert!(!accepts(&json!([])));
        assert!(!accepts(&json!([user, call("a")])));
        assert!(!accepts(&json!([user, call("a"), user, answer("a")])));
        assert!(!accepts(&json!([user, answer("a")])));
        assert!(!accepts(&json!([user, call("a"), answer("b")])));
        assert!(!accepts(&json!([{"role": "wizard", "content": "hi"}])));
        assert!(!accepts(&json!([{"role": "user"}])));
    }
}

//! An answer piece by piece.

use serde_json::{Value, json};

use crate::Asked;
use crate::reply::Said;
use crate::shape::{finish, head, usage};

/// Characters in a piece: about what a token has, so that words and arguments really are cut.
const PIECE_CHARS: usize = 7;

/// Pieces of a text at most: a huge one has longer pieces instead of a hundredfold of wrapping.
const PIECES_MAX: usize = 1_000;

/// All events of the stream, as they go over the wire.
pub(crate) fn events(asked: &Asked, said: &Said) -> String {
    let mut pieces = Pieces { asked, wire: String::new() };
    pieces.delta(&json!({"role": "assistant", "content": "", "refusal": null}));
    for text in cut(said.text.as_deref().unwrap_or_default()) {
        pieces.delta(&json!({ "content": text }));
    }
    for (index, (id, name, arguments)) in said.calls.iter().enumerate() {
        let function = json!({"name": name, "arguments": ""});
        pieces.call(&json!({"index": index, "id": id, "type": "function", "function": function}));
        for text in cut(arguments) {
            pieces.call(&json!({"index": index, "function": {"arguments": text}}));
        }
    }
    if let Some(error) = &said.breaks {
        pieces.event(&error.to_string());
        return pieces.wire;
    }
    pieces.choice(&json!({}), Some(finish(said)));
    if asked.wants_usage() {
        let mut last = head(asked, "chat.completion.chunk");
        last["choices"] = json!([]);
        last["usage"] = usage(said);
        pieces.event(&last.to_string());
    }
    pieces.event("[DONE]");
    pieces.wire
}

struct Pieces<'a> {
    asked: &'a Asked,
    wire: String,
}

impl Pieces<'_> {
    fn delta(&mut self, delta: &Value) {
        self.choice(delta, None);
    }

    fn call(&mut self, call: &Value) {
        self.choice(&json!({ "tool_calls": [call] }), None);
    }

    fn choice(&mut self, delta: &Value, finish: Option<&str>) {
        let mut piece = head(self.asked, "chat.completion.chunk");
        piece["choices"] =
            json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}]);
        if self.asked.wants_usage() {
            // Documented: all chunks but the last have it, and it is null.
            piece["usage"] = Value::Null;
        }
        self.event(&piece.to_string());
    }

    fn event(&mut self, data: &str) {
        self.wire.push_str("data: ");
        self.wire.push_str(data);
        self.wire.push_str("\n\n");
    }
}

fn cut(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let size = PIECE_CHARS.max(chars.len() / PIECES_MAX);
    chars.chunks(size).map(|piece| piece.iter().collect()).collect()
}

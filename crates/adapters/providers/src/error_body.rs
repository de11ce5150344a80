//! What a provider says of an error.

use serde_json::Value;

/// An error as OpenAI documents it, and as near to it as others come. Whole: what is kept of it is cut where
/// it is known what must not be (`attempt`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ErrorBody {
    pub(crate) message: String,
    pub(crate) kind: String,
    pub(crate) code: String,
}

impl ErrorBody {
    /// Reads the body of an answer; what cannot be read is empty.
    pub(crate) fn read(bytes: &[u8]) -> ErrorBody {
        let body: Value = serde_json::from_slice(bytes).unwrap_or_default();
        ErrorBody::of(body.get("error").unwrap_or(&body))
    }

    /// From the error itself: an object, or just words.
    pub(crate) fn of(error: &Value) -> ErrorBody {
        let field = |name: &str| match error.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        };
        match error {
            Value::String(text) => ErrorBody { message: text.clone(), ..ErrorBody::default() },
            _ => ErrorBody { message: field("message"), kind: field("type"), code: field("code") },
        }
    }

    /// Whether the prompt did not fit. Servers that are like OpenAI's say it in their own ways.
    pub(crate) fn is_context_length(&self) -> bool {
        self.code == "context_length_exceeded"
            || self.kind == "exceed_context_size_error"
            || self.message.contains("maximum context length")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_error_is_read_as_far_as_it_can_be() {
        let documented =
            json!({"error": {"message": "m", "type": "t", "param": null, "code": "c"}});
        let read = ErrorBody::read(documented.to_string().as_bytes());
        assert_eq!(read, ErrorBody { message: "m".into(), kind: "t".into(), code: "c".into() });
        assert_eq!(ErrorBody::read(br#"{"error": "words"}"#).message, "words");
        assert_eq!(ErrorBody::read(br#"{"message": "bare", "code": 429}"#).code, "429");
        for nothing in ["", "<html>", "[]", "null", "{\"error\": 5}"] {
            assert_eq!(ErrorBody::read(nothing.as_bytes()), ErrorBody::default(), "{nothing}");
        }
    }
}

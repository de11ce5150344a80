//! What a provider says of an error.

use std::borrow::Cow;

use serde_json::Value;

/// An error as OpenAI documents it, and as near to it as others come. Whole: what is kept of it is cut where
/// it is known what must not be (`attempt`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ErrorBody {
    pub(crate) message: String,
    pub(crate) kind: String,
    pub(crate) code: String,
    /// When to come back, where that stands in the body.
    pub(crate) retry_after: Option<String>,
}

/// Where servers put the words of an error, the most telling first.
const WORDS: [&str; 6] = ["message", "msg", "detail", "error", "errors", "error_description"];

/// How deep they are looked for.
const DEPTH_MAX: usize = 6;

/// In what words servers say that a prompt is too long.
const TOO_LONG: [&str; 9] = [
    "context length",
    "context window",
    "contextwindowexceeded",
    "context size",
    "input token count",
    "maximum number of tokens allowed",
    "prompt is too long",
    "maximum prompt length",
    "`inputs` tokens + `max_new_tokens`",
];

impl ErrorBody {
    /// Reads the body of an answer; what cannot be read is empty. Words that are no JSON are taken for the message,
    /// but for pages, which are made for browsers.
    pub(crate) fn read(bytes: &[u8]) -> ErrorBody {
        match serde_json::from_slice::<Value>(bytes) {
            Ok(body) => ErrorBody::of(inner(&body)),
            Err(_) => {
                let text = String::from_utf8_lossy(bytes);
                let is_page = text.trim_start().starts_with(['<', '{', '[']);
                let message = if is_page { String::new() } else { text.trim().to_owned() };
                ErrorBody { message, ..ErrorBody::default() }
            }
        }
    }

    /// From the error itself: an object, or just words.
    pub(crate) fn of(error: &Value) -> ErrorBody {
        let field = |name: &str| match error.get(name) {
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
        let passed_on = error.pointer("/metadata/raw").and_then(|raw| words(raw, 0));
        let message = [words(error, 0), passed_on].into_iter().flatten().collect::<Vec<_>>();
        ErrorBody {
            message: message.join(": "),
            kind: field("type").or_else(|| field("status")).unwrap_or_default(),
            code: field("code").unwrap_or_default(),
            retry_after: retry_after(error),
        }
    }

    /// Whether the prompt did not fit. Servers that are like OpenAI's say it in their own ways.
    pub(crate) fn is_context_length(&self) -> bool {
        let says = self.message.to_lowercase();
        self.code == "context_length_exceeded"
            || self.kind == "exceed_context_size_error"
            || TOO_LONG.iter().any(|words| says.contains(words))
    }
}

/// The error in a body: most have a field for it, some send a list of one.
fn inner(body: &Value) -> &Value {
    let first = body.get(0).unwrap_or(body);
    first.get("error").unwrap_or(first)
}

/// The first words in an error, where words are looked for and nowhere else: some servers repeat beside them what
/// they were sent.
fn words(error: &Value, depth: usize) -> Option<String> {
    match error {
        Value::String(text) => {
            // Some pass on as a text what somebody else told them.
            let passed_on = || serde_json::from_str::<Value>(text).ok().filter(Value::is_object);
            let deeper = passed_on().filter(|_| depth < DEPTH_MAX);
            let told = deeper.and_then(|error| words(&error, depth + 1));
            told.or_else(|| Some(text.clone())).filter(|text| !text.is_empty())
        }
        _ if depth >= DEPTH_MAX => None,
        Value::Array(errors) => words(errors.first()?, depth + 1),
        Value::Object(fields) => {
            let mut told = WORDS.iter().filter_map(|name| words(fields.get(*name)?, depth + 1));
            let told = told.next()?;
            let place: Vec<Cow<'_, str>> = fields
                .get("loc")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .map(step)
                .collect();
            Some(if place.is_empty() { told } else { format!("{}: {told}", place.join(".")) })
        }
        _ => None,
    }
}

/// One step on the way to a field.
fn step(step: &Value) -> Cow<'_, str> {
    step.as_str().map_or_else(|| step.to_string().into(), Cow::Borrowed)
}

/// As Google says it.
fn retry_after(error: &Value) -> Option<String> {
    let details = error.get("details").and_then(Value::as_array).into_iter().flatten();
    details.filter_map(|detail| detail.get("retryDelay")?.as_str()).next().map(str::to_owned)
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
        let expected = ErrorBody {
            message: "m".into(),
            kind: "t".into(),
            code: "c".into(),
            retry_after: None,
        };
        assert_eq!(read, expected);
        assert_eq!(ErrorBody::read(br#"{"error": "words"}"#).message, "words");
        assert_eq!(ErrorBody::read(br#"{"message": "bare", "code": 429}"#).code, "429");
        for nothing in ["", "<html>", "[]", "null", "{\"error\": 5}"] {
            assert_eq!(ErrorBody::read(nothing.as_bytes()), ErrorBody::default(), "{nothing}");
        }
    }

    #[test]
    fn the_words_of_an_error_are_found_wherever_servers_put_them() {
        let cases = [
            (json!([{"error": {"code": 400, "message": "m", "status": "INVALID_ARGUMENT"}}]), "m"),
            (json!({"detail": "Not Found"}), "Not Found"),
            (
                json!({"detail": [{"loc": ["body", 0, "stream_options"], "msg": "no such field", "input": "hush"}]}),
                "body.0.stream_options: no such field",
            ),
            (json!({"message": {"detail": [{"msg": "m", "input": "hush"}]}}), "m"),
            (json!({"errors": [{"message": "m"}]}), "m"),
            (json!({"error": {"error": {"message": "m"}}}), "m"),
            (json!({"error": "{\"error\": {\"message\": \"m\"}}"}), "m"),
            (
                json!({"error": {"message": "Provider returned error", "metadata": {"raw": "{\"error\":\"full\"}"}}}),
                "Provider returned error: full",
            ),
            (json!({"error": {"input": "hush"}}), ""),
        ];
        for (body, message) in cases {
            assert_eq!(ErrorBody::read(body.to_string().as_bytes()).message, message, "{body}");
        }
        assert_eq!(ErrorBody::read(b"404 page not found\n").message, "404 page not found");
        let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
        assert_eq!(ErrorBody::read(deep.as_bytes()).message, "");
    }

    #[test]
    fn a_prompt_that_is_too_long_is_known_by_the_words_of_many_servers() {
        let says = [
            "This model's maximum context length is 8192 tokens.",
            "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
            "litellm.ContextWindowExceededError: prompt is too long: 210000 tokens > 200000 maximum",
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193.",
            "The number of tokens to keep from the initial prompt is greater than the context length.",
            "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
            "the request exceeds the available context size",
        ];
        for message in says {
            let error = ErrorBody { message: message.to_owned(), ..ErrorBody::default() };
            assert!(error.is_context_length(), "{message}");
        }
        let other = ErrorBody { message: "max_tokens is too large".into(), ..ErrorBody::default() };
        assert!(!other.is_context_length());
    }

    #[test]
    fn when_to_come_back_may_stand_in_the_body() {
        let body = json!([{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure"},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}]}}]);
        let read = ErrorBody::read(body.to_string().as_bytes());
        assert_eq!(
            (read.retry_after.as_deref(), read.kind.as_str()),
            (Some("34s"), "RESOURCE_EXHAUSTED")
        );
    }
}

//! Errors as OpenAI documents them.

use serde_json::json;

use crate::Reply;

impl Reply {
    /// An error.
    #[must_use]
    pub fn error(
        status: u16,
        kind: &str,
        param: Option<&str>,
        code: Option<&str>,
        message: &str,
    ) -> Reply {
        let error = json!({"message": message, "type": kind, "param": param, "code": code});
        Reply::raw(status, "application/json", json!({ "error": error }).to_string())
    }

    /// The request is not what it should be.
    #[must_use]
    pub fn bad_request(message: &str, param: Option<&str>) -> Reply {
        Reply::error(400, "invalid_request_error", param, None, message)
    }

    /// The prompt does not fit.
    #[must_use]
    pub fn context_length_exceeded() -> Reply {
        let message = "This model's maximum context length is 8192 tokens. However, your messages \
                       resulted in 10000 tokens. Please reduce the length of the messages.";
        let code = Some("context_length_exceeded");
        Reply::error(400, "invalid_request_error", Some("messages"), code, message)
    }

    /// The key is wrong. As some servers do, it is repeated.
    #[must_use]
    pub fn bad_key(key: &str) -> Reply {
        let message = format!("Incorrect API key provided: {key}.");
        Reply::error(401, "invalid_request_error", None, Some("invalid_api_key"), &message)
    }

    /// The key may not do this.
    #[must_use]
    pub fn forbidden() -> Reply {
        let message = "Country, region, or territory not supported";
        let code = Some("unsupported_country_region_territory");
        Reply::error(403, "request_forbidden", None, code, message)
    }

    /// There is no such model.
    #[must_use]
    pub fn no_such_model(model: &str) -> Reply {
        let message =
            format!("The model `{model}` does not exist or you do not have access to it.");
        Reply::error(404, "invalid_request_error", None, Some("model_not_found"), &message)
    }

    /// Too many requests, with what the documented headers say of them.
    #[must_use]
    pub fn rate_limited() -> Reply {
        let message = "Rate limit reached for requests. Please try again in 1s.";
        Reply::error(429, "requests", None, Some("rate_limit_exceeded"), message)
            .header("x-ratelimit-limit-requests", "60")
            .header("x-ratelimit-limit-tokens", "150000")
            .header("x-ratelimit-remaining-requests", "0")
            .header("x-ratelimit-remaining-tokens", "149984")
            .header("x-ratelimit-reset-requests", "1s")
            .header("x-ratelimit-reset-tokens", "6m0s")
    }

    /// The server failed.
    #[must_use]
    pub fn server_error() -> Reply {
        let message = "The server had an error while processing your request. Sorry about that!";
        Reply::error(500, "server_error", None, None, message)
    }

    /// The server has too much to do.
    #[must_use]
    pub fn overloaded() -> Reply {
        let message = "The engine is currently overloaded, please try again later";
        Reply::error(503, "server_error", None, None, message)
    }
}

//! What kind of failure an error is.
//!
//! | status | kind |
//! |---|---|
//! | 401, 403 | authentication |
//! | 408 | timeout |
//! | 409, 5xx | server error |
//! | 429 | rate limited |
//! | 413, and 400 or 422 that say so | context length |
//! | other 4xx | bad request |
//! | anything else | invalid response |

use types::ModelFailureKind as Kind;

use crate::error_body::ErrorBody;

/// By the status of an answer.
pub(crate) fn by_status(status: u16, error: &ErrorBody) -> Kind {
    match status {
        401 | 403 => Kind::Authentication,
        408 => Kind::Timeout,
        409 | 500..=599 => Kind::ServerError,
        429 => Kind::RateLimited,
        // Whatever it is that holds no more, only a shorter request helps.
        413 => Kind::ContextLength,
        400 | 422 if error.is_context_length() => Kind::ContextLength,
        400..=499 => Kind::BadRequest,
        _ => Kind::InvalidResponse,
    }
}

/// By what the error says of itself, where there is no status: inside a stream that began well.
pub(crate) fn by_words(error: &ErrorBody) -> Kind {
    if let Ok(status @ 400..=599) = error.code.parse::<u16>() {
        return by_status(status, error);
    }
    if error.is_context_length() {
        return Kind::ContextLength;
    }
    let says = |word: &str| error.code == word || error.kind == word;
    if says("rate_limit_exceeded") || says("rate_limit_error") || says("insufficient_quota") {
        Kind::RateLimited
    } else if says("invalid_api_key") || says("authentication_error") {
        Kind::Authentication
    } else if says("invalid_request_error") {
        Kind::BadRequest
    } else {
        Kind::ServerError
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(kind: &str, code: &str) -> ErrorBody {
        ErrorBody { kind: kind.into(), code: code.into(), ..ErrorBody::default() }
    }

    #[test]
    fn a_status_has_one_kind() {
        let quiet = ErrorBody::default();
        let cases = [
            (401, Kind::Authentication),
            (403, Kind::Authentication),
            (408, Kind::Timeout),
            (409, Kind::ServerError),
            (429, Kind::RateLimited),
            (400, Kind::BadRequest),
            (404, Kind::BadRequest),
            (413, Kind::ContextLength),
            (422, Kind::BadRequest),
            (500, Kind::ServerError),
            (503, Kind::ServerError),
            (529, Kind::ServerError),
            (199, Kind::InvalidResponse),
            (600, Kind::InvalidResponse),
        ];
        for (status, kind) in cases {
            assert_eq!(by_status(status, &quiet), kind, "{status}");
        }
        let long = says("invalid_request_error", "context_length_exceeded");
        assert_eq!(by_status(400, &long), Kind::ContextLength);
        assert_eq!(by_status(500, &long), Kind::ServerError);
    }

    #[test]
    fn an_error_inside_a_stream_is_known_by_its_words() {
        let cases = [
            (says("server_error", ""), Kind::ServerError),
            (says("", ""), Kind::ServerError),
            (says("requests", "rate_limit_exceeded"), Kind::RateLimited),
            (says("invalid_request_error", ""), Kind::BadRequest),
            (says("invalid_request_error", "context_length_exceeded"), Kind::ContextLength),
            (says("invalid_request_error", "invalid_api_key"), Kind::Authentication),
            (says("", "429"), Kind::RateLimited),
            (says("", "502"), Kind::ServerError),
        ];
        for (error, kind) in cases {
            assert_eq!(by_words(&error), kind, "{error:?}");
        }
    }
}

//! From bytes to a request: what both doors have in common.

use api_types::Request;
use types::{Code, Problem};

use crate::limits::REQUEST_BYTES_MAX;

/// Reads the bytes of one request.
pub(crate) fn request(bytes: &[u8]) -> Result<Request, Problem> {
    serde_json::from_slice(bytes).map_err(|error| {
        let hint = "send one JSON object such as {\"call\": \"agent_list\"}; a server that is older \
                    than the command has to be restarted";
        Problem::new(Code::WrongUsage, format!("the request cannot be read: {error}"), hint)
    })
}

/// What is said to a request that is too long to be read.
pub(crate) fn too_large() -> Problem {
    let message = format!("a request has at most {REQUEST_BYTES_MAX} bytes");
    Problem::new(Code::RequestTooLarge, message, "send it in smaller parts; nothing was changed")
}

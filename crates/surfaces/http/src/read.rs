//! From bytes to a request: what both doors have in common.

use api_types::Request;
use types::{Code, Problem};

use crate::limits::{CONNECTIONS_MAX, REQUEST_BYTES_MAX};

/// Reads the bytes of one request.
pub(crate) fn request(bytes: &[u8]) -> Result<Request, Problem> {
    // A list would be taken for fields in their order.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(unreadable(&"it is no JSON object"));
    }
    serde_json::from_slice(bytes).map_err(|error| unreadable(&error))
}

fn unreadable(why: &dyn std::fmt::Display) -> Problem {
    let hint = "send one JSON object such as {\"call\": \"agent_list\"}; a server that is older \
                than the command has to be restarted";
    Problem::new(Code::WrongUsage, format!("the request cannot be read: {why}"), hint)
}

/// What is said to a request that is too long to be read.
pub(crate) fn too_large() -> Problem {
    let message = format!("a request has at most {REQUEST_BYTES_MAX} bytes");
    Problem::new(Code::RequestTooLarge, message, "send it in smaller parts; nothing was changed")
}

/// What is said to a connection that is one too many.
pub(crate) fn no_room() -> Problem {
    let message = format!("{CONNECTIONS_MAX} connections are open, and there is no room for more");
    Problem::new(Code::StoreBusy, message, "close some, then try again; nothing was done")
}

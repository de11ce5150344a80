//! How a call fails.

use serde_json::Value;
use types::{Code, Problem};

/// A typed failure of a tool: for a model by its kind, for people by its message.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Stable, one of the error codes.
    pub kind: Code,
    /// What happened.
    pub message: String,
    /// Safe facts besides, such as the field that is wrong.
    pub details: Option<Value>,
    /// What to do instead.
    pub recovery_hint: Option<String>,
    /// The same call may succeed later.
    pub retryable: bool,
}

impl Failure {
    /// A failure that the same call will have again.
    pub fn of(kind: Code, message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure {
            kind,
            message: message.into(),
            details: None,
            recovery_hint: Some(hint.into()),
            retryable: false,
        }
    }

    /// The same, about one field of the arguments.
    #[must_use]
    pub fn about(self, field: &str) -> Failure {
        Failure { details: Some(serde_json::json!({ "field": field })), ..self }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Failure {
        let Problem { code, message, hint } = problem;
        // What another writer, a full disk or a closing store stopped may go through later.
        let retryable = matches!(
            code,
            Code::Conflict | Code::StoreBusy | Code::StoreClosed | Code::StoreIo | Code::DiskFull
        );
        Failure { retryable, ..Failure::of(code, message, hint) }
    }
}

//! A failure on the wire.

use serde::{Deserialize, Serialize};
use types::Problem;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemReply {
    /// Stable; `docs/errors/` has a page for it.
    pub code: String,
    /// What happened.
    pub message: String,
    /// The way out.
    pub hint: String,
}

impl From<Problem> for ProblemReply {
    fn from(problem: Problem) -> ProblemReply {
        ProblemReply {
            code: problem.code.to_string(),
            message: problem.message,
            hint: problem.hint,
        }
    }
}

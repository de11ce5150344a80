//! The token without which nothing is done.

use types::{AgentId, OperationId};

use crate::{Request, rule};

/// A call that passed every rule. There is no other way to come by one than [`crate::judge`]:
///
/// ```compile_fail
/// let forged = policy::Admitted { tool: String::new(), agent: todo!(), operation: None };
/// ```
///
/// It is never read from anywhere either, so no file and no message can grant anything:
///
/// ```compile_fail
/// fn readable<T: for<'a> serde::Deserialize<'a>>() {}
/// readable::<policy::Admitted>();
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Admitted {
    tool: String,
    agent: AgentId,
    operation: Option<OperationId>,
}

impl Admitted {
    pub(crate) fn to(request: &Request<'_>) -> Admitted {
        Admitted {
            tool: request.terms.tool.to_owned(),
            agent: request.agent.clone(),
            operation: request.operation.filter(|_| request.changes()),
        }
    }

    /// The tool that may be used.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// By whom.
    #[must_use]
    pub fn agent(&self) -> &AgentId {
        &self.agent
    }

    /// The name under which something may be changed; none for a read or a preview.
    #[must_use]
    pub fn operation(&self) -> Option<OperationId> {
        self.operation
    }

    /// The rule that gave the right. The others can only take it away.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        rule::capability::NAME
    }
}

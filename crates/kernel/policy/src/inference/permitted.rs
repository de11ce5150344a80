//! The token without which no model is asked.

use types::{AgentId, Amounts, CategoryId, ModelRef};

use super::Request;

/// A call of a model that passed every rule. There is no other way to come by one than [`super::judge`]:
///
/// ```compile_fail
/// let forged = policy::inference::Permitted { agent: todo!(), model: todo!(), estimate: todo!() };
/// ```
///
/// It is never read from anywhere either, so no file and no message can grant anything:
///
/// ```compile_fail
/// fn readable<T: for<'a> serde::Deserialize<'a>>() {}
/// readable::<policy::inference::Permitted>();
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Permitted {
    agent: AgentId,
    kind: String,
    category: Option<CategoryId>,
    model: ModelRef,
    estimate: Amounts,
}

impl Permitted {
    pub(super) fn to(request: &Request<'_>) -> Permitted {
        Permitted {
            agent: request.agent.clone(),
            kind: request.kind.to_owned(),
            category: request.category.cloned(),
            model: request.model.clone(),
            estimate: request.estimate,
        }
    }

    /// Who may ask.
    #[must_use]
    pub fn agent(&self) -> &AgentId {
        &self.agent
    }

    /// Of which template it is.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The category of what it works on.
    #[must_use]
    pub fn category(&self) -> Option<&CategoryId> {
        self.category.as_ref()
    }

    /// Which model.
    #[must_use]
    pub fn model(&self) -> &ModelRef {
        &self.model
    }

    /// What has to be set aside for it first.
    #[must_use]
    pub fn estimate(&self) -> Amounts {
        self.estimate
    }
}

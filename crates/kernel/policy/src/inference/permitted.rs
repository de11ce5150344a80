//! The token without which no model is asked.

use types::{AgentId, Amounts, ModelRef};

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
    model: ModelRef,
    estimate: Amounts,
}

impl Permitted {
    pub(super) fn to(request: &Request<'_>) -> Permitted {
        Permitted {
            agent: request.agent.clone(),
            model: request.model.clone(),
            estimate: request.estimate,
        }
    }

    /// Who may ask.
    #[must_use]
    pub fn agent(&self) -> &AgentId {
        &self.agent
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

//! What is asked.

use types::{AgentId, Amounts, CategoryId, ModelRef};

/// A call of a model, as far as the gate has to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<'a> {
    /// For whom.
    pub agent: &'a AgentId,
    /// Of which template the agent is.
    pub kind: &'a str,
    /// The category of what it works on; absent if that lies in none, or in several.
    pub category: Option<&'a CategoryId>,
    /// Which model.
    pub model: &'a ModelRef,
    /// What it may spend at most.
    pub estimate: Amounts,
}

//! Subscriptions: what an agent wakes for.

use serde::{Deserialize, Serialize};

use crate::{AgentId, Invalid, Token, limits};

/// An agent's wish to be woken when a change carries one of these tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subscription {
    /// Who wants to know.
    pub agent_id: AgentId,
    /// Whether it listens at present.
    pub active: bool,
    /// What it listens for; any one of them is enough.
    pub tokens: Vec<Token>,
}

impl Subscription {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        if self.tokens.is_empty() {
            return Err(Invalid::new("tokens", "is empty: it could never wake anybody"));
        }
        let max = limits::SUBSCRIPTION_TOKENS_MAX;
        Invalid::unless_within("tokens", self.tokens.len(), max, "tokens")
    }
}

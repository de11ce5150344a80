//! Subscriptions: what an agent wakes for.

use serde::{Deserialize, Serialize};

use crate::{AgentId, Invalid, ScheduleId, SubscriptionId, Token, limits};

/// How a property is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compare {
    /// The same.
    Equal,
    /// Another one, or none.
    NotEqual,
    /// Not above, in the order of the property's texts.
    AtMost,
    /// Not below, in the order of the property's texts.
    AtLeast,
}

/// One condition on a record's property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Which property, such as `category`.
    pub property: String,
    /// How it is compared.
    pub compare: Compare,
    /// With what.
    pub value: String,
}

/// What must hold of a record, before or after the change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predicate {
    /// Of which kind, by semantic key, such as `TASK`.
    pub kind: String,
    /// All of these.
    pub all: Vec<Condition>,
}

/// A subscription that listens for a token.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listener {
    /// Which subscription.
    pub subscription: SubscriptionId,
    /// Whose.
    pub agent: AgentId,
    /// Whether the token alone decides; otherwise the subscription has to be asked.
    pub plain: bool,
}

/// An agent's wish to be woken when a change carries one of these tokens and meets the predicate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subscription {
    /// Who wants to know.
    pub agent_id: AgentId,
    /// Whether it listens at present.
    pub active: bool,
    /// What it listens for; any one of them is enough.
    pub tokens: Vec<Token>,
    /// What must hold besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicate: Option<Predicate>,
    /// The schedule that a match brings round, instead of waking the agent by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleId>,
}

impl Subscription {
    /// A wish without a predicate.
    #[must_use]
    pub fn to(agent_id: AgentId, tokens: Vec<Token>) -> Subscription {
        Subscription { agent_id, active: true, tokens, predicate: None, schedule: None }
    }

    pub(crate) fn check(&self) -> Result<(), Invalid> {
        if self.tokens.is_empty() {
            return Err(Invalid::new("tokens", "is empty: it could never wake anybody"));
        }
        let max = limits::SUBSCRIPTION_TOKENS_MAX;
        Invalid::unless_within("tokens", self.tokens.len(), max, "tokens")?;
        let conditions = self.predicate.as_ref().map_or(0, |predicate| predicate.all.len());
        Invalid::unless_within("predicate", conditions, limits::CONDITIONS_MAX, "conditions")
    }
}

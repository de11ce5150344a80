//! Budgets: what an agent may spend in a day, what it has spent, and what it has set aside.

use serde::{Deserialize, Serialize};

/// What can be spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Amounts {
    /// Tokens, sent and received.
    pub tokens: u64,
    /// Money, in millionths of the currency of the price table.
    pub cost_micros: u64,
    /// Calls of tools.
    pub tool_calls: u64,
    /// Milliseconds at work.
    pub runtime_ms: u64,
}

impl Amounts {
    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Amounts) -> Amounts {
        Amounts {
            tokens: self.tokens.saturating_add(other.tokens),
            cost_micros: self.cost_micros.saturating_add(other.cost_micros),
            tool_calls: self.tool_calls.saturating_add(other.tool_calls),
            runtime_ms: self.runtime_ms.saturating_add(other.runtime_ms),
        }
    }

    /// What is left of it without the other.
    #[must_use]
    pub const fn less(self, other: Amounts) -> Amounts {
        Amounts {
            tokens: self.tokens.saturating_sub(other.tokens),
            cost_micros: self.cost_micros.saturating_sub(other.cost_micros),
            tool_calls: self.tool_calls.saturating_sub(other.tool_calls),
            runtime_ms: self.runtime_ms.saturating_sub(other.runtime_ms),
        }
    }
}

/// What an agent may spend in a day; absent means as much as it likes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BudgetLimits {
    /// Tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Money.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
    /// Calls of tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<u64>,
    /// Milliseconds at work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime_ms: Option<u64>,
}

impl BudgetLimits {
    /// Both: of each limit the tighter one.
    #[must_use]
    pub fn and(self, other: BudgetLimits) -> BudgetLimits {
        let tighter = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        BudgetLimits {
            tokens: tighter(self.tokens, other.tokens),
            cost_micros: tighter(self.cost_micros, other.cost_micros),
            tool_calls: tighter(self.tool_calls, other.tool_calls),
            runtime_ms: tighter(self.runtime_ms, other.runtime_ms),
        }
    }

    /// The first of them that so much would go beyond.
    #[must_use]
    pub fn exceeded_by(&self, all: &Amounts) -> Option<&'static str> {
        let beyond = |limit: Option<u64>, had: u64| limit.is_some_and(|limit| had > limit);
        [
            ("tokens", beyond(self.tokens, all.tokens)),
            ("cost", beyond(self.cost_micros, all.cost_micros)),
            ("tool_calls", beyond(self.tool_calls, all.tool_calls)),
            ("runtime", beyond(self.runtime_ms, all.runtime_ms)),
        ]
        .into_iter()
        .find_map(|(name, beyond)| beyond.then_some(name))
    }
}

/// What an agent has of a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Account {
    /// What it has spent.
    pub spent: Amounts,
    /// What runs that are under way have set aside.
    pub reserved: Amounts,
}

impl Account {
    /// All of it, and so much more.
    #[must_use]
    pub const fn with(self, more: Amounts) -> Amounts {
        self.spent.plus(self.reserved).plus(more)
    }
}

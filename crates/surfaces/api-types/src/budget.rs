//! What an agent may still spend.

use serde::{Deserialize, Serialize};
use types::Day;

/// What an agent has of the budgets of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetReply {
    /// The day; it ends where the agent's person is.
    pub day: Day,
    /// Tokens, sent and received.
    pub tokens: AllowanceReply,
    /// Money, in millionths of the currency of the price table.
    pub cost_micros: AllowanceReply,
    /// Calls of tools.
    pub tool_calls: AllowanceReply,
    /// Milliseconds at work.
    pub runtime_ms: AllowanceReply,
}

/// What is gone of one budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowanceReply {
    /// What was spent.
    pub spent: u64,
    /// What runs that are not over have set aside.
    pub set_aside: u64,
    /// What may be spent; absent if that is not limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
}

//! Which records are listed by their owner, and in which order.

use types::BodyType;

/// Whether records of a kind are found by their owner. What an agent was told, and its turns, are found by
/// their runs: an index of them would be as long as the agent's life, and nobody asks it.
#[must_use]
pub fn is_listed(kind: BodyType) -> bool {
    !matches!(kind, BodyType::AgentEnvelope | BodyType::AgentTurn)
}

/// Whether the newest record of a kind is the one that was made last by the clock. Messages go by the order
/// in which they were written, whatever the clock said.
#[must_use]
pub fn goes_by_clock(kind: BodyType) -> bool {
    kind != BodyType::AgentMessage
}

//! How full a session's window is.

use std::sync::Arc;

use types::{AgentIdentity, ContextWindow, Session, TokenUsage};

/// How many tokens a session with an agent holds.
pub type Capacity = Arc<dyn Fn(&AgentIdentity) -> u64 + Send + Sync>;

/// Whether an answer stays within the room of its session, by the model's own count. One that does not is
/// not recorded.
#[must_use]
pub const fn fits(token_capacity: u64, usage: &TokenUsage) -> bool {
    usage.total_tokens <= token_capacity
}

/// The window of a session, by the last answer that was recorded in it: what it was asked with, and what
/// it said.
#[must_use]
pub fn window(session: &Session, last: Option<&TokenUsage>) -> ContextWindow {
    let tokens_used = last.map_or(0, |usage| usage.total_tokens);
    ContextWindow { token_capacity: session.token_capacity, tokens_used }
}

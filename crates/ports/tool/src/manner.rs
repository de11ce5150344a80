//! How calls of a tool are carried out.

use types::limits;

/// How calls of a tool are carried out beside others, how often each is tried, and how long it is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// It goes beside no other call of the same answer: what it touches cannot be told from what it
    /// writes and rests on.
    pub alone: bool,
    /// How often it is tried at most, the first time included, if what it rests on has moved: each time
    /// it is planned and judged anew. At least once.
    pub tries: u32,
    /// Milliseconds that it may take to plan a call, each time it does. Who takes longer is given up, which is safe
    /// since nobody who plans has done anything. A tool that waits for something, such as the network, says how long
    /// here; it has to wait without holding its thread, or nobody can give it up.
    pub limit_ms: u64,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { alone: false, tries: 4, limit_ms: limits::TOOL_PLAN_MS }
    }
}

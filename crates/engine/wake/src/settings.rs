//! How waking is set up.

use rules::facts::Minds;
use rules::trim::Keep;
use types::SchedulerPolicy;

/// How long changes are left to gather before they are matched. It delays, it never merges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Debounce {
    /// Milliseconds for changes made here.
    pub local_ms: i64,
    /// Milliseconds for changes from other hosts, which tend to come in bursts.
    pub sync_ms: i64,
}

impl Debounce {
    /// What a running Dormouse does.
    pub const USUAL: Debounce = Debounce { local_ms: 100, sync_ms: 1_000 };

    /// For a command that ends when it is done: nobody would be there later.
    pub const NONE: Debounce = Debounce { local_ms: 0, sync_ms: 0 };
}

/// How waking is set up.
#[derive(Clone)]
pub struct Settings {
    /// How many run at once, and how often one agent may.
    pub policy: SchedulerPolicy,
    /// How long changes gather.
    pub debounce: Debounce,
    /// What each agent's template counts as relevant.
    pub relevance: Minds,
    /// What of the logs is kept.
    pub keep: Keep,
}

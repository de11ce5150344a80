//! The scheduler's policy: how many run at once, and how often one agent may.

use serde::{Deserialize, Serialize};

/// Who runs now is decided within these limits. Tests and benchmarks raise them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SchedulerPolicy {
    /// Version of these rules.
    pub policy_version: u32,
    /// Runs at once, over all agents. Sleeping agents take none.
    pub global_max_concurrent_runs: usize,
    /// Wakes of its own that one agent may have in any hour.
    pub per_agent_wake_rate_per_hour: usize,
    /// Milliseconds between the beginnings of two wakes of one agent's own.
    pub cooldown_ms: i64,
    /// How often a failing run is tried.
    pub attempts_max: u32,
    /// How often a run is taken up again whose process went away: more often, because it is hardly ever
    /// the run's fault, and what somebody said is not dropped for a machine that has a bad day.
    pub interruptions_max: u32,
    /// Unread envelopes of one agent.
    pub mailbox_max: usize,
}

impl SchedulerPolicy {
    /// What holds unless somebody says otherwise.
    pub const DEFAULT: SchedulerPolicy = SchedulerPolicy {
        policy_version: 1,
        global_max_concurrent_runs: 8,
        per_agent_wake_rate_per_hour: 60,
        cooldown_ms: 2_000,
        attempts_max: 5,
        interruptions_max: 20,
        mailbox_max: 256,
    };

    /// For benchmarks: nobody is ever told to wait.
    pub const UNTHROTTLED: SchedulerPolicy = SchedulerPolicy {
        global_max_concurrent_runs: 64,
        per_agent_wake_rate_per_hour: usize::MAX,
        cooldown_ms: 0,
        mailbox_max: usize::MAX,
        ..SchedulerPolicy::DEFAULT
    };
}

impl Default for SchedulerPolicy {
    fn default() -> SchedulerPolicy {
        SchedulerPolicy::DEFAULT
    }
}

//! Schedules: when an agent wakes by the clock, and what became of every occurrence.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{AgentId, At, Invalid, RunKey, ScheduleId, Token, limits};

/// When a schedule comes round, in words and as a rule. At least one of the two rules is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recurrence {
    /// What people call it, such as "every morning".
    pub label: String,
    /// Five fields: minute, hour, day of month, month, day of week.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cron: Option<String>,
    /// Seconds between two slots, by the real clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval_seconds: Option<u64>,
}

/// What makes a schedule come round: exactly one of three things.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "on", rename_all = "snake_case", deny_unknown_fields)]
pub enum ScheduleTrigger {
    /// Wall-clock time, by the pattern's cron line.
    Cron,
    /// Elapsed time, by the pattern's interval.
    Interval,
    /// A change that carries one of these tokens; the pattern makes nothing due.
    Event {
        /// What it listens for.
        tokens: Vec<Token>,
    },
}

/// What a schedule does when it comes round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum ScheduleAction {
    /// Wakes its agent.
    Wake,
}

/// Where a schedule stands; `rules::schedule::step` says what follows what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleStatus {
    /// It comes round.
    Active,
    /// Kept, but it does not come round until it is resumed.
    Paused,
    /// Its pattern has nothing more to come.
    Expired,
    /// Over.
    Disabled,
}

impl ScheduleStatus {
    /// The status as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ScheduleStatus::Active => "active",
            ScheduleStatus::Paused => "paused",
            ScheduleStatus::Expired => "expired",
            ScheduleStatus::Disabled => "disabled",
        }
    }
}

/// What happens when a slot comes while the last occurrence has not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overlap {
    /// A second one is queued; single flight orders them.
    Allow,
    /// The new one is skipped.
    Forbid,
    /// The old one counts as skipped, the new one takes its place.
    Replace,
}

/// What happens to slots that passed while nobody was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatchUp {
    /// Whether they are made up for at all.
    pub allowed: bool,
    /// None older than this; absent means that age does not matter.
    pub window_seconds: Option<u64>,
    /// At most this many at once; the newest ones.
    pub runs_max: u32,
}

impl CatchUp {
    /// Missed slots are recorded and not made up for.
    pub const NEVER: CatchUp =
        CatchUp { allowed: false, window_seconds: Some(86_400), runs_max: 1 };

    /// All missed slots are made up for by one wake, however old: what a plain timer does.
    pub const ONCE: CatchUp = CatchUp { allowed: true, window_seconds: None, runs_max: 1 };
}

/// A schedule of an agent. Its slots have an identity of their own, so the same slot never runs
/// twice, on whatever host and after whatever jump of the clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Whose.
    pub agent_id: AgentId,
    /// When it comes round.
    pub recurrence: Recurrence,
    /// What makes it come round.
    pub trigger: ScheduleTrigger,
    /// What it does then.
    pub action: ScheduleAction,
    /// The zone of its wall clock: an IANA name, or `local` for the home host's own.
    pub zone: String,
    /// Where it stands.
    pub status: ScheduleStatus,
    /// What happens when it comes round too soon.
    pub overlap: Overlap,
    /// What happens to what was missed.
    pub catch_up: CatchUp,
    /// Ends after its first occurrence: a one-shot.
    pub auto_disable_after_run: bool,
    /// Wakes its agent even if nothing relevant changed.
    pub always: bool,
    /// When it was made, by the clock of then: no slot before this, and intervals count from here.
    pub starts_at: At,
    /// No slot after this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<At>,
}

impl Schedule {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        let Recurrence { label, cron, interval_seconds } = &self.recurrence;
        Invalid::unless_text("recurrence.label", label, limits::NAME_BYTES_MAX)?;
        if cron.is_none() && interval_seconds.is_none() {
            return Err(Invalid::new("recurrence", "has neither a cron line nor an interval"));
        }
        if *interval_seconds == Some(0) {
            return Err(Invalid::new("recurrence.interval_seconds", "is not above 0"));
        }
        let fits = match &self.trigger {
            ScheduleTrigger::Cron => cron.is_some(),
            ScheduleTrigger::Interval => interval_seconds.is_some(),
            ScheduleTrigger::Event { tokens } => !tokens.is_empty(),
        };
        if !fits {
            return Err(Invalid::new("trigger", "has nothing in the recurrence to go by"));
        }
        if self.catch_up.runs_max == 0 || self.catch_up.window_seconds == Some(0) {
            return Err(Invalid::new("catch_up", "has a limit that is not above 0"));
        }
        Ok(())
    }
}

/// The identity of one slot of a schedule: for a cron line the civil time in its zone, for an
/// interval the instant, for an event the change. As text, it sorts in the order of time within
/// one kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SlotName(String);

impl SlotName {
    /// Takes a name; made by `rules::schedule`, or read from a record.
    #[must_use]
    pub fn named(text: String) -> SlotName {
        SlotName(text)
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SlotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where a schedule's clock stands, on this host: what has been dealt with, and what comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arming {
    /// Which schedule.
    pub schedule: ScheduleId,
    /// Whose.
    pub agent: AgentId,
    /// The last slot that was dealt with, in whatever way.
    pub last_slot: Option<SlotName>,
    /// When to look at it again; absent means that time alone never makes it due.
    pub next_at: Option<At>,
    /// The host's zone in which that was reckoned, for a schedule that goes by it.
    pub local_zone: Option<String>,
}

/// What brought an occurrence about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerSource {
    /// A cron line.
    CronTick,
    /// An interval.
    IntervalTick,
    /// A change.
    Event,
    /// Somebody asked for it now.
    Manual,
}

impl TriggerSource {
    /// Every source.
    pub const ALL: [TriggerSource; 4] = [
        TriggerSource::CronTick,
        TriggerSource::IntervalTick,
        TriggerSource::Event,
        TriggerSource::Manual,
    ];

    /// The source as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TriggerSource::CronTick => "cron_tick",
            TriggerSource::IntervalTick => "interval_tick",
            TriggerSource::Event => "event",
            TriggerSource::Manual => "manual",
        }
    }
}

/// Why an occurrence did not run although it was due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// The one before had not ended.
    ConcurrencyForbid,
    /// A newer one took its place.
    ConcurrencyReplace,
    /// The agent slept behind a barrier; a later tick looks again.
    Sleeping,
    /// The agent was gone.
    Destroyed,
}

impl SkipReason {
    /// Every reason.
    pub const ALL: [SkipReason; 4] = [
        SkipReason::ConcurrencyForbid,
        SkipReason::ConcurrencyReplace,
        SkipReason::Sleeping,
        SkipReason::Destroyed,
    ];

    /// The reason as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            SkipReason::ConcurrencyForbid => "concurrency_forbid",
            SkipReason::ConcurrencyReplace => "concurrency_replace",
            SkipReason::Sleeping => "sleeping",
            SkipReason::Destroyed => "destroyed",
        }
    }
}

/// What the overlap policy said to an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConcurrencyDecision {
    /// Go, although another had not ended.
    Allow,
    /// Do not go.
    ForbidSkipped,
    /// Go in the other's place.
    ReplaceExisting,
}

impl ConcurrencyDecision {
    /// Every decision.
    pub const ALL: [ConcurrencyDecision; 3] = [
        ConcurrencyDecision::Allow,
        ConcurrencyDecision::ForbidSkipped,
        ConcurrencyDecision::ReplaceExisting,
    ];

    /// The decision as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ConcurrencyDecision::Allow => "allow",
            ConcurrencyDecision::ForbidSkipped => "forbid_skipped",
            ConcurrencyDecision::ReplaceExisting => "replace_existing",
        }
    }
}

/// What became of an occurrence: it ran, was skipped by policy, or was missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OccurrenceState {
    /// Its run has not ended.
    InFlight,
    /// Its run came to a good end.
    Succeeded,
    /// Its run failed for good.
    Failed,
    /// Policy said no.
    Skipped(SkipReason),
    /// Nobody was there at its time, and it was not made up for.
    Missed,
}

impl OccurrenceState {
    /// The state as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            OccurrenceState::InFlight => "in_flight",
            OccurrenceState::Succeeded => "succeeded",
            OccurrenceState::Failed => "failed",
            OccurrenceState::Skipped(_) => "skipped",
            OccurrenceState::Missed => "missed",
        }
    }
}

/// What became of a slot, or of consecutive missed slots together. Kept once per schedule and last
/// slot: the same slot is never recorded, nor run, twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// Of which schedule.
    pub schedule: ScheduleId,
    /// The first slot that it covers.
    pub first_slot: SlotName,
    /// The last slot that it covers; its identity.
    pub last_slot: SlotName,
    /// How many slots it covers.
    pub count: u64,
    /// When the last of them was due.
    pub due_at: At,
    /// What brought it about.
    pub source: TriggerSource,
    /// What the overlap policy said, if it was asked.
    pub decision: Option<ConcurrencyDecision>,
    /// The run that it queued.
    pub run_key: Option<RunKey>,
    /// What became of it.
    pub state: OccurrenceState,
    /// When it was recorded.
    pub started_at: At,
    /// When it ended.
    pub ended_at: Option<At>,
}

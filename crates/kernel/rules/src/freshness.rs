//! Whether a report can still be relied on: not too old for what it is about, and nothing newer known.

use types::{AgentId, At, ChangeRecord, Report, ReportScope, Subscription};

use crate::facts::Relevance;
use crate::matching;

const HOUR_MS: i64 = 60 * 60 * 1_000;

/// Why a report is out of date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It is older than a report of its scope may be.
    TooOld,
    /// Something that is relevant to its agent was changed after what it rests on was looked at.
    NewerChanges,
}

impl Reason {
    /// The reason as it is shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::TooOld => "too_old",
            Reason::NewerChanges => "newer_changes",
        }
    }
}

/// How a report stands against now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Freshness {
    /// Why it is out of date; nothing if it is not.
    pub reasons: Vec<Reason>,
    /// How many newer changes were found.
    pub newer_changes: usize,
    /// There are more than were looked at.
    pub more: bool,
}

impl Freshness {
    /// Whether it is out of date.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        !self.reasons.is_empty()
    }
}

/// How old a report of a scope may be, in milliseconds: its stretch of time and a little more.
#[must_use]
pub const fn age_max_ms(scope: ReportScope) -> i64 {
    let hours = match scope {
        ReportScope::Current => 7 * 24,
        ReportScope::Daily => 36,
        ReportScope::Weekly => 9 * 24,
        ReportScope::Monthly => 40 * 24,
    };
    hours * HOUR_MS
}

/// Judges a report by its age and by how many newer changes were found. A clock that was set back makes
/// nothing old.
#[must_use]
pub fn judge(report: &Report, now: At, newer_changes: usize, more: bool) -> Freshness {
    let age = now.millis().saturating_sub(report.written_at.millis());
    let too_old = (age > age_max_ms(report.scope)).then_some(Reason::TooOld);
    let newer = (newer_changes > 0).then_some(Reason::NewerChanges);
    Freshness { reasons: too_old.into_iter().chain(newer).collect(), newer_changes, more }
}

/// How many of the changes are news to its agent: it wants to hear of them, and they are relevant to it. What it did
/// itself it knows.
#[must_use]
pub fn newer(
    agent: &AgentId,
    relevance: &Relevance,
    subscriptions: &[Subscription],
    changes: &[ChangeRecord],
) -> usize {
    let wanted = |change: &&ChangeRecord| {
        change.author.agent() != Some(agent)
            && relevance.heeds(change)
            && subscriptions.iter().any(|wish| matching::hears(wish, change))
    };
    changes.iter().filter(wanted).count()
}

#[cfg(test)]
#[path = "freshness_tests.rs"]
mod tests;

//! Tools: the closed words of their contracts, and how often they may be called.

use serde::{Deserialize, Serialize};

use crate::FenceScope;

/// A right that an agent's profile may hold. The list is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Capability {
    /// See which categories there are.
    CategoryRead,
    /// Read tasks.
    TaskRead,
    /// Change tasks.
    TaskWrite,
    /// Change checklists.
    ChecklistWrite,
    /// Record time.
    TimeWrite,
    /// Read day plans.
    DayPlanRead,
    /// Change day plans.
    DayPlanWrite,
    /// Read ratings.
    RatingRead,
    /// Change ratings.
    RatingWrite,
    /// Write the agent's own report.
    ReportWrite,
    /// Write the agent's own notes.
    ObservationWrite,
}

impl Capability {
    /// Every capability.
    pub const ALL: [Capability; 11] = [
        Capability::CategoryRead,
        Capability::TaskRead,
        Capability::TaskWrite,
        Capability::ChecklistWrite,
        Capability::TimeWrite,
        Capability::DayPlanRead,
        Capability::DayPlanWrite,
        Capability::RatingRead,
        Capability::RatingWrite,
        Capability::ReportWrite,
        Capability::ObservationWrite,
    ];

    /// The capability that is written so.
    #[must_use]
    pub fn named(name: &str) -> Option<Capability> {
        Capability::ALL.into_iter().find(|one| one.as_str() == name)
    }

    /// The fence around all tools that need it.
    #[must_use]
    pub fn fence(self) -> FenceScope {
        FenceScope::ToolClass(self.as_str().to_owned())
    }

    /// The capability as it is written and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Capability::CategoryRead => "categoryRead",
            Capability::TaskRead => "taskRead",
            Capability::TaskWrite => "taskWrite",
            Capability::ChecklistWrite => "checklistWrite",
            Capability::TimeWrite => "timeWrite",
            Capability::DayPlanRead => "dayPlanRead",
            Capability::DayPlanWrite => "dayPlanWrite",
            Capability::RatingRead => "ratingRead",
            Capability::RatingWrite => "ratingWrite",
            Capability::ReportWrite => "reportWrite",
            Capability::ObservationWrite => "observationWrite",
        }
    }
}

/// How much can go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// It reads, or changes one small thing that can be put back.
    Low,
    /// It makes or changes something people see at once.
    Medium,
    /// It closes, moves or changes many things: it offers a preview.
    High,
}

/// What makes two calls the same call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Idempotency {
    /// It changes nothing.
    ReadOnly,
    /// The operation id: the same again answers with the first result.
    OperationId,
}

/// How a tool keeps to the caller's categories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScopeRule {
    /// Its answer holds only what lies in the caller's categories.
    ResultsFiltered,
    /// Everything it touches lies in the caller's categories, where it was and where it goes.
    TargetsInScope,
    /// It writes the caller's own records and nothing of the journal.
    OwnRecords,
}

/// How often an agent may call a tool. Absent means as often as it likes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Quota {
    /// In one session, which is a thread.
    pub max_per_session: Option<u32>,
    /// In one day, which opens at the first counted call and closes 24 hours later.
    pub max_per_day: Option<u32>,
}

impl Quota {
    /// Whether so many calls more, in the session and in the day, are within it. What takes nothing is
    /// within any quota, also one that was lowered meanwhile.
    #[must_use]
    pub fn admits(&self, counts: &ToolCounts, session: u32, day: u32) -> bool {
        let within = |max: Option<u32>, had: u32, more: u32| {
            more == 0 || max.is_none_or(|max| had.saturating_add(more) <= max)
        };
        within(self.max_per_session, counts.session, session)
            && within(self.max_per_day, counts.day, day)
    }
}

/// How often an agent has called a tool, as far as a quota counts it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ToolCounts {
    /// In the session.
    pub session: u32,
    /// In the day that is open; zero if none is.
    pub day: u32,
    /// The call that was asked about is among them already.
    pub counted: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_refuses_what_comes_on_top_and_nothing_else() {
        let quota = Quota { max_per_session: Some(3), max_per_day: Some(5) };
        let counts = |session, day| ToolCounts { session, day, counted: false };
        assert!(quota.admits(&counts(2, 4), 1, 1));
        assert!(!quota.admits(&counts(2, 4), 2, 1), "session");
        assert!(!quota.admits(&counts(0, 5), 1, 1), "day");
        assert!(quota.admits(&counts(9, 9), 0, 0), "what takes nothing");
        assert!(Quota::default().admits(&counts(u32::MAX, u32::MAX), 1, 1));
        let none = Quota { max_per_session: Some(0), ..Quota::default() };
        assert!(!none.admits(&counts(0, 0), 1, 1));
    }

    #[test]
    fn the_capabilities_are_nine_over_the_journal_two_over_the_agents_own_and_no_others() {
        let names: Vec<&str> = Capability::ALL.iter().map(|right| right.as_str()).collect();
        assert_eq!(
            names,
            [
                "categoryRead",
                "taskRead",
                "taskWrite",
                "checklistWrite",
                "timeWrite",
                "dayPlanRead",
                "dayPlanWrite",
                "ratingRead",
                "ratingWrite",
                "reportWrite",
                "observationWrite",
            ]
        );
        for right in Capability::ALL {
            let json = serde_json::to_string(&right).unwrap();
            assert_eq!(json, format!("\"{}\"", right.as_str()));
        }
        assert!(serde_json::from_str::<Capability>("\"hostAccess\"").is_err());
    }
}

//! Day plans.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{At, BlockId, CategoryId, Day, Invalid, PlanId, TaskId, limits};

/// A stretch of a day that is meant for something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanBlock {
    /// Its id within the plan.
    pub id: BlockId,
    /// For which part of life; also who may see it.
    pub category_id: CategoryId,
    /// From when.
    pub starts_at: At,
    /// Until when.
    pub ends_at: At,
    /// What for.
    #[serde(default)]
    pub note: String,
    /// The task it is meant for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
}

/// The plan of one day. There is one per day, on every host the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DayPlan {
    /// Which day.
    pub day: Day,
    /// What its hours are meant for, by their start.
    #[serde(default)]
    pub blocks: Vec<PlanBlock>,
    /// What is to be done whatever the hour.
    #[serde(default)]
    pub pinned: Vec<TaskId>,
    /// When the day was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<At>,
    /// What there is to say about it.
    #[serde(default)]
    pub note: String,
}

impl DayPlan {
    /// The plan of a day on which nothing is planned.
    #[must_use]
    pub fn empty(day: Day) -> DayPlan {
        DayPlan { day, blocks: vec![], pinned: vec![], closed_at: None, note: String::new() }
    }

    /// The id of a day's plan.
    #[must_use]
    pub fn id(day: Day) -> PlanId {
        format!("plan_{day}").parse().expect("a day's text is a good id")
    }

    pub(crate) fn check(&self) -> Result<(), Invalid> {
        Invalid::unless_within("blocks", self.blocks.len(), limits::PLAN_BLOCKS_MAX, "blocks")?;
        Invalid::unless_within("pinned", self.pinned.len(), limits::PLAN_PINS_MAX, "tasks")?;
        Invalid::unless_within("note", self.note.len(), limits::NOTE_BYTES_MAX, "bytes")?;
        let ids: BTreeSet<&BlockId> = self.blocks.iter().map(|block| &block.id).collect();
        if ids.len() < self.blocks.len() {
            return Err(Invalid::new("blocks", "hold the same id twice"));
        }
        let pinned: BTreeSet<&TaskId> = self.pinned.iter().collect();
        if pinned.len() < self.pinned.len() {
            return Err(Invalid::new("pinned", "names the same task twice"));
        }
        self.blocks.iter().try_for_each(PlanBlock::check)
    }
}

impl PlanBlock {
    fn check(&self) -> Result<(), Invalid> {
        if self.ends_at <= self.starts_at {
            return Err(Invalid::new("ends_at", "is not after the start"));
        }
        let length = self.ends_at.millis() - self.starts_at.millis();
        if length > limits::PLAN_BLOCK_MS_MAX {
            return Err(Invalid::new("ends_at", "is more than a day after the start"));
        }
        Invalid::unless_within("note", self.note.len(), limits::NOTE_BYTES_MAX, "bytes")
    }
}

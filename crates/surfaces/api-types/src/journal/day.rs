//! A day, as it is shown.

use serde::{Deserialize, Serialize};
use types::{At, Day};

use super::{RatingReply, TaskReply, TimeReply, TimeSheetReply};

/// A day with all that belongs to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DayReply {
    /// Which day.
    pub day: Day,
    /// The day as one speaks of it: `today`, `Fri 20 Nov`.
    pub name: String,
    /// What the clock shows, if it is this day.
    pub now: Option<String>,
    /// What its hours are meant for, by their start.
    pub blocks: Vec<BlockReply>,
    /// What is to be done whatever the hour.
    pub pinned: Vec<PinReply>,
    /// Open tasks that are due on it, at most 100.
    pub due: Vec<TaskReply>,
    /// Open tasks that were due before it, longest first, at most 100; of today only.
    pub overdue: Vec<TaskReply>,
    /// Tasks that were closed on it, at most 100.
    pub closed: Vec<TaskReply>,
    /// The timer that runs; of today only.
    pub running: Option<TimeReply>,
    /// The time that was spent on it.
    pub time: TimeSheetReply,
    /// What was written, said or photographed on it, at most 100.
    pub notes: Vec<DayNoteReply>,
    /// How it was.
    pub rating: Option<RatingReply>,
    /// When it was closed.
    pub closed_at: Option<At>,
    /// What there is to say about it.
    pub note: String,
}

/// A block of a day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlockReply {
    /// Its id.
    pub id: String,
    /// The name of its category.
    pub category: String,
    /// From when.
    pub starts_at: At,
    /// Until when.
    pub ends_at: At,
    /// From when, by the clock on the wall of the home.
    pub from: String,
    /// Until when, by the same clock; midnight is `24:00`.
    pub to: String,
    /// What for.
    pub note: String,
    /// The task it is meant for.
    pub task: Option<String>,
    /// That task's title.
    pub title: Option<String>,
    /// It is time for it now.
    pub current: bool,
    /// Minutes that are free before the next block.
    pub free_after: Option<i64>,
}

/// A pinned task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PinReply {
    /// Which.
    pub task: String,
    /// Its title.
    pub title: String,
    /// The name of its category.
    pub category: String,
    /// Where it stands; `removed` if it is gone.
    pub status: String,
    /// When it is due: a day, or a day with a time.
    pub due: Option<String>,
}

/// A note of a day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DayNoteReply {
    /// Its id.
    pub id: String,
    /// `text`, `audio` or `image`.
    pub kind: String,
    /// When, by the clock on the wall of the home.
    pub clock: String,
    /// Its first line.
    pub line: String,
    /// The name of its category.
    pub category: String,
}

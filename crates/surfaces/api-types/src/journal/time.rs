//! Time that was spent, as it is shown.

use serde::{Deserialize, Serialize};
use types::{At, Day};

/// A stretch of time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimeReply {
    /// Its id.
    pub id: String,
    /// On which task.
    pub task: String,
    /// The task's title.
    pub title: String,
    /// The name of the task's category.
    pub category: String,
    /// What was done.
    pub description: String,
    /// From when.
    pub started_at: At,
    /// Until when; absent while the timer runs.
    pub ended_at: Option<At>,
    /// The day it began on, by the clock on the wall of the home.
    pub day: Day,
    /// That day as one speaks of it: `today`, `Fri 20 Nov`.
    pub day_name: String,
    /// From when, by the same clock.
    pub from: String,
    /// Until when, by the same clock.
    pub to: Option<String>,
    /// Whole minutes; so far, while the timer runs.
    pub minutes: i64,
    /// The timer runs.
    pub running: bool,
    /// The entry in which it was told.
    pub source_entry: Option<String>,
}

/// The time of some days.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimeSheetReply {
    /// The first day.
    pub from: Day,
    /// The last day.
    pub to: Day,
    /// What was spent: what runs first, then in the order in which it began. Each counts on the day on
    /// which it began where it was spent.
    pub entries: Vec<TimeReply>,
    /// On which tasks, most first.
    pub by_task: Vec<SpentReply>,
    /// In which categories, most first.
    pub by_category: Vec<SpentReply>,
    /// Minutes in all.
    pub minutes: i64,
}

/// Time spent on one thing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpentReply {
    /// The task's id, or the category's name.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// How many minutes.
    pub minutes: i64,
}

//! Time that was spent, stretch by stretch.

use std::collections::BTreeMap;

use types::{At, Day, EntryId, TaskId, TimeEntry, TimeEntryId};

use crate::desk::{Desk, Kept, Loaded};
use crate::{Error, Journal, verbs};

use super::names::Names;

/// A stretch of time as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeView {
    /// Its id.
    pub id: TimeEntryId,
    /// On which task.
    pub task_id: TaskId,
    /// The task's title; what it last was, if the task is gone.
    pub title: String,
    /// The name of the task's category.
    pub category: String,
    /// What was done.
    pub description: String,
    /// From when.
    pub started_at: At,
    /// Until when; absent while the timer runs.
    pub ended_at: Option<At>,
    /// The day it began on, by the clock on the wall here. It counts on the day that it began on where it
    /// was spent, which is another one for who has travelled far enough.
    pub day: Day,
    /// That day as one speaks of it: `today`, `Fri 20 Nov`.
    pub day_name: String,
    /// From when, by the clock on the wall here.
    pub from: String,
    /// Until when, by the same clock.
    pub to: Option<String>,
    /// Whole minutes; so far, while the timer runs.
    pub minutes: i64,
    /// The entry in which it was told.
    pub source_entry_id: Option<EntryId>,
}

impl Journal {
    /// The stretch of time that a text names.
    ///
    /// # Errors
    /// If there is none.
    pub async fn time_get(&self, text: &str) -> Result<TimeView, Error> {
        let mut desk = self.desk();
        let time = desk.time(text).await?;
        let views = self.time_views(&desk, vec![time]).await?;
        Ok(views.into_iter().next().expect("one goes in, one comes out"))
    }

    /// The timer that runs.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn timer(&self) -> Result<Option<TimeView>, Error> {
        let desk = self.desk();
        let running = desk.running().await?.into_iter().collect();
        Ok(self.time_views(&desk, running).await?.into_iter().next())
    }

    /// Stretches of time with the titles of their tasks.
    pub(super) async fn time_views(
        &self,
        desk: &Desk,
        times: Vec<Loaded<TimeEntry>>,
    ) -> Result<Vec<TimeView>, Error> {
        if times.is_empty() {
            return Ok(vec![]);
        }
        let tasks = desk.kept_tasks(times.iter().map(|time| &time.body.task_id)).await?;
        let names = self.names().await?;
        Ok(times.into_iter().map(|time| view(desk, time, &tasks, &names)).collect())
    }
}

fn view(
    desk: &Desk,
    time: Loaded<TimeEntry>,
    tasks: &BTreeMap<TaskId, Kept>,
    names: &Names,
) -> TimeView {
    let task = tasks.get(&time.body.task_id).map(|kept| &kept.task);
    let day = desk.day_of(time.body.started_at);
    TimeView {
        id: time.id(),
        title: task.map_or_else(|| "(removed)".to_owned(), |task| task.title.clone()),
        category: task.map(|task| names.category(&task.category_id)).unwrap_or_default(),
        started_at: time.body.started_at,
        ended_at: time.body.ended_at,
        day,
        day_name: rules::when::show_day(day.date(), desk.today().date()),
        from: desk.clock(time.body.started_at),
        to: time.body.ended_at.map(|at| desk.clock(at)),
        minutes: verbs::minutes(&time.body, desk.now()),
        task_id: time.body.task_id,
        description: time.body.description,
        source_entry_id: time.body.source_entry_id,
    }
}

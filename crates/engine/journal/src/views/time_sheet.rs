//! The time of some days, with what it comes to.

use types::{BodyType, Day};

use crate::desk::{Loaded, typed};
use crate::{Error, Journal};

use super::TimeView;

/// The time of some days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeSheetView {
    /// The first day.
    pub from: Day,
    /// The last day.
    pub to: Day,
    /// What was spent: what runs first, then in the order in which it began. Each counts on the day on
    /// which it began where it was spent.
    pub entries: Vec<TimeView>,
    /// On which tasks, most first.
    pub by_task: Vec<SpentView>,
    /// In which categories, most first.
    pub by_category: Vec<SpentView>,
    /// Minutes in all.
    pub minutes: i64,
}

/// Time spent on one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpentView {
    /// The task's id, or the category's name.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// How many minutes.
    pub minutes: i64,
}

impl Journal {
    /// The time of the days from one to another, as somebody wrote them.
    ///
    /// # Errors
    /// If they are no days, or too many.
    pub async fn time_sheet(&self, from: &str, to: &str) -> Result<TimeSheetView, Error> {
        let (from, to) = self.desk().days(from, to)?;
        self.time_of_days(from, to).await
    }

    /// The same for days that are known.
    pub(super) async fn time_of_days(&self, from: Day, to: Day) -> Result<TimeSheetView, Error> {
        let desk = self.desk();
        let records = desk.of_days(BodyType::TimeEntry, from, to).await?;
        let mut times: Vec<_> =
            records.into_iter().filter_map(|record| Loaded::from(record, typed::time)).collect();
        // A timer from before belongs to today too: it runs.
        if (from..=to).contains(&desk.today())
            && let Some(running) = desk.running().await?
            && running.body.day < from
        {
            times.push(running);
        }
        let mut entries = self.time_views(&desk, times).await?;
        entries.sort_by(|a, b| {
            let key = |time: &TimeView| (time.ended_at.is_some(), time.started_at);
            (key(a), &a.id).cmp(&(key(b), &b.id))
        });
        Ok(TimeSheetView {
            from,
            to,
            by_task: spent(entries.iter().map(|time| (time.task_id.as_str(), &time.title, time))),
            by_category: spent(entries.iter().map(|t| (t.category.as_str(), &t.category, t))),
            minutes: entries.iter().map(|time| time.minutes).sum(),
            entries,
        })
    }
}

/// What the stretches of each thing come to, most first.
fn spent<'a>(times: impl Iterator<Item = (&'a str, &'a String, &'a TimeView)>) -> Vec<SpentView> {
    let mut found: Vec<SpentView> = Vec::new();
    for (id, name, time) in times {
        match found.iter_mut().find(|spent| spent.id == id) {
            Some(spent) => spent.minutes += time.minutes,
            None => {
                let (id, name) = (id.to_owned(), name.clone());
                found.push(SpentView { id, name, minutes: time.minutes });
            }
        }
    }
    found.sort_by(|a, b| b.minutes.cmp(&a.minutes).then_with(|| a.name.cmp(&b.name)));
    found
}

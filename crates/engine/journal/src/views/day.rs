//! One day with all that belongs to it.

use store::Marked;
use types::{At, BodyType, Day, DayPlan, Domain, Entry, EntryId, EntryKind, Record};

use crate::desk::{Desk, Loaded, typed};
use crate::{Error, Journal};

use super::names::Names;
use super::task::{Now, view};
use super::{BlockView, PinView, RatingView, TaskView, TimeSheetView, TimeView, plan};

/// How many tasks or notes of one kind a day shows: a look at a day, not a list.
const SHOWN_MAX: usize = 100;

/// How many overdue tasks a day names: enough to begin with. What was put off for a year would
/// otherwise fill every morning.
const OVERDUE_MAX: usize = 10;

/// A day as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct DayView {
    /// Which day.
    pub day: Day,
    /// The day as one speaks of it: `today`, `Fri 20 Nov`.
    pub name: String,
    /// It is this day, and this is the time.
    pub now: Option<String>,
    /// Its blocks, by their start.
    pub blocks: Vec<BlockView>,
    /// The block that it is time for.
    pub current: Option<usize>,
    /// What is pinned to it.
    pub pinned: Vec<PinView>,
    /// Open tasks that are due on it, at most 100.
    pub due: Vec<TaskView>,
    /// Open tasks that were due before it, longest first, at most 10; of today only.
    pub overdue: Vec<TaskView>,
    /// Tasks that were closed on it, at most 100.
    pub closed: Vec<TaskView>,
    /// The time that was spent on it.
    pub time: TimeSheetView,
    /// The timer that runs; of today only.
    pub running: Option<TimeView>,
    /// What was written, said or photographed on it, at most 100.
    pub notes: Vec<NoteView>,
    /// How it was.
    pub rating: Option<RatingView>,
    /// When it was closed.
    pub closed_at: Option<At>,
    /// What there is to say about it.
    pub note: String,
}

/// A note as a day shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteView {
    /// Its id.
    pub id: EntryId,
    /// What it is made of.
    pub kind: EntryKind,
    /// When, by the clock on the wall here.
    pub clock: String,
    /// Its first line.
    pub line: String,
    /// The name of its category.
    pub category: String,
}

impl Journal {
    /// A day as somebody wrote it, with all that belongs to it. It costs what is on that day, however
    /// long the journal is.
    ///
    /// # Errors
    /// If it is no day.
    pub async fn day_get(&self, text: &str) -> Result<DayView, Error> {
        let mut desk = self.desk();
        let (day, today, now) = (desk.day(text)?, desk.today(), desk.now());
        let names = self.names().await?;
        let plan = desk.plan(day).await?.body.unwrap_or_else(|| DayPlan::empty(day));
        let (blocks, pinned) = plan::views(&desk, &plan, &names).await?;
        let is_today = day == today;
        let time = self.time_of_days(day, day).await?;
        let current = blocks.iter().position(|b| b.starts_at <= now && now < b.ends_at);
        Ok(DayView {
            day,
            name: rules::when::show_day(day.date(), today.date()),
            now: is_today.then(|| desk.clock(now)),
            current,
            blocks,
            pinned,
            due: self.due_between(Some(day), day, SHOWN_MAX, &names).await?,
            overdue: match rules::day::shifted(day, -1) {
                Some(before) if is_today => {
                    self.due_between(None, before, OVERDUE_MAX, &names).await?
                }
                _ => vec![],
            },
            closed: self.closed_within(desk.bounds(day), &names).await?,
            running: time.entries.first().filter(|t| is_today && t.ended_at.is_none()).cloned(),
            time,
            notes: self.notes_of(&desk, day, &names).await?,
            rating: self.rating_of(&DayPlan::id(day).into()).await?,
            closed_at: plan.closed_at,
            note: plan.note,
        })
    }

    /// Open tasks that are due on these days, the longest due first.
    async fn due_between(
        &self,
        from: Option<Day>,
        to: Day,
        limit: usize,
        names: &Names,
    ) -> Result<Vec<TaskView>, Error> {
        let from = from.map_or_else(|| "due=".to_owned(), rules::mark::due);
        self.tasks_marked(from, rules::mark::due(to), limit, names).await
    }

    /// Tasks that were closed from one instant to before another, in that order.
    async fn closed_within(
        &self,
        (from, to): (At, At),
        names: &Names,
    ) -> Result<Vec<TaskView>, Error> {
        let last = rules::mark::closed(to.plus_millis(-1));
        self.tasks_marked(rules::mark::closed(from), last, SHOWN_MAX, names).await
    }

    async fn tasks_marked(
        &self,
        from: String,
        to: String,
        limit: usize,
        names: &Names,
    ) -> Result<Vec<TaskView>, Error> {
        let search = Marked { to, ..Marked::with(BodyType::Task, from, limit) };
        let found = self.store.marked(Domain::Journal, search).await?;
        let tasks = found.into_iter().filter_map(|record| Loaded::from(record, typed::task));
        let now = Now::at(&self.desk());
        Ok(tasks.map(|task| view(task, names, &now)).collect())
    }

    async fn notes_of(&self, desk: &Desk, day: Day, names: &Names) -> Result<Vec<NoteView>, Error> {
        let search = Marked::with(BodyType::Entry, rules::mark::day(day), SHOWN_MAX);
        let found = self.store.marked(Domain::Journal, search).await?;
        let entry = |record: Record| Loaded::from(record, typed::entry);
        let mut entries: Vec<Loaded<Entry>> = found.into_iter().filter_map(entry).collect();
        entries.sort_by(|a, b| (a.body.at, &a.id).cmp(&(b.body.at, &b.id)));
        Ok(entries
            .into_iter()
            .map(|entry| NoteView {
                id: entry.id(),
                kind: entry.body.kind,
                clock: desk.clock(entry.body.at),
                line: entry.body.text.lines().next().unwrap_or_default().to_owned(),
                category: names.category(&entry.body.category_id),
            })
            .collect())
    }
}

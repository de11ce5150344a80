//! Reading what belongs to days, and the timer that runs.

use store::{Listing, Marked};
use types::{BodyType, Code, Day, Domain, Record, RecordId, Task, TimeEntry, limits};

use crate::Error;

use super::find::typed;
use super::{Desk, Loaded};

impl Desk {
    /// All live records of a kind that belong to the days from one to another, day by day. It costs
    /// what it returns, however long the journal is.
    pub(crate) async fn of_days(
        &self,
        kind: BodyType,
        from: Day,
        to: Day,
    ) -> Result<Vec<Record>, Error> {
        self.by_days(kind, (rules::mark::day(from), rules::mark::day(to)), |_| true).await
    }

    /// All live records of a kind that lie under an owner, however many; found among all of that kind, so
    /// only for who has looked under the owner and not seen all.
    pub(super) async fn of_all_days(
        &self,
        kind: BodyType,
        owner: &RecordId,
    ) -> Result<Vec<Record>, Error> {
        let lies_there = |record: &Record| record.body.owner() == owner.as_str();
        let ever = ("day=".to_owned(), "day=~".to_owned());
        let mut found = self.by_days(kind, ever, lies_there).await?;
        found.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        Ok(found)
    }

    async fn by_days(
        &self,
        kind: BodyType,
        (from, to): (String, String),
        wanted: impl Fn(&Record) -> bool,
    ) -> Result<Vec<Record>, Error> {
        let page = limits::ROWS_PER_READ_MAX;
        let mut search = Marked { to, ..Marked::with(kind, from, page) };
        let mut found = Vec::new();
        loop {
            let records = self.store.marked(Domain::Journal, search.clone()).await?;
            let last = records.last().filter(|_| records.len() >= page);
            search.after = last.and_then(|last| Some((day_mark(last)?, last.id.clone())));
            found.extend(records.into_iter().filter(&wanted));
            if search.after.is_none() {
                return Ok(found);
            }
        }
    }

    /// The timer that runs. It is not noted: whoever asks may not be allowed to know which it is.
    pub(crate) async fn running(&self) -> Result<Option<Loaded<TimeEntry>>, Error> {
        let search = Marked::with(BodyType::TimeEntry, rules::mark::RUNNING, 1);
        let found = self.store.marked(Domain::Journal, search).await?;
        Ok(found.into_iter().find_map(|record| Loaded::from(record, typed::time)))
    }

    /// Notes the last time that was spent on a task, running or not.
    pub(crate) async fn note_last_time(&mut self, task: &Loaded<Task>) -> Result<(), Error> {
        let listing = Listing::of(task.id.as_str(), BodyType::TimeEntry, 1);
        let found = self.store.records(Domain::Journal, listing).await?;
        let last = found.into_iter().find_map(|record| Loaded::from(record, typed::time));
        if let Some(last) = last {
            self.note(&last, Some(&task.body.category_id));
        }
        Ok(())
    }

    /// The days from one to another as somebody wrote them, both included.
    pub(crate) fn days(&self, from: &str, to: &str) -> Result<(Day, Day), Error> {
        let (from, to) = (self.day(from)?, self.day(to)?);
        in_order(from, to)?;
        let last = rules::day::shifted(from, limits::RANGE_DAYS_MAX - 1);
        if last.is_some_and(|last| to > last) {
            let message =
                format!("from {from} to {to} is more than {} days", limits::RANGE_DAYS_MAX);
            return Err(Error::refuse(Code::BadTime, message, "look at a year at a time"));
        }
        Ok((from, to))
    }
}

/// Refuses days of which the last comes before the first.
pub(crate) fn in_order(from: Day, to: Day) -> Result<(), Error> {
    if from <= to {
        return Ok(());
    }
    let message = format!("{to} comes before {from}");
    Err(Error::refuse(Code::EndBeforeStart, message, "turn the two days round"))
}

fn day_mark(record: &Record) -> Option<String> {
    rules::mark::of(&record.body).into_iter().find(|mark| mark.starts_with("day="))
}

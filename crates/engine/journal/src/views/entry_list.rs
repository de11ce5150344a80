//! Listing entries.

use store::{Listing, Marked};
use types::{BodyType, CategoryId, Day, Domain, Entry, Record, RecordId, limits};

use crate::desk::{Loaded, in_order, typed};
use crate::{Error, Journal};

use super::EntryView;

/// Which entries to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntryFilter {
    /// About this task only, by its id or the end of it.
    pub task: Option<String>,
    /// Of this category only, by name or id.
    pub category: Option<String>,
    /// From this day on.
    pub from: Option<Day>,
    /// Up to and with this day.
    pub to: Option<Day>,
    /// At most this many.
    pub limit: usize,
}

impl Journal {
    /// Entries, by when they were said, newest first.
    ///
    /// # Errors
    /// If there is no such task or category, or the last day comes before the first.
    pub async fn entry_list(&self, filter: EntryFilter) -> Result<Vec<EntryView>, Error> {
        if let (Some(from), Some(to)) = (filter.from, filter.to) {
            in_order(from, to)?;
        }
        let mut desk = self.desk();
        let task: Option<RecordId> = match &filter.task {
            Some(text) => Some(desk.task(text).await?.id),
            None => None,
        };
        let category: Option<CategoryId> = match &filter.category {
            Some(text) => Some(desk.category(text).await?.id()),
            None => None,
        };
        let wanted = |entry: &Entry| {
            task.as_ref()
                .is_none_or(|task| entry.task_id.as_ref().map(Into::into) == Some(task.clone()))
                && category.as_ref().is_none_or(|category| entry.category_id == *category)
                && filter.from.is_none_or(|from| entry.day >= from)
                && filter.to.is_none_or(|to| entry.day <= to)
        };
        let limit = filter.limit.min(limits::ROWS_PER_READ_MAX);
        let mut found = match (&task, &category) {
            (Some(task), _) => {
                let listing =
                    Listing::of(task.as_str(), BodyType::Entry, limits::ROWS_PER_READ_MAX);
                loaded(self.store.records(Domain::Journal, listing).await?, wanted)
            }
            (None, Some(category)) if filter.from.is_none() && filter.to.is_none() => {
                let mark = rules::mark::lying_in(category);
                self.walked(mark.clone(), mark, limit, wanted).await?
            }
            _ => {
                let mark = |day: Option<Day>, open: &str| {
                    day.map_or_else(|| format!("day={open}"), rules::mark::day)
                };
                self.walked(mark(filter.from, ""), mark(filter.to, "~"), limit, wanted).await?
            }
        };
        found.sort_by(|a, b| (b.body.at, &b.id).cmp(&(a.body.at, &a.id)));
        found.truncate(limit);
        self.entries_shown(found).await
    }

    /// Entries whose mark lies in a range and that are wanted, last mark first, as many as asked for.
    async fn walked(
        &self,
        from: String,
        to: String,
        limit: usize,
        wanted: impl Fn(&Entry) -> bool,
    ) -> Result<Vec<Loaded<Entry>>, Error> {
        let mut found: Vec<Loaded<Entry>> = Vec::new();
        let mut after: Option<(String, RecordId)> = None;
        while found.len() < limit {
            let page = Marked {
                kind: BodyType::Entry,
                from: from.clone(),
                to: to.clone(),
                backwards: true,
                after,
                limit: limits::ROWS_PER_READ_MAX,
            };
            let page = self.store.marked(Domain::Journal, page).await?;
            let Some(Some(last)) = page.last().map(|record| place(record, &from)) else { break };
            after = Some(last);
            found.extend(loaded(page, &wanted));
        }
        Ok(found)
    }
}

fn loaded(records: Vec<Record>, wanted: impl Fn(&Entry) -> bool) -> Vec<Loaded<Entry>> {
    let entries = records.into_iter().filter_map(|record| Loaded::from(record, typed::entry));
    entries.filter(|entry| wanted(&entry.body)).collect()
}

/// Where a record stands among the marks of the same kind as this one.
fn place(record: &Record, like: &str) -> Option<(String, RecordId)> {
    let (kind, _) = like.split_once('=')?;
    let marks = rules::mark::of(&record.body).into_iter();
    let mark =
        marks.into_iter().find(|mark| mark.split_once('=').is_some_and(|(own, _)| own == kind));
    Some((mark?, record.id.clone()))
}

//! What lies in a category, and who bears a label.

use std::collections::BTreeMap;

use store::{Listing, Marked};
use types::{BodyType, CategoryId, Domain, Record, Task, TaskLabelId, limits};

use crate::Error;

use super::{Desk, Loaded, typed};

impl Desk {
    /// The tasks that bear a label, closed ones too, by their ids; at most so many.
    pub(crate) async fn bearing(
        &self,
        label: &TaskLabelId,
        max: usize,
    ) -> Result<Vec<Loaded<Task>>, Error> {
        let mark = rules::mark::labelled(label);
        let bearing =
            store::bearing(&*self.store, Domain::Journal, (BodyType::Task, &mark), max).await?;
        Ok(bearing.into_iter().filter_map(|task| Loaded::from(task, typed::task)).collect())
    }

    /// How many open tasks bear each label. It costs what is open, however much was ever done.
    pub(crate) async fn open_by_label(&self) -> Result<BTreeMap<TaskLabelId, usize>, Error> {
        let page = limits::ROWS_PER_READ_MAX;
        let mut search = Marked::with(BodyType::Task, rules::mark::OPEN, page);
        let mut counts = BTreeMap::new();
        loop {
            let tasks = self.store.marked(Domain::Journal, search.clone()).await?;
            let last = tasks.last().filter(|_| tasks.len() >= page);
            search.after = last.map(|last| (rules::mark::OPEN.to_owned(), last.id.clone()));
            for task in tasks.into_iter().filter_map(|task| typed::task(task.body)) {
                for label in task.labels {
                    *counts.entry(label).or_default() += 1;
                }
            }
            if search.after.is_none() {
                return Ok(counts);
            }
        }
    }

    /// What lies in a category, in words; nothing if it is empty. The words count up to a page.
    pub(crate) async fn dwellers(&self, category: &CategoryId) -> Result<Option<String>, Error> {
        let max = limits::ROWS_PER_READ_MAX;
        self.nothing_comes_to(&category.into()).await?;
        let tasks = Listing::of(category.as_str(), BodyType::Task, max);
        let tasks = self.store.records(Domain::Journal, tasks).await?.len();
        let notes = Marked::with(BodyType::Entry, rules::mark::lying_in(category), max);
        let notes = self.store.marked(Domain::Journal, notes).await?.len();
        let labels =
            self.store.records(Domain::Journal, Listing::of("labels", BodyType::TaskLabel, max));
        let bound = |label: &Record| {
            let label = typed::label(label.body.clone());
            label.is_some_and(|label| label.category_id.as_ref() == Some(category))
        };
        let labels = labels.await?.iter().filter(|label| bound(label)).count();
        let counted = [(tasks, "task"), (notes, "note"), (labels, "label")];
        let words: Vec<String> = counted
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(n, what)| many(n, what))
            .collect();
        Ok((!words.is_empty()).then(|| words.join(", ")))
    }
}

/// A number of things, as far as it was counted.
pub(crate) fn many(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        limits::ROWS_PER_READ_MAX => format!("{count} {what}s or more"),
        _ => format!("{count} {what}s"),
    }
}

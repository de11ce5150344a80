//! Where records lie that others refer to, removed ones too.

use std::collections::BTreeMap;

use types::{Body, CategoryId, Domain, RecordId, Task, TaskId};

use crate::Error;

use super::Desk;
use super::find::typed;

/// A task that something refers to. It may be gone; what refers to it stays.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Kept {
    /// What it says, or last said.
    pub(crate) task: Task,
    /// At which revision it was read.
    pub(crate) revision: u64,
    /// It is gone.
    pub(crate) removed: bool,
}

impl Desk {
    /// The tasks of these ids, in one read. They are not noted.
    pub(crate) async fn kept_tasks(
        &self,
        ids: impl IntoIterator<Item = &TaskId>,
    ) -> Result<BTreeMap<TaskId, Kept>, Error> {
        let mut ids: Vec<RecordId> = ids.into_iter().map(RecordId::from).collect();
        ids.sort_unstable();
        ids.dedup();
        let records = self.store.records_by_id(Domain::Journal, ids).await?;
        let tasks = records.into_iter().filter_map(|record| {
            let (revision, removed) = (record.revision, record.deleted_at.is_some());
            let id = record.id.as_str().parse().ok()?;
            Some((id, Kept { task: typed::task(record.body)?, revision, removed }))
        });
        Ok(tasks.collect())
    }

    /// In which categories these tasks, entries and stretches of time lie, in two reads.
    pub(crate) async fn categories_of(
        &self,
        ids: impl IntoIterator<Item = &RecordId>,
    ) -> Result<BTreeMap<RecordId, CategoryId>, Error> {
        let ids = ids.into_iter().cloned().collect();
        let records = self.store.records_by_id(Domain::Journal, ids).await?;
        let spent = records.iter().filter_map(|record| match &record.body {
            Body::TimeEntry(time) => Some(&time.task_id),
            _ => None,
        });
        let tasks = self.kept_tasks(spent).await?;
        let found = records.iter().filter_map(|record| {
            let category = match &record.body {
                Body::Task(task) => &task.category_id,
                Body::Entry(entry) => &entry.category_id,
                Body::TimeEntry(time) => &tasks.get(&time.task_id)?.task.category_id,
                _ => return None,
            };
            Some((record.id.clone(), category.clone()))
        });
        Ok(found.collect())
    }
}

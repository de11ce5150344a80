//! Reading tasks.

use store::Listing;
use types::{At, Body, BodyType, Domain, Record, Task, TaskId, limits};

use crate::{Error, Journal};

/// A task as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskView {
    /// Its id.
    pub id: TaskId,
    /// What it says.
    pub task: Task,
    /// The name of its category.
    pub category: String,
    /// How often it was written.
    pub revision: u64,
    /// When it was made.
    pub created_at: At,
    /// When it last changed.
    pub updated_at: At,
}

impl Journal {
    /// A task by its id.
    ///
    /// # Errors
    /// If there is none.
    pub async fn task_get(&self, id: &str) -> Result<TaskView, Error> {
        let task: TaskId =
            id.parse().map_err(|source| Error::BadTaskId { id: id.to_owned(), source })?;
        let record = self.store.record(Domain::Journal, task.into()).await?;
        let record = record.filter(|record| record.deleted_at.is_none());
        let unknown = || Error::UnknownTask { id: id.to_owned() };
        let record = record.ok_or_else(unknown)?;
        let categories = self.category_list().await?;
        let name = |id: &types::CategoryId| {
            let found = categories.iter().find(|category| &category.id == id);
            found.map_or_else(|| id.to_string(), |category| category.name.clone())
        };
        view(record, name).ok_or_else(unknown)
    }

    /// The tasks of a category, or of all, newest first.
    ///
    /// # Errors
    /// If there is no such category.
    pub async fn task_list(&self, category: Option<&str>) -> Result<Vec<TaskView>, Error> {
        let categories = match category {
            Some(name) => vec![self.category_find(name).await?],
            None => self.category_list().await?,
        };
        let mut views = Vec::new();
        for category in categories {
            let owner = category.id.as_str();
            let listing = Listing::of(owner, BodyType::Task, limits::ROWS_PER_READ_MAX);
            let records = self.store.records(Domain::Journal, listing).await?;
            views.extend(records.into_iter().filter_map(|r| view(r, |_| category.name.clone())));
        }
        views.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
        Ok(views)
    }
}

fn view(record: Record, category: impl Fn(&types::CategoryId) -> String) -> Option<TaskView> {
    let Body::Task(task) = record.body else { return None };
    Some(TaskView {
        id: record.id.as_str().parse().ok()?,
        category: category(&task.category_id),
        task,
        revision: record.revision,
        created_at: record.created_at,
        updated_at: record.updated_at,
    })
}

//! Listing tasks.

use types::{Day, TaskPriority, TaskStatus};

use crate::desk::{TaskQuery, TaskSort};
use crate::{Error, Journal};

use super::TaskView;
use super::task::{Now, view};

/// Which tasks to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskFilter {
    /// Of this category only, by name or id.
    pub category: Option<String>,
    /// In this status only; otherwise those that are not closed.
    pub status: Option<TaskStatus>,
    /// Closed ones too.
    pub all: bool,
    /// Bearing this label only, by name or id.
    pub label: Option<String>,
    /// Of this priority only.
    pub priority: Option<TaskPriority>,
    /// Due on or before this day only.
    pub due_by: Option<Day>,
    /// In which order; newest first if absent, by their dates if those are asked for.
    pub sort: Option<TaskSort>,
    /// At most this many.
    pub limit: usize,
}

impl Journal {
    /// Tasks, each with how many of its items are done.
    ///
    /// # Errors
    /// If there is no such category or label.
    pub async fn task_list(&self, filter: TaskFilter) -> Result<Vec<TaskView>, Error> {
        let mut desk = self.desk();
        let category = match &filter.category {
            Some(name) => Some(desk.category(name).await?.id()),
            None => None,
        };
        let label = match &filter.label {
            Some(name) => Some(desk.label(name).await?.id()),
            None => None,
        };
        let usual = if filter.due_by.is_some() { TaskSort::Due } else { TaskSort::Newest };
        let query = TaskQuery {
            category,
            status: filter.status,
            all: filter.all,
            label,
            priority: filter.priority,
            due_by: filter.due_by,
            words: vec![],
            sort: filter.sort.unwrap_or(usual),
            limit: filter.limit,
        };
        let tasks = desk.tasks(&query).await?;
        let progress = desk.progress(&tasks).await?;
        let (names, now) = (self.names().await?, Now::at(&desk));
        let with_progress = |task| {
            let view = view(task, &names, &now);
            TaskView { progress: progress.get(&view.id).copied().unwrap_or_default(), ..view }
        };
        Ok(tasks.into_iter().map(with_progress).collect())
    }
}

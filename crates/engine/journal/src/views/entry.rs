//! One entry.

use std::collections::BTreeMap;

use types::{At, Domain, Entry, EntryId, TaskId};

use crate::desk::{Loaded, typed};
use crate::{Error, Journal};

use super::names::Names;

/// An entry as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryView {
    /// Its id.
    pub id: EntryId,
    /// What it says.
    pub entry: Entry,
    /// The name of its category.
    pub category: String,
    /// The title of the task it is about.
    pub task: Option<String>,
    /// When it was written down.
    pub created_at: At,
    /// When it last changed.
    pub updated_at: At,
}

impl Journal {
    /// The entry that a text names.
    ///
    /// # Errors
    /// If there is none.
    pub async fn entry_get(&self, text: &str) -> Result<EntryView, Error> {
        let entry = self.desk().entry(text).await?;
        let mut shown = self.entries_shown(vec![entry]).await?;
        Ok(shown.pop().expect("one entry is shown as one"))
    }

    /// Entries with the names of what they belong to.
    pub(super) async fn entries_shown(
        &self,
        entries: Vec<Loaded<Entry>>,
    ) -> Result<Vec<EntryView>, Error> {
        let tasks = entries.iter().filter_map(|entry| entry.body.task_id.as_ref());
        let tasks = tasks.map(Into::into).collect();
        let tasks = self.store.records_by_id(Domain::Journal, tasks).await?;
        // The title of a task that is gone still says what the note was about.
        let titles: BTreeMap<String, String> = tasks
            .into_iter()
            .filter_map(|task| Some((task.id.to_string(), typed::task(task.body)?.title)))
            .collect();
        let names = self.names().await?;
        Ok(entries.into_iter().map(|entry| view(entry, &names, &titles)).collect())
    }
}

fn view(entry: Loaded<Entry>, names: &Names, titles: &BTreeMap<String, String>) -> EntryView {
    let title = |task: &TaskId| titles.get(task.as_str()).cloned();
    EntryView {
        id: entry.id(),
        category: names.category(&entry.body.category_id),
        task: entry.body.task_id.as_ref().and_then(title),
        created_at: entry.created_at,
        updated_at: entry.updated_at,
        entry: entry.body,
    }
}

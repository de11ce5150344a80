//! Everything that lies under several records, however much it is.

use std::collections::{BTreeMap, BTreeSet};

use types::{
    Body, BodyType, Checklist, ChecklistItem, Domain, Record, RecordId, Task, TaskId, limits,
};

use crate::Error;

use super::refer::unknown;
use super::{Desk, Loaded, typed};

/// What one owner may have more of than a page holds.
const MANY: [BodyType; 2] = [BodyType::Entry, BodyType::TimeEntry];

impl Desk {
    /// All live records of a kind that lie under these owners, oldest first as far as one read goes.
    pub(crate) async fn under<T>(
        &self,
        owners: Vec<RecordId>,
        kind: BodyType,
        typed: fn(Body) -> Option<T>,
    ) -> Result<Vec<Loaded<T>>, Error> {
        let found = self.lying_under(owners, kind).await?;
        Ok(found.into_iter().filter_map(|record| Loaded::from(record, typed)).collect())
    }

    /// The same, whatever they are.
    pub(crate) async fn lying_under(
        &self,
        owners: Vec<RecordId>,
        kind: BodyType,
    ) -> Result<Vec<Record>, Error> {
        let page = limits::ROWS_PER_READ_MAX;
        let (mut waiting, mut found) = (vec![owners], Vec::new());
        while let Some(mut owners) = waiting.pop() {
            if owners.is_empty() {
                continue;
            }
            let records =
                self.store.records_of(Domain::Journal, owners.clone(), kind, page).await?;
            // A full page may not be all there is.
            match &owners[..] {
                [_, _, ..] if records.len() == page => {
                    // Fewer owners at a time.
                    let rest = owners.split_off(owners.len() / 2);
                    waiting.extend([rest, owners]);
                }
                [owner] if records.len() == page && MANY.contains(&kind) => {
                    found.extend(self.of_all_days(kind, owner).await?);
                }
                _ => found.extend(records),
            }
        }
        Ok(found)
    }

    /// The checklists of a task, oldest first.
    pub(crate) async fn checklists(
        &self,
        task: &Loaded<Task>,
    ) -> Result<Vec<Loaded<Checklist>>, Error> {
        self.listing(rules::token::of_property(BodyType::Checklist, "task", &task.id)).await?;
        self.under(vec![task.id.clone()], BodyType::Checklist, typed::checklist).await
    }

    /// The items of checklists, in their order within each.
    pub(crate) async fn items(
        &self,
        lists: &[Loaded<Checklist>],
    ) -> Result<Vec<Loaded<ChecklistItem>>, Error> {
        let of =
            |list: &RecordId| rules::token::of_property(BodyType::ChecklistItem, "checklist", list);
        for list in lists {
            self.listing(of(&list.id)).await?;
        }
        let owners = lists.iter().map(|list| list.id.clone()).collect();
        let mut items = self.under(owners, BodyType::ChecklistItem, typed::item).await?;
        items.sort_by(|a, b| (&a.body.rank, &a.id).cmp(&(&b.body.rank, &b.id)));
        Ok(items)
    }

    /// The items that texts name, each once and in the order of the texts, with their tasks.
    pub(crate) async fn items_named(
        &mut self,
        texts: &[String],
    ) -> Result<Vec<(Loaded<ChecklistItem>, Loaded<Task>)>, Error> {
        let (mut named, mut known) = (Vec::new(), BTreeSet::new());
        for text in texts {
            let id = self.refer("item", "checklist item", text).await?;
            if known.insert(id.clone()) {
                named.push((id, text));
            }
        }
        let mut items = self.by_id(known.into_iter().collect()).await?;
        let owners = items.values().filter_map(|item| typed::item(item.body.clone()));
        let owners: BTreeSet<RecordId> = owners.map(|item| (&item.task_id).into()).collect();
        let tasks = self.by_id(owners.into_iter().collect()).await?;
        let mut found = Vec::new();
        for (id, text) in named {
            let item = items.remove(id.as_str()).and_then(|item| Loaded::from(item, typed::item));
            let task = item.as_ref().and_then(|item| tasks.get(item.body.task_id.as_str()));
            let task = task.and_then(|task| Loaded::from(task.clone(), typed::task));
            let (Some(item), Some(task)) = (item, task) else {
                return Err(unknown("checklist item", text));
            };
            self.note(&task, Some(&task.body.category_id));
            self.note(&item, Some(&task.body.category_id));
            found.push((item, task));
        }
        Ok(found)
    }

    /// How many items of each task are done, and how many there are.
    pub(crate) async fn progress(
        &self,
        tasks: &[Loaded<Task>],
    ) -> Result<BTreeMap<TaskId, (usize, usize)>, Error> {
        let owners = tasks.iter().map(|task| task.id.clone()).collect();
        let lists = self.under(owners, BodyType::Checklist, typed::checklist).await?;
        let owners = lists.into_iter().map(|list| list.id).collect();
        let items = self.under(owners, BodyType::ChecklistItem, typed::item).await?;
        let mut progress = BTreeMap::new();
        for item in items {
            let (done, all): &mut (usize, usize) = progress.entry(item.body.task_id).or_default();
            *done += usize::from(item.body.checked);
            *all += 1;
        }
        Ok(progress)
    }

    async fn by_id(&self, ids: Vec<RecordId>) -> Result<BTreeMap<String, Record>, Error> {
        let records = self.store.records_by_id(Domain::Journal, ids).await?;
        Ok(records.into_iter().map(|record| (record.id.to_string(), record)).collect())
    }
}

//! Whether tasks and the labels that they bear go together when they are put back.

use std::collections::BTreeMap;

use types::{Body, CategoryId, Domain, Record, RecordId, Task, TaskLabel};

use crate::{Error, Journal};

use super::refuse::because;
use super::steps::PutBack;

impl Journal {
    /// Refuses if a task would come to bear a label that is for the tasks of another category.
    pub(super) async fn labels_fit(
        &self,
        records: &[PutBack],
        now: &[Record],
    ) -> Result<(), Error> {
        let as_now = |id: &RecordId| now.iter().find(|found| found.id == *id).map(|f| &f.body);
        let mut borne: Vec<(RecordId, CategoryId, RecordId)> = Vec::new();
        let mut bound: BTreeMap<RecordId, Option<CategoryId>> = BTreeMap::new();
        for PutBack { id, was, .. } in records {
            match was.as_ref().filter(|was| was.deleted_at.is_none()).map(|was| &was.body) {
                Some(Body::Task(task)) if !same_place(as_now(id), task) => {
                    let of = |label| (id.clone(), task.category_id.clone(), RecordId::from(label));
                    borne.extend(task.labels.iter().map(of));
                }
                Some(Body::TaskLabel(TaskLabel { category_id: Some(own), .. })) => {
                    let label = id.as_str().parse().expect("a label has the id of one");
                    let mut bearing = self.desk().bearing(&label, usize::MAX).await?;
                    bearing.retain(|task| records.iter().all(|back| back.id != task.id));
                    let of = |task: Task| task.category_id;
                    borne.extend(bearing.into_iter().map(|t| (t.id, of(t.body), id.clone())));
                    bound.insert(id.clone(), Some(own.clone()));
                }
                _ => {}
            }
        }
        let ids = borne.iter().map(|(_, _, label)| label.clone()).collect();
        for record in self.store.records_by_id(Domain::Journal, ids).await? {
            if let Body::TaskLabel(label) = record.body {
                bound.entry(record.id).or_insert(label.category_id);
            }
        }
        let misfit = |(_, category, label): &&(RecordId, CategoryId, RecordId)| {
            bound.get(label).and_then(Option::as_ref).is_some_and(|own| own != category)
        };
        match borne.iter().find(misfit) {
            None => Ok(()),
            Some((task, _, label)) => Err(because(
                format!("{task} would bear {label}, which is for the tasks of another category"),
                "take the label from the task first, or let it be for all categories",
            )),
        }
    }
}

/// Whether a task has the category and the labels that it is to have.
fn same_place(now: Option<&Body>, task: &Task) -> bool {
    matches!(now, Some(Body::Task(now))
        if now.category_id == task.category_id && now.labels == task.labels)
}

//! To which tasks the things belong that a plan would write: what the gate has to know of an agent that
//! tends one task.

use std::collections::{BTreeMap, BTreeSet};

use store::{Store, StoreError};
use tool::Planned;
use types::{Body, Domain, Guard, LinkDraft, RecordId, Relation, TaskId, Write, limits};

/// The tasks of each thing that would be written, and the tasks that would be made.
#[derive(Default)]
pub(crate) struct Belongings {
    pub(crate) tasks: BTreeSet<BTreeSet<TaskId>>,
    pub(crate) made: BTreeSet<(TaskId, TaskId)>,
}

/// Finds out. What the records were is read anew: a draft does not say from where it takes something. The
/// plan is guarded by the same revisions, so what is found here holds when it is carried out.
pub(crate) async fn belongings(
    store: &dyn Store,
    planned: &Planned,
) -> Result<Belongings, StoreError> {
    let before = before(store, planned).await?;
    let mut found = Belongings::default();
    let mut after = BTreeMap::new();
    for write in &planned.writes {
        if let Write::Record(draft) = write {
            let (was, is) = (before.get(&draft.id), task_of(&draft.id, &draft.body));
            found.tasks.extend(was.cloned().map(|was| was.into_iter().collect()));
            found.tasks.insert(is.iter().cloned().collect());
            after.insert(&draft.id, is);
        }
    }
    let side = |id: &RecordId| -> Option<TaskId> {
        let named = id.as_str().parse().ok();
        named.or_else(|| after.get(id).or_else(|| before.get(id)).cloned().flatten())
    };
    for write in &planned.writes {
        let Write::Link(link) = write else { continue };
        let sides = (side(&link.from), side(&link.to));
        found.tasks.insert([&sides.0, &sides.1].into_iter().flatten().cloned().collect());
        if let (Some(from), Some(to)) = sides
            && relates(link)
        {
            found.made.extend([(to.clone(), from.clone()), (from, to)]);
        }
    }
    found.made.retain(|(made, _)| is_made(planned, made));
    Ok(found)
}

/// The tasks that the records belong to as they are now; those that are not there yet are left out.
async fn before(
    store: &dyn Store,
    planned: &Planned,
) -> Result<BTreeMap<RecordId, Option<TaskId>>, StoreError> {
    let drafts = planned.writes.iter().filter_map(|write| match write {
        Write::Record(draft) => Some(draft.id.clone()),
        _ => None,
    });
    let (ids, mut found): (Vec<RecordId>, _) = (drafts.collect(), BTreeMap::new());
    for page in ids.chunks(limits::ROWS_PER_READ_MAX) {
        let records = store.records_by_id(Domain::Journal, page.to_vec()).await?;
        found.extend(records.into_iter().map(|one| (one.id.clone(), task_of(&one.id, &one.body))));
    }
    Ok(found)
}

/// The task that a record is, or belongs to.
fn task_of(id: &RecordId, body: &Body) -> Option<TaskId> {
    match body {
        Body::Task(_) => id.as_str().parse().ok(),
        Body::Checklist(checklist) => Some(checklist.task_id.clone()),
        Body::ChecklistItem(item) => Some(item.task_id.clone()),
        Body::Entry(entry) => entry.task_id.clone(),
        Body::TimeEntry(time) => Some(time.task_id.clone()),
        Body::Rating(rating) => rating.target_id.as_str().parse().ok(),
        _ => None,
    }
}

fn relates(link: &LinkDraft) -> bool {
    !link.deleted && Relation::BETWEEN_TASKS.contains(&link.relation)
}

/// Whether a plan makes a task: it is written on the condition that there is none.
fn is_made(planned: &Planned, task: &TaskId) -> bool {
    let record = RecordId::from(task);
    planned.guards.contains(&Guard::Revision { record, expected: 0 })
}

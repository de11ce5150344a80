//! Change batches as the store writes them for tasks.

use types::{
    At, Author, Body, CategoryId, ChangeRecord, Counter, Origin, Position, RecordId, Task, TaskId,
};

use super::size::{self, Size};

/// A page of changes, and how many subscriptions each of them hits.
pub(super) struct Batch {
    pub(super) changes: Vec<ChangeRecord>,
    pub(super) hits_each: u64,
}

/// Two hundred changes, as many as the product matches at a time, that hit one subscription each.
pub(super) fn one_each(size: Size) -> Batch {
    // Spread over all who watch alone, so that the listeners lie far apart.
    let category = |n| size::watched_by_one(n * (size.alone / 200).max(1) % size.alone);
    Batch { changes: (0..200).map(|n| new_task(n, category(n))).collect(), hits_each: 1 }
}

/// Twenty changes that hit a hundred each.
pub(super) fn few_each(size: Size) -> Batch {
    let change = |n| new_task(n, size::watched_by_few());
    Batch { changes: (0..20).map(change).collect(), hits_each: size.few }
}

/// One change that hits ten thousand, or as many as there are.
pub(super) fn many(size: Size) -> Batch {
    Batch { changes: vec![new_task(0, size::watched_by_many())], hits_each: size.many }
}

/// One change that hits nobody.
pub(super) fn nobody() -> Vec<ChangeRecord> {
    vec![new_task(0, "category_watched_by_nobody".parse().expect("an id"))]
}

/// A new task that no agent listens for by its id.
fn new_task(n: u64, category: CategoryId) -> ChangeRecord {
    let id: RecordId = TaskId::new(size::ulid(2_000_000_000 + n)).into();
    let task = Body::from(Task::new(format!("Task number {n}"), category));
    ChangeRecord {
        position: Position(n + 1),
        host: "host_test".parse().expect("an id"),
        counter: Counter(n + 1),
        origin: Origin::Local,
        author: Author::Operator,
        at: At::from_millis(1_800_000_000_000),
        logical_change_key: rules::hash::bytes(id.as_str().as_bytes()),
        tokens: rules::token::of_change(&id, None, &task).into_iter().collect(),
        images: rules::image::of_change(&id, None, Some(&task)).into_iter().collect(),
    }
}

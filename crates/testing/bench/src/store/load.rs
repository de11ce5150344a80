//! The commit that everybody writes: a new task, as `task add` makes it.

use serde_json::json;
use types::{
    At, AuditDraft, Author, Commit, Domain, OperationDraft, RecordDraft, Task, TaskId, Ulid, Write,
};

/// The time of the first commit; each is a millisecond later.
pub(super) const START: i64 = 1_800_000_000_000;

/// The id of the n-th task. The random part is scattered, as in life.
pub(super) fn task_id(n: u64) -> TaskId {
    let scattered = u128::from(n.wrapping_mul(0x9E37_79B9_7F4A_7C15)) << 16;
    TaskId::new(Ulid::new(at(n), scattered))
}

/// The time of the n-th commit.
pub(super) fn at(n: u64) -> At {
    At::from_millis(START + i64::try_from(n).expect("few"))
}

/// The title of the n-th task.
pub(super) fn title(n: u64) -> String {
    format!("Task number {n}: water the ferns on the balcony before noon")
}

/// The n-th commit.
pub(super) fn commit(n: u64) -> Commit {
    let id = task_id(n);
    let task = Task::new(title(n), "category_home".parse().expect("an id"));
    let write = Write::Record(RecordDraft::live(&id, task));
    Commit {
        operation: Some(OperationDraft {
            id: rules::operation::id_of_request("create_task", id.as_str()),
            verb: "create_task",
            subject: (&id).into(),
            run_key: None,
            result: json!({ "id": id }),
        }),
        audit: vec![AuditDraft {
            action: "task.create",
            subject: id.to_string(),
            detail: String::new(),
        }],
        ..Commit::new(Domain::Journal, Author::Operator, at(n), vec![write])
    }
}

//! Creating a task.

use serde_json::json;
use store::StoreError;
use types::{
    At, AuditDraft, Author, CategoryId, Commit, Domain, Invalid, OperationDraft, OperationId,
    RecordDraft, Task, TaskId, TaskPriority, TaskStatus, Write,
};

use crate::{Error, Journal, TaskView};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateTask {
    /// What is to be done.
    pub title: String,
    /// The name of its category.
    pub category: String,
    /// Names the request: the same again gives the same task. Absent means a new request.
    pub request: Option<String>,
}

impl Journal {
    /// Creates a task.
    ///
    /// # Errors
    /// If there is no such category, the title is empty or too long, or the store cannot write.
    pub async fn task_create(&self, params: CreateTask) -> Result<TaskView, Error> {
        let category = self.category_find(&params.category).await?;
        let id = TaskId::new(self.world.ulid());
        let request = params.request.unwrap_or_else(|| id.to_string());
        Invalid::unless_request(&request).map_err(StoreError::from)?;
        let operation = rules::operation::id_of_request("create_task", &request);
        let commit = plan(&id, params.title, category.id, operation, self.world.now());
        let answer = self.carry_out(commit).await?;
        // The first answer may name another task than the one just planned.
        let id = answer.get("id").and_then(|id| id.as_str()).unwrap_or(id.as_str());
        self.task_get(id).await
    }
}

fn plan(
    id: &TaskId,
    title: String,
    category_id: CategoryId,
    operation: OperationId,
    at: At,
) -> Commit {
    let task = Task { title, status: TaskStatus::Open, priority: TaskPriority::P2, category_id };
    let write = Write::Record(RecordDraft::live(id, task));
    Commit {
        operation: Some(OperationDraft {
            id: operation,
            verb: "create_task",
            subject: id.into(),
            run_key: None,
            result: json!({ "id": id }),
        }),
        audit: vec![AuditDraft {
            action: "task.create",
            subject: id.to_string(),
            detail: String::new(),
        }],
        ..Commit::new(Domain::Journal, Author::Operator, at, vec![write])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_task_is_one_commit_with_its_operation_and_audit_entry() {
        let id: TaskId = "task_1".parse().unwrap();
        let operation = rules::operation::id_of_request("create_task", "r");
        let category = "category_home".parse().unwrap();
        let commit = plan(&id, "ferns".to_owned(), category, operation, At::EPOCH);
        assert_eq!(commit.writes.len(), 1);
        assert_eq!(commit.operation.unwrap().result, json!({ "id": "task_1" }));
        // The audit outlives the content, so the title is not in it.
        assert_eq!((commit.audit[0].action, commit.audit[0].detail.as_str()), ("task.create", ""));
    }
}

//! Carrying on in another task: the follow-up, and the open items that go with it.

use serde::Deserialize;
use serde_json::{Value, json};
use types::{Checklist, ChecklistId, ChecklistItem, RecordId, Relation, Task, TaskId, TaskStatus};

use crate::Error;
use crate::desk::{Desk, Loaded};
use crate::plan::Plan;
use crate::verbs::schema;

use super::fit::moved_to;

/// How a task is closed.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CloseAs {
    /// It is done.
    #[serde(alias = "DONE")]
    Done,
    /// It is not to be done any more.
    #[serde(alias = "CANCELLED")]
    Cancelled,
}

impl CloseAs {
    fn status(self) -> TaskStatus {
        match self {
            CloseAs::Done => TaskStatus::Done,
            CloseAs::Cancelled => TaskStatus::Cancelled,
        }
    }
}

/// The argument that says how a task is closed.
pub(super) fn close_as(description: &str) -> Value {
    schema::word(&["done", "cancelled", "DONE", "CANCELLED"], description)
}

/// Plans a follow-up of a task: makes it, links the two, moves the open items there if they are to go,
/// and closes the task if it is to be closed. Answers with all of that.
pub(super) async fn carry_on(
    desk: &mut Desk,
    source: &Loaded<Task>,
    next: Task,
    items: Items,
    close: Option<CloseAs>,
) -> Result<Plan, Error> {
    let id = TaskId::new(desk.world.ulid());
    let mut plan = Plan::about(source.id.clone());
    plan.lands_in(&next.category_id);
    let follow_up = json!({ "id": id, "title": next.title, "categoryId": next.category_id });
    plan.make(&id, next);
    // A task that is removed or closed meanwhile is not to be followed up.
    plan.link(&source.id, Relation::FollowedBy, &(&id).into());
    let carried = match items {
        Items::Carry => carry(desk, &mut plan, source, &id).await?,
        Items::Leave => vec![],
    };
    let status = close.map_or(source.body.status, CloseAs::status);
    plan.change(source, moved_to(source.body.clone(), status, desk.now()));
    let task = json!({ "id": source.id, "title": source.body.title, "status": status });
    let answer = json!({ "id": id, "followUp": follow_up, "task": task, "carried": carried });
    Ok(plan.answering(answer))
}

/// What becomes of open items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Items {
    /// They go to the follow-up.
    Carry,
    /// They stay.
    Leave,
}

/// Moves the open items of a task to another one, onto lists of the same names. What is done stays
/// where it was done.
async fn carry(
    desk: &mut Desk,
    plan: &mut Plan,
    source: &Loaded<Task>,
    to: &TaskId,
) -> Result<Vec<Value>, Error> {
    let lists = desk.checklists(source).await?;
    let items = desk.items(&lists).await?;
    let mut carried = Vec::new();
    for list in &lists {
        let on_it = |item: &&Loaded<ChecklistItem>| {
            RecordId::from(&item.body.checklist_id) == list.id && !item.body.checked
        };
        let open: Vec<&Loaded<ChecklistItem>> = items.iter().filter(on_it).collect();
        if open.is_empty() {
            continue;
        }
        let id = ChecklistId::new(desk.world.ulid());
        plan.make(&id, Checklist { task_id: to.clone(), title: list.body.title.clone() });
        plan.has_words_of([list.id.clone()]);
        desk.note(list, Some(&source.body.category_id));
        for item in open {
            let (checklist_id, task_id) = (id.clone(), to.clone());
            desk.note(item, Some(&source.body.category_id));
            carried.push(json!({ "id": item.id, "title": item.body.title }));
            plan.change(item, ChecklistItem { checklist_id, task_id, ..item.body.clone() });
        }
    }
    Ok(carried)
}

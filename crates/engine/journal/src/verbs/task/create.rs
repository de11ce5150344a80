//! Creating a task.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract, Risk};
use types::{BodyType, CategoryId, Relation, Task, TaskId, TaskPriority, TaskStatus, limits};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::checklist::{ItemDraft, USUAL_TITLE, list_of};
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::fit::{Minutes, moved_to, shown};
use super::labels::named_labels;

/// Creates a task in a category. What agents are not offered the operator may say at once: where it
/// stands, what is on its checklist, and what it is a part of.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CreateTask {
    title: String,
    category_id: String,
    #[serde(default)]
    priority: Option<TaskPriority>,
    #[serde(default)]
    due_date: Option<String>,
    #[serde(default)]
    estimate_minutes: Option<Minutes>,
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    label_ids: Vec<String>,
    #[serde(default)]
    status: Option<TaskStatus>,
    #[serde(default)]
    items: Vec<ItemDraft>,
    #[serde(default)]
    parent_task_id: Option<String>,
}

impl Verb for CreateTask {
    const NAME: &'static str = "create_task";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let category: CategoryId = desk.category(&self.category_id).await?.id();
        let id = TaskId::new(desk.world.ulid());
        let labels = named_labels(desk, &self.label_ids, &category).await?;
        let task = Task {
            priority: self.priority.unwrap_or(TaskPriority::P2),
            due: self.due_date.map(|text| desk.due(&text)).transpose()?,
            estimate_minutes: self.estimate_minutes.map(Minutes::count).transpose()?,
            language: self.language,
            labels,
            ..Task::new(self.title.trim(), category.clone())
        };
        let task = moved_to(task, self.status.unwrap_or(TaskStatus::Open), desk.now());
        let mut plan = Plan::about(&id);
        plan.lands_in(&category);
        let mut answer = shown(&(&id).into(), &task);
        plan.make(&id, task);
        if !self.items.is_empty() {
            let (_, items) = list_of(desk, &mut plan, &id, USUAL_TITLE, self.items)?;
            answer["items"] = json!(items);
        }
        if let Some(parent) = &self.parent_task_id {
            let parent = desk.task(parent).await?;
            plan.link(&parent.id, Relation::ParentOf, &(&id).into());
        }
        Ok(plan.answering(answer))
    }
}

impl Offered for CreateTask {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Create a task in one of your categories.",
        capabilities: &[Capability::TaskWrite],
        input,
        side_effects: &[BodyType::Task],
        risk: Risk::Medium,
        ..CHANGE
    };
}

fn input() -> Value {
    schema::object(
        &[
            ("title", schema::line("What is to be done, in one line.", limits::TITLE_BYTES_MAX)),
            ("categoryId", schema::id("category", "Where it belongs.")),
            ("priority", super::fit::priority()),
            ("dueDate", schema::due("When it is due.")),
            ("estimateMinutes", super::fit::estimate()),
            ("language", super::fit::language()),
            ("labelIds", super::fit::label_ids("Labels to give it.")),
        ],
        &["title", "categoryId"],
    )
}

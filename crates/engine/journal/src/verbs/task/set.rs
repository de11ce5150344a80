//! Setting one field of a task.

use serde::Deserialize;
use serde_json::Value;
use tool::{Capability, Contract};
use types::{BodyType, Task, TaskPriority, limits};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::fit::{self, Minutes, shown};

/// Changes a task and answers with it.
async fn change(
    desk: &mut Desk,
    task: &str,
    to: impl FnOnce(&Desk, Task) -> Result<Task, Error>,
) -> Result<Plan, Error> {
    let was = desk.task(task).await?;
    let task = to(desk, was.body.clone())?;
    let mut plan = Plan::about(was.id.clone());
    let answer = shown(&was.id, &task);
    plan.change(&was, task);
    Ok(plan.answering(answer))
}

/// Sets a task's title.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SetTaskTitle {
    task_id: String,
    title: String,
}

impl Verb for SetTaskTitle {
    const NAME: &'static str = "set_task_title";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let title = self.title.trim().to_owned();
        change(desk, &self.task_id, |_, task| Ok(Task { title, ..task })).await
    }
}

/// Sets the language that a task is written in, or takes it away.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SetTaskLanguage {
    task_id: String,
    // Null takes it away, and to leave it out does not.
    #[serde(deserialize_with = "Option::deserialize")]
    language: Option<String>,
}

impl Verb for SetTaskLanguage {
    const NAME: &'static str = "set_task_language";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        change(desk, &self.task_id, |_, task| Ok(Task { language: self.language, ..task })).await
    }
}

/// Sets how long a task should take, or takes the estimate away.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct UpdateTaskEstimate {
    task_id: String,
    #[serde(deserialize_with = "Option::deserialize")]
    estimate_minutes: Option<Minutes>,
}

impl Verb for UpdateTaskEstimate {
    const NAME: &'static str = "update_task_estimate";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let estimate_minutes = self.estimate_minutes.map(Minutes::count).transpose()?;
        change(desk, &self.task_id, |_, task| Ok(Task { estimate_minutes, ..task })).await
    }
}

/// Sets when a task is due, or takes the date away.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct UpdateTaskDueDate {
    task_id: String,
    #[serde(deserialize_with = "Option::deserialize")]
    due_date: Option<String>,
}

impl Verb for UpdateTaskDueDate {
    const NAME: &'static str = "update_task_due_date";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        change(desk, &self.task_id, |desk, task| {
            let due = self.due_date.as_deref().map(|text| desk.due(text)).transpose()?;
            Ok(Task { due, ..task })
        })
        .await
    }
}

/// Sets how much a task matters.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct UpdateTaskPriority {
    task_id: String,
    priority: TaskPriority,
}

impl Verb for UpdateTaskPriority {
    const NAME: &'static str = "update_task_priority";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        change(desk, &self.task_id, |_, task| Ok(Task { priority: self.priority, ..task })).await
    }
}

/// What setting one field of a task promises.
const SET: Contract =
    Contract { capabilities: &[Capability::TaskWrite], side_effects: &[BodyType::Task], ..CHANGE };

/// The task, and the field to set.
fn input(field: &str, value: Value) -> Value {
    let task = schema::id("task", "Which task.");
    schema::object(&[("taskId", task), (field, value)], &["taskId", field])
}

impl Offered for SetTaskTitle {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Set a task's title.",
        input: || input("title", schema::line("The new title.", limits::TITLE_BYTES_MAX)),
        ..SET
    };
}

impl Offered for SetTaskLanguage {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Set the language a task is written in; null takes it away.",
        input: || input("language", schema::or_null(fit::language())),
        ..SET
    };
}

impl Offered for UpdateTaskEstimate {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Set how many minutes a task should take; null takes the estimate away.",
        input: || input("estimateMinutes", schema::or_null(fit::estimate())),
        ..SET
    };
}

impl Offered for UpdateTaskDueDate {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Set when a task is due; null takes the date away.",
        input: || input("dueDate", schema::or_null(schema::due("A day, perhaps with a time."))),
        ..SET
    };
}

impl Offered for UpdateTaskPriority {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Set how much a task matters.",
        input: || input("priority", fit::priority()),
        ..SET
    };
}

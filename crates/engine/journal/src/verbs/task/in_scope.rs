//! Listing tasks for an agent.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract};
use types::{CategoryId, Task, TaskStatus, limits};

use crate::Error;
use crate::desk::{Desk, Loaded, TaskQuery};
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{Offered, READ};
use crate::verbs::schema;

/// How many tasks are listed unless fewer or more are asked for.
const USUAL: usize = 30;

/// How many are listed at most: about what a model reads of one answer.
const MOST: u32 = 100;

/// Lists tasks within reach, newest first.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ListTasksInScope {
    #[serde(default)]
    status: Option<TaskStatus>,
    #[serde(default)]
    category_id: Option<String>,
    #[serde(default)]
    query: Option<String>,
    #[serde(default)]
    limit: Option<usize>,
}

impl Verb for ListTasksInScope {
    const NAME: &'static str = "list_tasks_in_scope";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let category: Option<CategoryId> = match &self.category_id {
            Some(text) => Some(desk.category(text).await?.id()),
            None => None,
        };
        let limit = self.limit.unwrap_or(USUAL).clamp(1, MOST as usize);
        let words = self.query.unwrap_or_default().to_lowercase();
        let query = TaskQuery {
            category,
            status: self.status,
            words: words.split_whitespace().map(str::to_owned).collect(),
            // One more than is shown says whether there are more.
            limit: limit + 1,
            ..TaskQuery::default()
        };
        let mut tasks = desk.tasks(&query).await?;
        let more = tasks.len() > limit;
        tasks.truncate(limit);
        let progress = desk.progress(&tasks).await?;
        let tasks = tasks.iter().map(|task| {
            let (done, items) = progress.get(&task.id()).copied().unwrap_or_default();
            let mut line = line(task);
            line["items"] = json!({ "checked": done, "all": items });
            line
        });
        Ok(Plan::read(json!({ "tasks": tasks.collect::<Vec<Value>>(), "more": more })))
    }
}

/// A task as one line of a list.
pub(super) fn line(task: &Loaded<Task>) -> Value {
    let Task { title, status, priority, category_id, due, .. } = &task.body;
    json!({
        "id": task.id, "title": title, "status": status, "priority": priority,
        "categoryId": category_id, "dueDate": due,
    })
}

impl Offered for ListTasksInScope {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "List tasks of your categories, newest first; those that are not closed, \
                      unless a status is given.",
        capabilities: &[Capability::TaskRead],
        input,
        ..READ
    };
}

fn input() -> Value {
    let status = TaskStatus::ALL.map(TaskStatus::as_str);
    schema::object(
        &[
            ("status", schema::word(&status, "Only those in this status.")),
            ("categoryId", schema::id("category", "Only those of this category.")),
            ("query", schema::line("Words that the title has.", limits::TITLE_BYTES_MAX)),
            ("limit", schema::number(1, MOST, "At most this many; 30 if absent.")),
        ],
        &[],
    )
}

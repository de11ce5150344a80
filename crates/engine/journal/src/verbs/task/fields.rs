//! Changing several fields of a task at once.

use serde::Deserialize;
use serde_json::Value;
use tool::{Capability, Contract, Risk};
use types::{BodyType, CategoryId, Code, Entry, Task, TaskPriority, TaskStatus, limits};

use crate::Error;
use crate::desk::{Desk, Loaded, typed};
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::given::given;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::fit::{Minutes, moved_to, shown};

/// Changes what is given and leaves the rest. `null` takes a value away.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct UpdateTaskFields {
    task_id: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    status: Option<TaskStatus>,
    #[serde(default)]
    priority: Option<TaskPriority>,
    #[serde(default, deserialize_with = "given")]
    due_date: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    estimate_minutes: Option<Option<Minutes>>,
    #[serde(default, deserialize_with = "given")]
    language: Option<Option<String>>,
    #[serde(default)]
    category_id: Option<String>,
}

impl Verb for UpdateTaskFields {
    const NAME: &'static str = "update_task_fields";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let was = desk.task(&self.task_id).await?;
        let mut plan = Plan::about(was.id.clone());
        let mut task = was.body.clone();
        if let Some(category) = &self.category_id {
            let category: CategoryId = desk.category(category).await?.id();
            plan.lands_in(&category);
            task = moved(desk, task, category.clone()).await?;
            if task.category_id != was.body.category_id {
                notes_follow(desk, &mut plan, &was, &category).await?;
            }
        }
        task = Task {
            title: self.title.map_or(task.title, |title| title.trim().to_owned()),
            priority: self.priority.unwrap_or(task.priority),
            due: match self.due_date {
                Some(text) => text.map(|text| desk.due(&text)).transpose()?,
                None => task.due,
            },
            estimate_minutes: match self.estimate_minutes {
                Some(minutes) => minutes.map(Minutes::count).transpose()?,
                None => task.estimate_minutes,
            },
            language: self.language.unwrap_or(task.language),
            ..task
        };
        if let Some(status) = self.status {
            task = moved_to(task, status, desk.now());
        }
        let answer = shown(&was.id, &task);
        plan.change(&was, task);
        Ok(plan.answering(answer))
    }
}

/// The task in another category, if its labels may go there.
async fn moved(desk: &mut Desk, task: Task, category: CategoryId) -> Result<Task, Error> {
    for label in &task.labels {
        let label = desk.label(label.as_str()).await?;
        if label.body.category_id.as_ref().is_some_and(|own| *own != category) {
            let (name, id) = (&label.body.name, &label.id);
            let message = format!("its label {name:?} ({id}) is for its present category");
            return Err(Error::refuse(Code::OtherCategory, message, "take the label away first"));
        }
    }
    Ok(Task { category_id: category, ..task })
}

/// The notes about a task lie where it does, so they go along.
async fn notes_follow(
    desk: &mut Desk,
    plan: &mut Plan,
    task: &Loaded<Task>,
    category: &CategoryId,
) -> Result<(), Error> {
    desk.listing(rules::token::of_property(BodyType::Entry, "task", &task.id)).await?;
    for note in desk.under(vec![task.id.clone()], BodyType::Entry, typed::entry).await? {
        desk.note(&note, Some(&note.body.category_id));
        let entry = Entry { category_id: category.clone(), ..note.body.clone() };
        plan.change(&note, entry);
    }
    Ok(())
}

impl Offered for UpdateTaskFields {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Change several fields of a task; what is not given stays, null takes away.",
        capabilities: &[Capability::TaskWrite],
        input,
        side_effects: &[BodyType::Task, BodyType::Entry],
        risk: Risk::Medium,
        preview: true,
        ..CHANGE
    };
}

fn input() -> Value {
    let status = TaskStatus::ALL.map(TaskStatus::as_str);
    schema::object(
        &[
            ("taskId", schema::id("task", "Which task.")),
            ("title", schema::line("What is to be done, in one line.", limits::TITLE_BYTES_MAX)),
            ("status", schema::word(&status, "Where it stands.")),
            ("priority", super::fit::priority()),
            ("dueDate", schema::or_null(schema::due("When it is due."))),
            ("estimateMinutes", schema::or_null(super::fit::estimate())),
            ("language", schema::or_null(super::fit::language())),
            ("categoryId", schema::id("category", "The category to move it to.")),
        ],
        &["taskId"],
    )
}

//! Following up on a task.

use serde::Deserialize;
use serde_json::Value;
use tool::{Capability, Contract, Risk};
use types::{BodyType, CategoryId, Code, Task, limits};

use crate::Error;
use crate::desk::{Desk, Loaded};
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::carry::{CloseAs, Items, carry_on, close_as};

/// Creates a task that carries on from another one.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CreateFollowUpTask {
    source_task_id: String,
    new_task_title: String,
    carry_over_open_checklist_items: bool,
    #[serde(default)]
    close_source_task_as: Option<CloseAs>,
    preserve_category_and_labels: bool,
    #[serde(default)]
    category_id: Option<String>,
}

impl Verb for CreateFollowUpTask {
    const NAME: &'static str = "create_follow_up_task";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let source = desk.task(&self.source_task_id).await?;
        let category = self.category(desk, &source).await?;
        let items = match self.carry_over_open_checklist_items {
            true => Items::Carry,
            false => Items::Leave,
        };
        if items == Items::Carry && category != source.body.category_id {
            let message = "checklist items do not go from one category to another";
            let hint = "leave them where they are, or keep the category";
            return Err(Error::refuse(Code::OtherCategory, message, hint));
        }
        let labels = match self.preserve_category_and_labels {
            true => source.body.labels.clone(),
            false => Default::default(),
        };
        let next = Task { labels, ..Task::new(self.new_task_title.trim(), category) };
        carry_on(desk, &source, next, items, self.close_source_task_as).await
    }
}

impl CreateFollowUpTask {
    /// Where the follow-up belongs.
    async fn category(&self, desk: &mut Desk, source: &Loaded<Task>) -> Result<CategoryId, Error> {
        match &self.category_id {
            None => Ok(source.body.category_id.clone()),
            Some(text) if !self.preserve_category_and_labels => Ok(desk.category(text).await?.id()),
            Some(_) => {
                let message = "the category is to be kept, and another one is named";
                let hint = "keep it, or name another one without keeping category and labels";
                Err(Error::refuse(Code::WrongUsage, message, hint))
            }
        }
    }
}

impl Offered for CreateFollowUpTask {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Create a task that carries on from another one, with its open checklist \
                      items or without, and close that one if asked to.",
        capabilities: &[Capability::TaskWrite, Capability::ChecklistWrite],
        input,
        side_effects: &[BodyType::Task, BodyType::Checklist, BodyType::ChecklistItem],
        risk: Risk::Medium,
        preview: true,
        ..CHANGE
    };
}

fn input() -> Value {
    let carry = "Move the items that are not checked to the new task.";
    let keep = "The new task has the category and the labels of the old one.";
    let category = "Where the new task belongs, if category and labels are not kept.";
    schema::object(
        &[
            ("sourceTaskId", schema::id("task", "The task to carry on from.")),
            ("newTaskTitle", schema::line("What is to be done next.", limits::TITLE_BYTES_MAX)),
            ("carryOverOpenChecklistItems", schema::flag(carry)),
            ("closeSourceTaskAs", close_as("Close the old task so; it stays as it is if absent.")),
            ("preserveCategoryAndLabels", schema::flag(keep)),
            ("categoryId", schema::id("category", category)),
        ],
        &[
            "sourceTaskId",
            "newTaskTitle",
            "carryOverOpenChecklistItems",
            "preserveCategoryAndLabels",
        ],
    )
}

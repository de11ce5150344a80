//! Moving items to a task of their own.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract, Risk};
use types::{BodyType, Checklist, ChecklistId, ChecklistItem, Task, TaskId, limits};

use crate::Error;
use crate::desk::{Desk, Loaded, typed};
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::draft::item_ids;
use super::move_items::same_category;
use super::place::{End, USUAL_TITLE, keys_at, none_named, shown};

/// Creates a task in the category of the items and moves them there, in the order in which they are
/// named.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct MoveChecklistItemsToNewTask {
    item_ids: Vec<String>,
    new_task_title: String,
}

impl Verb for MoveChecklistItemsToNewTask {
    const NAME: &'static str = "move_checklist_items_to_new_task";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let items = desk.items_named(&self.item_ids).await?;
        let Some((_, source)) = items.first() else {
            return Err(none_named());
        };
        items.iter().try_for_each(|(_, task)| same_category(task, source))?;
        let category = source.body.category_id.clone();
        let (task_id, list_id) =
            (TaskId::new(desk.world.ulid()), ChecklistId::new(desk.world.ulid()));
        let mut plan = Plan::about(&task_id);
        plan.lands_in(&category);
        plan.make(&task_id, Task::new(self.new_task_title.trim(), category));
        let list = only_list(desk, &items).await?;
        plan.has_words_of(list.iter().map(|list| list.id.clone()));
        let title = list.map_or_else(|| USUAL_TITLE.to_owned(), |list| list.body.title);
        plan.make(&list_id, Checklist { task_id: task_id.clone(), title });
        let end = End { list: &list_id, task: &task_id, there: &[] };
        let keys = keys_at(&mut plan, &end, items.len())?;
        let mut moved = Vec::new();
        for ((was, _), rank) in items.iter().zip(keys) {
            let (checklist_id, task_id) = (list_id.clone(), task_id.clone());
            let item = ChecklistItem { checklist_id, task_id, rank, ..was.body.clone() };
            moved.push(shown(&was.id, &item));
            plan.change(was, item);
        }
        let title = self.new_task_title.trim();
        let answer =
            json!({ "id": task_id, "title": title, "checklistId": list_id, "items": moved });
        Ok(plan.answering(answer))
    }
}

/// The list that all of them come from, if there is one.
async fn only_list(
    desk: &Desk,
    items: &[(Loaded<ChecklistItem>, Loaded<Task>)],
) -> Result<Option<Loaded<Checklist>>, Error> {
    let lists: Vec<&ChecklistId> = items.iter().map(|(item, _)| &item.body.checklist_id).collect();
    let one = lists.first().filter(|first| lists.iter().all(|list| list == *first));
    match one {
        Some(list) => desk.read(*list, typed::checklist).await,
        None => Ok(None),
    }
}

impl Offered for MoveChecklistItemsToNewTask {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Create a task in the same category and move checklist items to it.",
        capabilities: &[Capability::TaskWrite, Capability::ChecklistWrite],
        input,
        side_effects: &[BodyType::Task, BodyType::Checklist, BodyType::ChecklistItem],
        risk: Risk::High,
        preview: true,
        ..CHANGE
    };
}

fn input() -> Value {
    let title = schema::line("What is to be done in the new task.", limits::TITLE_BYTES_MAX);
    schema::object(
        &[("itemIds", item_ids("Which items.")), ("newTaskTitle", title)],
        &["itemIds", "newTaskTitle"],
    )
}

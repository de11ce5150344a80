//! Where items stand: lists, and places on them.

use serde_json::{Value, json};
use types::{Checklist, ChecklistId, ChecklistItem, Code, ItemId, RecordId, Task, TaskId, limits};

use crate::Error;
use crate::desk::{Desk, Loaded};
use crate::plan::Plan;

use super::ItemDraft;

/// What an agent may do that named what lies elsewhere.
const NAME_WHAT_IS_SHOWN: &str = "use the ids that you were shown, or that your tools tell";

/// What a checklist is called that nobody gave a name.
pub(crate) const USUAL_TITLE: &str = "Checklist";

/// Makes a checklist with items for a task that is there or about to be.
pub(crate) fn list_of(
    desk: &Desk,
    plan: &mut Plan,
    task: &TaskId,
    title: &str,
    items: Vec<ItemDraft>,
) -> Result<(ChecklistId, Vec<Value>), Error> {
    let id = ChecklistId::new(desk.world.ulid());
    let list = Checklist { task_id: task.clone(), title: title.trim().to_owned() };
    plan.make(&id, list);
    let items = append(desk, plan, &End { list: &id, task, there: &[] }, items)?;
    Ok((id, items))
}

/// The end of a checklist.
pub(super) struct End<'a> {
    /// Which list.
    pub(super) list: &'a ChecklistId,
    /// Of which task.
    pub(super) task: &'a TaskId,
    /// What is on it already, in order.
    pub(super) there: &'a [Loaded<ChecklistItem>],
}

/// Makes items at the end of a list, in order, and answers with them.
pub(super) fn append(
    desk: &Desk,
    plan: &mut Plan,
    end: &End<'_>,
    items: Vec<ItemDraft>,
) -> Result<Vec<Value>, Error> {
    let ranks = keys_at(plan, end, items.len())?;
    let mut made = Vec::new();
    for (item, rank) in items.into_iter().zip(ranks) {
        let id = ItemId::new(desk.world.ulid());
        let (title, checked) = item.parts();
        let (checklist_id, task_id) = (end.list.clone(), end.task.clone());
        let item = ChecklistItem { checklist_id, task_id, title, checked, rank };
        made.push(shown(&(&id).into(), &item));
        plan.make(&id, item);
    }
    Ok(made)
}

/// Order keys for more items at the end of a list.
pub(super) fn keys_at(plan: &mut Plan, end: &End<'_>, count: usize) -> Result<Vec<String>, Error> {
    let (has, max) = (end.there.len(), limits::CHECKLIST_ITEMS_MAX);
    if has + count > max {
        let message = format!("the checklist has {has} items; {count} more are over {max}");
        let hint = "make another checklist and name it, or a task of its own";
        return Err(Error::refuse(Code::LimitReached, message, hint));
    }
    let last = end.there.last().map(|item| item.body.rank.as_str());
    if let Ok(keys) = rules::rank::after(last, count) {
        return Ok(keys);
    }
    // The last key leaves no room behind it: the whole list is numbered afresh.
    let mut keys = afresh(has + count);
    let behind = keys.split_off(has);
    for (item, rank) in end.there.iter().zip(keys) {
        plan.change(item, ChecklistItem { rank, ..item.body.clone() });
    }
    Ok(behind)
}

/// Keys for a whole list.
pub(super) fn afresh(count: usize) -> Vec<String> {
    rules::rank::after(None, count).expect("the longest list has short keys")
}

/// Refuses a checklist more than a task may have.
pub(super) fn room_for_list(lists: &[Loaded<Checklist>]) -> Result<(), Error> {
    let max = limits::CHECKLISTS_MAX;
    if lists.len() < max {
        return Ok(());
    }
    let message =
        format!("the task has {} checklists already, at most {max} are kept", lists.len());
    Err(Error::refuse(Code::LimitReached, message, "use one of them, or make a follow-up task"))
}

/// What to say to who names no item.
pub(super) fn none_named() -> Error {
    Error::refuse(Code::WrongUsage, "no checklist item is named", "name at least one")
}

/// An item as verbs answer it.
pub(super) fn shown(id: &RecordId, item: &ChecklistItem) -> Value {
    json!({ "id": id, "title": item.title, "checked": item.checked })
}

/// Refuses if an item is not on a list that it was said to be on.
pub(super) fn on_list(item: &Loaded<ChecklistItem>, list: &RecordId) -> Result<(), Error> {
    if item.body.checklist_id.as_str() == list.as_str() {
        return Ok(());
    }
    let message = format!("{} is not on the checklist {list}", item.id);
    let hint = "`dormouse task show` shows which is where";
    Err(Error::refuse(Code::UnknownRecord, message, hint).for_agents(NAME_WHAT_IS_SHOWN))
}

/// Refuses if something is not part of the task that it was said to be part of.
pub(super) fn of_task(what: &RecordId, own: &TaskId, task: &Loaded<Task>) -> Result<(), Error> {
    if own.as_str() == task.id.as_str() {
        return Ok(());
    }
    let message = format!("{what} does not belong to {}", task.id);
    let hint = "`dormouse task show` shows what belongs to it";
    Err(Error::refuse(Code::UnknownRecord, message, hint).for_agents(NAME_WHAT_IS_SHOWN))
}

//! The task as it is after the calls that went through: the prompt shows it as it was before them.

use serde_json::Value;
use types::{ChecklistId, Due, RecordId};

use crate::course::{Course, Outcome};
use crate::read::{Change, Checklist, Did, Item, Prompt, Task};

/// The prompt with what was done in this turn.
pub(crate) fn project(prompt: &Prompt, course: &Course<'_>) -> Prompt {
    let mut prompt = prompt.clone();
    let Some(mut task) = prompt.task.take() else { return prompt };
    for made in &course.calls {
        if let Outcome::Done(payload) = &made.outcome {
            prompt.notes.extend(noted(made.tool, made.arguments));
            let changes = apply(&mut task, made.tool, made.arguments, payload);
            prompt.changes.extend(changes);
        }
    }
    prompt.task = Some(task);
    prompt
}

/// Notes that were kept: what they say is private from now on.
fn noted(tool: &str, arguments: &Value) -> Vec<String> {
    let notes = arguments.get("notes").filter(|_| tool == "record_observations");
    let notes = notes.and_then(Value::as_array).into_iter().flatten();
    notes.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn apply(task: &mut Task, tool: &str, arguments: &Value, payload: &Value) -> Vec<Change> {
    let word = |name: &str| arguments.get(name).and_then(Value::as_str).map(str::to_owned);
    match tool {
        "add_multiple_checklist_items" => {
            add(task, word("checklistId").as_deref(), arguments, payload)
        }
        "create_checklist" => {
            let id = payload.get("checklistId").and_then(Value::as_str);
            let id = id.and_then(|id| id.parse().ok());
            task.checklists.push(Checklist { id, title: word("title"), items: Vec::new() });
            let list = task.checklists.len() - 1;
            let mut changes = vec![made("CHECKLIST", None, word("title"))];
            changes.extend(put(&mut task.checklists[list], arguments, payload));
            changes
        }
        "update_checklist_items" => update(task, arguments),
        "set_task_title"
        | "update_task_fields"
        | "update_task_priority"
        | "update_task_due_date"
        | "update_task_estimate" => fields(task, arguments),
        _ => Vec::new(),
    }
}

fn add(task: &mut Task, list: Option<&str>, arguments: &Value, payload: &Value) -> Vec<Change> {
    let named = task
        .checklists
        .iter()
        .position(|one| list.is_some() && one.id.as_ref().map(ChecklistId::as_str) == list);
    if task.checklists.is_empty() {
        task.checklists.push(Checklist { id: None, title: None, items: Vec::new() });
    }
    put(&mut task.checklists[named.unwrap_or(0)], arguments, payload)
}

/// Puts the items of a call into a list, with the ids that the answer names in the same order.
fn put(list: &mut Checklist, arguments: &Value, payload: &Value) -> Vec<Change> {
    let titles = arguments.get("items").and_then(Value::as_array).into_iter().flatten();
    let ids: Vec<Option<RecordId>> = payload
        .get("items")
        .and_then(Value::as_array)
        .map(|items| items.iter().map(|item| item.get("id")?.as_str()?.parse().ok()).collect())
        .unwrap_or_default();
    let mut changes = Vec::new();
    for (place, title) in titles.filter_map(Value::as_str).enumerate() {
        let id = ids.get(place).cloned().flatten();
        changes.push(made("CHECKLIST_ITEM", id.clone(), Some(title.to_owned())));
        list.items.push(Item { id, title: title.to_owned(), checked: false });
    }
    changes
}

fn update(task: &mut Task, arguments: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    for wanted in arguments.get("items").and_then(Value::as_array).into_iter().flatten() {
        let id = wanted.get("id").and_then(Value::as_str);
        let items = task.checklists.iter_mut().flat_map(|list| &mut list.items);
        let item = items
            .into_iter()
            .find(|item| item.id.as_ref().map(RecordId::as_str) == id && item.id.is_some());
        let Some(item) = item else { continue };
        let mut fields = Vec::new();
        if let Some(checked) = wanted.get("checked").and_then(Value::as_bool) {
            item.checked = checked;
            fields.push("checked");
        }
        if let Some(title) = wanted.get("title").and_then(Value::as_str) {
            title.clone_into(&mut item.title);
            fields.push("title");
        }
        changes.push(changed("CHECKLIST_ITEM", item.id.clone(), &fields));
    }
    changes
}

fn fields(task: &mut Task, arguments: &Value) -> Vec<Change> {
    let mut fields = Vec::new();
    let word = |name: &str| arguments.get(name).and_then(Value::as_str).map(str::to_owned);
    if let Some(title) = word("title") {
        task.title = title;
        fields.push("title");
    }
    if let Some(status) = word("status") {
        task.status = Some(status);
        fields.push("status");
    }
    if let Some(priority) = word("priority") {
        task.priority = Some(priority);
        fields.push("priority");
    }
    if arguments.get("dueDate").is_some() {
        task.due = word("dueDate").and_then(|due| due.parse::<Due>().ok());
        fields.push("due");
    }
    if let Some(minutes) = arguments.get("estimateMinutes") {
        task.estimate_minutes = minutes.as_u64();
        fields.push("estimate_minutes");
    }
    vec![changed("TASK", Some((&task.id).into()), &fields)]
}

fn made(kind: &str, record: Option<RecordId>, title: Option<String>) -> Change {
    Change {
        record,
        kind: kind.to_owned(),
        did: Did::Made,
        fields: Vec::new(),
        by_agent: false,
        title,
    }
}

fn changed(kind: &str, record: Option<RecordId>, fields: &[&str]) -> Change {
    let fields = fields.iter().map(|field| (*field).to_owned()).collect();
    Change { did: Did::Changed, fields, ..made(kind, record, None) }
}

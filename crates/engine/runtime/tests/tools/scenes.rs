//! One scene for each tool: what is there, and what the agent asks for, in a category.

use serde_json::{Value, json};

use crate::house::{House, SECRET};

/// A tool, and arguments that it can be called with, after what they need has been put there. Everything
/// lies in the category that is named.
pub(crate) struct Scene {
    pub(crate) tool: &'static str,
    pub(crate) arguments: fn(&House, &str) -> Value,
}

const fn scene(tool: &'static str, arguments: fn(&House, &str) -> Value) -> Scene {
    Scene { tool, arguments }
}

const DAY: &str = "2027-01-01";

pub(crate) const SCENES: &[Scene] = &[
    scene("create_task", |_, at| json!({ "title": "new", "categoryId": format!("category_{at}") })),
    scene(
        "update_task_fields",
        |h, at| json!({ "taskId": h.errand(at).task, "status": "done", "dueDate": DAY }),
    ),
    scene("set_task_title", |h, at| json!({ "taskId": h.errand(at).task, "title": "moss" })),
    scene(
        "update_task_estimate",
        |h, at| json!({ "taskId": h.errand(at).task, "estimateMinutes": 30 }),
    ),
    scene("update_task_due_date", |h, at| json!({ "taskId": h.errand(at).task, "dueDate": DAY })),
    scene("update_task_priority", |h, at| json!({ "taskId": h.errand(at).task, "priority": "p0" })),
    scene("set_task_language", |h, at| json!({ "taskId": h.errand(at).task, "language": "de" })),
    scene("assign_task_labels", |h, at| {
        let label = h.id("add_label", json!({ "name": "garden" }));
        json!({ "taskId": h.errand(at).task, "labelIds": [label] })
    }),
    scene("create_follow_up_task", |h, at| {
        json!({
            "sourceTaskId": h.errand(at).task, "newTaskTitle": "next",
            "carryOverOpenChecklistItems": true, "closeSourceTaskAs": "DONE",
            "preserveCategoryAndLabels": true
        })
    }),
    scene(
        "conclude_task_with_rollover",
        |h, at| json!({ "taskId": h.errand(at).task, "closeAs": "done", "followUpTitle": "next" }),
    ),
    scene(
        "add_multiple_checklist_items",
        |h, at| json!({ "taskId": h.errand(at).task, "items": ["a", "b"] }),
    ),
    scene("update_checklist_items", |h, at| {
        let errand = h.errand(at);
        json!({ "taskId": errand.task, "items": [{ "id": errand.items[0], "checked": true }] })
    }),
    scene("create_checklist", |h, at| json!({ "taskId": h.errand(at).task, "title": "more" })),
    scene("move_checklist_items", |h, at| {
        let (from, to) = (h.errand(at), h.errand(at));
        json!({
            "itemIds": from.items, "fromChecklistId": from.list, "toChecklistId": to.list,
            "preserveCheckedState": true
        })
    }),
    scene(
        "move_checklist_items_to_new_task",
        |h, at| json!({ "itemIds": h.errand(at).items, "newTaskTitle": "of its own" }),
    ),
    scene("create_retrospective_time_entry", |h, at| {
        json!({
            "taskId": h.errand(at).task, "startedAt": "2027-01-01T09:00:00Z",
            "endedAt": "2027-01-01T10:00:00Z", "description": "watering"
        })
    }),
    scene("start_task_timer", |h, at| json!({ "taskId": h.errand(at).task })),
    scene("stop_task_timer", |h, at| json!({ "timeEntryId": timer(h, at) })),
    scene(
        "annotate_time_entry",
        |h, at| json!({ "timeEntryId": timer(h, at), "description": "x" }),
    ),
    scene("get_or_create_day_plan", |_, _| json!({ "planDate": DAY })),
    scene("upsert_day_plan_blocks", |_, at| json!({ "planDate": DAY, "upserts": [block(at, 9)] })),
    scene("pin_day_plan_tasks", |h, at| json!({ "planDate": DAY, "taskIds": [h.errand(at).task] })),
    scene("replan_day_blocks", |h, at| {
        h.does("upsert_day_plan_blocks", json!({ "planDate": DAY, "upserts": [block(at, 14)] }));
        json!({ "planDate": DAY, "fromTime": "2027-01-01T13:00:00Z", "blocks": [block(at, 15)] })
    }),
    scene("create_or_update_rating", |h, at| json!({ "targetId": h.errand(at).task, "score": 4 })),
    scene("list_allowed_categories", |h, at| {
        h.errand(at);
        json!({})
    }),
    scene("list_tasks_in_scope", |h, at| {
        h.errand(at);
        json!({ "limit": 10 })
    }),
    scene("resolve_task_reference", |h, at| {
        h.errand(at);
        json!({ "reference": SECRET })
    }),
    scene("get_ratings_summary", |h, at| {
        rated(h, at);
        json!({ "from": DAY, "to": DAY })
    }),
    scene("get_rating_for_target", |h, at| json!({ "targetId": rated(h, at) })),
];

fn timer(house: &House, category: &str) -> String {
    house.id("start_task_timer", json!({ "taskId": house.errand(category).task }))
}

fn rated(house: &House, category: &str) -> String {
    let task = house.errand(category).task;
    house.does("create_or_update_rating", json!({ "targetId": task, "score": 2, "note": SECRET }));
    task
}

fn block(category: &str, hour: u32) -> Value {
    json!({
        "categoryId": format!("category_{category}"),
        "startTime": format!("2027-01-01T{hour:02}:00:00Z"),
        "endTime": format!("2027-01-01T{:02}:00:00Z", hour + 1),
        "note": if category == "work" { SECRET } else { "garden" }
    })
}

//! A plan as its reader may see it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use types::{BlockId, DayPlan, PlanBlock, TaskId};

use crate::Error;
use crate::desk::{Desk, Kept};

/// The plan as verbs answer it: only blocks and tasks within reach. What a person notes about a whole
/// day is for that person alone.
pub(crate) async fn seen(desk: &mut Desk, plan: &DayPlan) -> Result<Value, Error> {
    let within: Vec<&PlanBlock> =
        plan.blocks.iter().filter(|block| desk.reaches(&block.category_id)).collect();
    let meant = within.iter().filter_map(|block| block.task_id.as_ref());
    let mut tasks = desk.kept_tasks(plan.pinned.iter().chain(meant)).await?;
    tasks.retain(|_, kept| desk.reaches(&kept.task.category_id));
    for (id, kept) in tasks.iter().filter(|(_, kept)| !kept.removed) {
        desk.touch(id, kept.revision, Some(&kept.task.category_id));
    }
    let blocks: Vec<Value> = within.iter().map(|one| block(desk, one, &tasks)).collect();
    let pinned: Vec<Value> = plan.pinned.iter().filter_map(|id| pin(id, &tasks)).collect();
    let mut answer = json!({
        "id": DayPlan::id(plan.day),
        "planDate": plan.day,
        "zone": desk.world.zone(),
        "closed": plan.closed_at.is_some(),
        "blocks": blocks,
        "pinned": pinned,
        "overlaps": overlaps(&within),
    });
    if desk.is_operator() {
        answer["note"] = json!(plan.note);
    }
    Ok(answer)
}

fn block(desk: &Desk, block: &PlanBlock, tasks: &BTreeMap<TaskId, Kept>) -> Value {
    // The task may have gone to another category since; then it is not named.
    let task = block.task_id.as_ref().filter(|id| tasks.contains_key(id));
    json!({
        "id": block.id,
        "categoryId": block.category_id,
        "startTime": desk.local(block.starts_at),
        "endTime": desk.local(block.ends_at),
        "note": block.note,
        "taskId": task,
    })
}

fn pin(id: &TaskId, tasks: &BTreeMap<TaskId, Kept>) -> Option<Value> {
    let Kept { task, removed, .. } = tasks.get(id)?;
    Some(json!({
        "taskId": id,
        "title": task.title,
        "status": task.status,
        "due": task.due,
        "removed": removed,
    }))
}

/// Pairs of blocks that run into each other.
fn overlaps(blocks: &[&PlanBlock]) -> Vec<[BlockId; 2]> {
    let span = |block: &PlanBlock| (block.starts_at, block.ends_at);
    let mut found = Vec::new();
    for (place, first) in blocks.iter().enumerate() {
        let others = blocks.iter().skip(place + 1);
        let touching = others.filter(|other| rules::span::overlap(span(first), span(other)));
        found.extend(touching.map(|other| [first.id.clone(), other.id.clone()]));
    }
    found
}

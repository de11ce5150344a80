//! The plan of a day.

use std::collections::BTreeMap;

use types::{At, BlockId, DayPlan, Due, PlanBlock, TaskId, TaskStatus};

use crate::Error;
use crate::desk::{Desk, Kept};

use super::names::Names;

/// A block of a day as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockView {
    /// Its id.
    pub id: BlockId,
    /// The name of its category.
    pub category: String,
    /// From when.
    pub starts_at: At,
    /// Until when.
    pub ends_at: At,
    /// From when, by the clock on the wall here.
    pub from: String,
    /// Until when, by the same clock; midnight is `24:00`.
    pub to: String,
    /// What for.
    pub note: String,
    /// The task it is meant for, and its title.
    pub task: Option<(TaskId, String)>,
    /// Minutes that are free before the next block; absent for the last, and where it joins.
    pub free_after: Option<i64>,
}

/// A pinned task as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinView {
    /// Which.
    pub id: TaskId,
    /// Its title.
    pub title: String,
    /// The name of its category.
    pub category: String,
    /// Where it stands; absent if it is gone.
    pub status: Option<TaskStatus>,
    /// When it is due.
    pub due: Option<Due>,
}

/// The blocks and pinned tasks of a plan.
pub(super) async fn views(
    desk: &Desk,
    plan: &DayPlan,
    names: &Names,
) -> Result<(Vec<BlockView>, Vec<PinView>), Error> {
    let meant = plan.blocks.iter().filter_map(|block| block.task_id.as_ref());
    let tasks = desk.kept_tasks(plan.pinned.iter().chain(meant)).await?;
    let spans: Vec<_> = plan.blocks.iter().map(|block| (block.starts_at, block.ends_at)).collect();
    let gaps = rules::span::gaps(&spans);
    let midnight = desk.bounds(plan.day).1;
    let blocks = plan.blocks.iter().enumerate().map(|(place, one)| {
        // A gap ends where the next block starts; it is shown behind the one before that.
        let next = plan.blocks.get(place + 1).map(|next| next.starts_at);
        let free = gaps.iter().find(|gap| Some(gap.1) == next && gap.0 > one.starts_at);
        let free_after = free.map(|(from, to)| (to.millis() - from.millis()) / 60_000);
        let to = if one.ends_at == midnight { "24:00".to_owned() } else { desk.clock(one.ends_at) };
        BlockView { to, free_after, ..block(desk, one, &tasks, names) }
    });
    let pins = plan.pinned.iter().filter_map(|id| pin(id, &tasks, names));
    Ok((blocks.collect(), pins.collect()))
}

fn block(
    desk: &Desk,
    block: &PlanBlock,
    tasks: &BTreeMap<TaskId, Kept>,
    names: &Names,
) -> BlockView {
    let task = block.task_id.as_ref().and_then(|id| {
        let kept = tasks.get(id)?;
        Some((id.clone(), kept.task.title.clone()))
    });
    BlockView {
        id: block.id.clone(),
        category: names.category(&block.category_id),
        starts_at: block.starts_at,
        ends_at: block.ends_at,
        from: desk.clock(block.starts_at),
        to: desk.clock(block.ends_at),
        note: block.note.clone(),
        task,
        free_after: None,
    }
}

fn pin(id: &TaskId, tasks: &BTreeMap<TaskId, Kept>, names: &Names) -> Option<PinView> {
    let kept = tasks.get(id)?;
    Some(PinView {
        id: id.clone(),
        title: kept.task.title.clone(),
        category: names.category(&kept.task.category_id),
        status: (!kept.removed).then_some(kept.task.status),
        due: kept.task.due,
    })
}

//! From the time that was spent to what goes over the wire.

use api_types::{SpentReply, TimeReply, TimeSheetReply};
use runtime::{SpentView, TimeSheetView, TimeView};

pub(super) fn time(view: TimeView) -> TimeReply {
    TimeReply {
        id: view.id.to_string(),
        task: view.task_id.to_string(),
        title: view.title,
        category: view.category,
        description: view.description,
        started_at: view.started_at,
        ended_at: view.ended_at,
        day: view.day,
        day_name: view.day_name,
        from: view.from,
        to: view.to,
        minutes: view.minutes,
        running: view.ended_at.is_none(),
        source_entry: view.source_entry_id.map(|id| id.to_string()),
    }
}

pub(super) fn sheet(view: TimeSheetView) -> TimeSheetReply {
    TimeSheetReply {
        from: view.from,
        to: view.to,
        entries: view.entries.into_iter().map(time).collect(),
        by_task: view.by_task.into_iter().map(spent).collect(),
        by_category: view.by_category.into_iter().map(spent).collect(),
        minutes: view.minutes,
    }
}

fn spent(view: SpentView) -> SpentReply {
    SpentReply { id: view.id, name: view.name, minutes: view.minutes }
}

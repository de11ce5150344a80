//! From a day and how it was to what goes over the wire.

use api_types::{
    BlockReply, DayNoteReply, DayReply, MeanReply, PinReply, RatingReply, RatingsReply,
};
use runtime::{BlockView, DayView, MeanView, NoteView, PinView, RatingView, RatingsView};

use super::{replies, time_replies};

pub(super) fn day(view: DayView) -> DayReply {
    let current = view.current;
    let blocks = view.blocks.into_iter().enumerate();
    DayReply {
        day: view.day,
        name: view.name,
        now: view.now,
        blocks: blocks.map(|(place, one)| block(one, Some(place) == current)).collect(),
        pinned: view.pinned.into_iter().map(pin).collect(),
        due: view.due.into_iter().map(replies::task).collect(),
        overdue: view.overdue.into_iter().map(replies::task).collect(),
        closed: view.closed.into_iter().map(replies::task).collect(),
        running: view.running.map(time_replies::time),
        time: time_replies::sheet(view.time),
        notes: view.notes.into_iter().map(note).collect(),
        rating: view.rating.map(rating),
        closed_at: view.closed_at,
        note: view.note,
    }
}

fn block(view: BlockView, current: bool) -> BlockReply {
    let (task, title) = view.task.map(|(id, title)| (id.to_string(), title)).unzip();
    BlockReply {
        id: view.id.to_string(),
        category: view.category,
        starts_at: view.starts_at,
        ends_at: view.ends_at,
        from: view.from,
        to: view.to,
        note: view.note,
        task,
        title,
        current,
        free_after: view.free_after,
    }
}

fn pin(view: PinView) -> PinReply {
    PinReply {
        task: view.id.to_string(),
        title: view.title,
        category: view.category,
        status: view.status.map_or("removed", types::TaskStatus::as_str).to_owned(),
        due: view.due.map(|due| due.to_string()),
    }
}

fn note(view: NoteView) -> DayNoteReply {
    DayNoteReply {
        id: view.id.to_string(),
        kind: view.kind.as_str().to_owned(),
        clock: view.clock,
        line: view.line,
        category: view.category,
    }
}

pub(super) fn rating(view: RatingView) -> RatingReply {
    RatingReply {
        id: view.id.to_string(),
        target: view.target_id.to_string(),
        score: view.score,
        dimensions: view.dimensions,
        note: view.note,
        day: view.day,
    }
}

pub(super) fn ratings(view: RatingsView) -> RatingsReply {
    RatingsReply {
        from: view.from,
        to: view.to,
        count: view.all.count,
        mean: view.all.mean,
        dimensions: view.dimensions.into_iter().map(|(name, of)| (name, mean(of))).collect(),
        days: view.days.into_iter().map(|(day, of)| (day, mean(of))).collect(),
    }
}

fn mean(view: MeanView) -> MeanReply {
    MeanReply { count: view.count, mean: view.mean }
}

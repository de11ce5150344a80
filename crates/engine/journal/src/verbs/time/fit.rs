//! What the verbs of time share: answers, what a stretch of time must be, what it runs into.

use std::cmp::Ordering;

use serde_json::{Value, json};
use types::{At, BodyType, Code, RecordId, TimeEntry};

use crate::Error;
use crate::desk::{Desk, Loaded, typed};
use crate::verbs::schema;

/// A stretch of time as verbs answer it.
pub(crate) fn shown(desk: &Desk, id: &RecordId, time: &TimeEntry) -> Value {
    json!({
        "id": id,
        "taskId": time.task_id,
        "startedAt": desk.local(time.started_at),
        "endedAt": time.ended_at.map(|at| desk.local(at)),
        "running": time.ended_at.is_none(),
        "minutes": minutes(time, desk.now()),
        "description": time.description,
        "sourceEntryId": time.source_entry_id,
    })
}

/// Whole minutes of a stretch; of one that runs, those so far.
pub(crate) fn minutes(time: &TimeEntry, now: At) -> i64 {
    time.minutes().unwrap_or_else(|| (now.millis() - time.started_at.millis()).max(0) / 60_000)
}

/// The way out for time that would end before it begins.
const OVER_MIDNIGHT: &str = "turn the two round; for time over midnight write the day with each end, like `yesterday 23:00` and `today 1:00`";

/// Refuses time that would end before it begins, or when it begins.
pub(crate) fn in_order(desk: &Desk, from: At, to: At) -> Result<(), Error> {
    ordered(desk, from, to, OVER_MIDNIGHT)
}

/// Refuses what would end when it begins, or before it, with this way out of the latter.
pub(crate) fn ordered(desk: &Desk, from: At, to: At, way_out: &str) -> Result<(), Error> {
    let (begin, end) = (desk.local(from), desk.local(to));
    let (message, hint) = match from.cmp(&to) {
        Ordering::Less => return Ok(()),
        Ordering::Equal => {
            (format!("it would begin and end at {begin}, which is no time at all"), "end it later")
        }
        Ordering::Greater => (format!("it would end at {end}, but begin at {begin}"), way_out),
    };
    Err(Error::refuse(Code::EndBeforeStart, message, hint))
}

/// Refuses a time that has not come yet.
pub(crate) fn has_come(desk: &Desk, at: At) -> Result<(), Error> {
    if at <= desk.now() {
        return Ok(());
    }
    let message = format!("{} has not come yet", desk.local(at));
    let hint = "write the day of what has been, like `yesterday 23:00`; what is to come belongs into the day's plan";
    Err(Error::refuse(Code::BadTime, message, hint))
}

/// Stretches that this one runs into, as far as whoever asks may know of them: those that began on
/// one of its days or the day before, and the timer that runs.
pub(crate) async fn overlaps(
    desk: &Desk,
    id: &RecordId,
    time: &TimeEntry,
) -> Result<Vec<Value>, Error> {
    let span = |time: &TimeEntry| {
        (time.started_at, time.ended_at.unwrap_or_else(|| desk.now().max(time.started_at)))
    };
    let own = span(time);
    let before = rules::day::shifted(time.day, -1).unwrap_or(time.day);
    let near = desk.of_days(BodyType::TimeEntry, before, desk.day_of(own.1)).await?;
    let mut near: Vec<Loaded<TimeEntry>> =
        near.into_iter().filter_map(|record| Loaded::from(record, typed::time)).collect();
    near.extend(desk.running().await?);
    near.retain(|other| other.id != *id && rules::span::overlap(own, span(&other.body)));
    near.sort_by(|a, b| (a.body.started_at, &a.id).cmp(&(b.body.started_at, &b.id)));
    near.dedup_by(|a, b| a.id == b.id);
    let tasks = desk.kept_tasks(near.iter().map(|other| &other.body.task_id)).await?;
    let known = near.iter().filter(|other| {
        let task = tasks.get(&other.body.task_id);
        task.map_or_else(|| desk.is_operator(), |kept| desk.reaches(&kept.task.category_id))
    });
    Ok(known.map(|other| shown(desk, &other.id, &other.body)).collect())
}

/// The argument that names a stretch of time.
pub(crate) fn time_entry_id() -> Value {
    schema::id("time", "Which time entry.")
}

/// The argument that says what was done.
pub(crate) fn description() -> Value {
    schema::line("What was done.", types::limits::NOTE_BYTES_MAX)
}

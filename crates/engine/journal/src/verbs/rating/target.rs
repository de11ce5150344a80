//! What is rated, and where its rating stands.

use types::{BodyType, CategoryId, Code, Day, DayPlan, Rating, RatingId, RecordId};

use crate::Error;
use crate::desk::{Desk, Loaded, Place, typed};

/// Something that can be rated.
pub(crate) struct Rated {
    /// Which.
    pub(crate) id: RecordId,
    /// Where it lies; absent for a day.
    pub(crate) category: Option<CategoryId>,
    /// The day it belongs to; a task belongs to none.
    pub(crate) day: Option<Day>,
}

/// What can be rated besides a day, by the beginning of its ids.
const KINDS: [(&str, &str); 3] = [("task", "task"), ("time", "time entry"), ("entry", "note")];

/// What a text names: a task, a stretch of time, an entry, or a day by its plan's id. The operator may
/// also write a day as people do, or the last characters of an id.
pub(crate) async fn rated(desk: &mut Desk, text: &str) -> Result<Rated, Error> {
    let text = text.trim();
    let day = match text.strip_prefix("plan_") {
        Some(day) => Some(day.parse::<Day>()?),
        None if desk.is_operator() => desk.day(text).ok(),
        None => None,
    };
    match day {
        Some(day) => of_day(desk, day),
        None => of_record(desk, text).await,
    }
}

fn of_day(desk: &Desk, day: Day) -> Result<Rated, Error> {
    if desk.is_operator() {
        return Ok(Rated { id: DayPlan::id(day).into(), category: None, day: Some(day) });
    }
    let message = "a day belongs to all categories, and its rating to the operator alone";
    let hint = "rate a task, a time entry or an entry instead";
    Err(Error::refuse(Code::OtherCategory, message, hint))
}

async fn of_record(desk: &mut Desk, text: &str) -> Result<Rated, Error> {
    let id = meant(desk, text).await?;
    match id.as_str().split_once('_').map(|(kind, _)| kind) {
        Some("task") => {
            let task = desk.task(id.as_str()).await?;
            Ok(Rated { id, category: Some(task.body.category_id), day: None })
        }
        Some("time") => {
            let time = desk.time(id.as_str()).await?;
            let category = desk.category_of_task(&time.body.task_id).await?;
            Ok(Rated { id, category, day: Some(time.body.day) })
        }
        _ => {
            let entry = desk.entry(id.as_str()).await?;
            Ok(Rated { id, category: Some(entry.body.category_id), day: Some(entry.body.day) })
        }
    }
}

/// The one id of all kinds that a text names.
async fn meant(desk: &Desk, text: &str) -> Result<RecordId, Error> {
    let written_out =
        |prefix: &str| text.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_'));
    let one = KINDS.iter().any(|(prefix, _)| written_out(prefix));
    let mut found = Vec::new();
    for (prefix, what) in KINDS.into_iter().filter(|(prefix, _)| !one || written_out(prefix)) {
        match desk.refer(prefix, what, text).await {
            Ok(id) => found.push(id),
            Err(Error::Refused { problem, .. }) if problem.code != Code::AmbiguousReference => {}
            Err(error) => return Err(error),
        }
    }
    match (found.pop(), found.pop()) {
        (Some(id), None) => Ok(id),
        (None, _) => {
            let message = format!("there is nothing {text:?} that could be rated");
            let hint = "name a task, a time entry, a note, or a day such as `today`";
            Err(Error::refuse(Code::UnknownRecord, message, hint))
        }
        (Some(_), Some(_)) => Err(Error::refuse(
            Code::AmbiguousReference,
            format!("more than one thing ends with {text:?}"),
            "write the id out",
        )),
    }
}

/// The place of the one rating that something can have, the same on every host.
pub(crate) async fn place_of(desk: &mut Desk, rated: &Rated) -> Result<Place<Rating>, Error> {
    let place = desk.place(rating_id(&rated.id), typed::rating).await?;
    if place.body.is_some() {
        desk.touch(place.id.clone(), place.revision, rated.category.as_ref());
    }
    Ok(place)
}

/// The rating of a record, if there is one.
pub(crate) async fn rating_of(
    desk: &Desk,
    target: &RecordId,
) -> Result<Option<Loaded<Rating>>, Error> {
    // One that comes meanwhile has no revision that could be guarded.
    desk.listing(rules::token::of_property(BodyType::Rating, "target", target)).await?;
    desk.read(rating_id(target), typed::rating).await
}

fn rating_id(target: &RecordId) -> RatingId {
    RatingId::from_digest(&rules::hash::fields(["rating", target.as_str()]))
}

//! Reading an archive from JSON.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use types::{At, Body, BodyType, CategoryId, RecordId, Relation};

use crate::Error;
use crate::exchange::archive::{Gone, LINKS, Piece, Tie};
use crate::exchange::intake::{Here, Intake, Place, Reading};
use crate::exchange::refuse::{bad, broken, newer};

use super::write::VERSION;

type Rows = Vec<Map<String, Value>>;

#[derive(Deserialize)]
struct Head {
    dormouse: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "dormouse")]
    _version: u32,
    categories: Option<Rows>,
    labels: Option<Rows>,
    tasks: Option<Rows>,
    checklists: Option<Rows>,
    items: Option<Rows>,
    entries: Option<Rows>,
    time: Option<Rows>,
    plans: Option<Rows>,
    ratings: Option<Rows>,
    links: Option<Vec<Value>>,
    gone: Option<Vec<Value>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Link {
    from: RecordId,
    relation: Relation,
    to: RecordId,
    #[serde(default)]
    hidden: bool,
    #[serde(default)]
    body: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Missing {
    id: RecordId,
    #[serde(default)]
    category_id: Option<CategoryId>,
}

/// Reads what [`super::write`] writes, and the same written by others. An export has all sections;
/// a file that lacks one is no whole journal.
pub(crate) fn read(text: &str, here: &Here) -> Result<Reading, Error> {
    check_version(text)?;
    let file: File = serde_json::from_str(text).map_err(|error| broken(error.to_string()))?;
    let mut intake = Intake::new(here);
    let mut whole = file.links.is_some() && file.gone.is_some();
    for (kind, section, rows) in [
        (BodyType::Category, "categories", file.categories),
        (BodyType::TaskLabel, "labels", file.labels),
        (BodyType::Task, "tasks", file.tasks),
        (BodyType::Checklist, "checklists", file.checklists),
        (BodyType::ChecklistItem, "items", file.items),
        (BodyType::Entry, "entries", file.entries),
        (BodyType::TimeEntry, "time", file.time),
        (BodyType::DayPlan, "plans", file.plans),
        (BodyType::Rating, "ratings", file.ratings),
    ] {
        whole &= rows.is_some();
        for (number, row) in rows.into_iter().flatten().enumerate() {
            let place = Place::Row(section, number);
            intake.add(place, piece(place, kind, row)?)?;
        }
    }
    for (number, row) in file.links.into_iter().flatten().enumerate() {
        let place = Place::Row(LINKS, number);
        let tie = tie(place, row)?;
        intake.tie(place, tie);
    }
    for (number, row) in file.gone.into_iter().flatten().enumerate() {
        intake.gone(gone(Place::Row("gone", number), row)?);
    }
    Ok(intake.finish(whole))
}

/// The version comes first: of a newer file nothing else may be as this one knows it.
fn check_version(text: &str) -> Result<(), Error> {
    let head: Head = serde_json::from_str(text).map_err(|error| broken(error.to_string()))?;
    match head.dormouse.as_ref().and_then(Value::as_u64) {
        Some(version) if version == u64::from(VERSION) => Ok(()),
        Some(version) if version > u64::from(VERSION) => Err(newer(version, VERSION)),
        _ => Err(broken("it is no export of Dormouse: \"dormouse\" does not say its version")),
    }
}

/// A relation from its fields.
pub(crate) fn tie(place: Place, row: Value) -> Result<Tie, Error> {
    let Link { from, relation, to, hidden, body } = typed(place, row)?;
    Ok(Tie { from, relation, to, hidden, body })
}

/// What is gone, from its fields.
pub(crate) fn gone(place: Place, row: Value) -> Result<Gone, Error> {
    let Missing { id, category_id } = typed(place, row)?;
    Ok(Gone { id, category_id })
}

fn piece(place: Place, kind: BodyType, mut row: Map<String, Value>) -> Result<Piece, Error> {
    let mut take =
        |name: &str| row.remove(name).ok_or_else(|| bad(place, format!("it has no {name}")));
    let (id, created_at) = (take("id")?, take("created_at")?);
    let id: RecordId = typed(place, id)?;
    let created_at: At = typed(place, created_at)?;
    let body = body(kind, row).map_err(|error| bad(place, format!("{id}: {error}")))?;
    Ok(Piece { id, created_at, body })
}

fn typed<T: DeserializeOwned>(place: Place, value: Value) -> Result<T, Error> {
    serde_json::from_value(value).map_err(|error| bad(place, error))
}

/// The body of a kind from its fields; no others may be there.
pub(crate) fn body(kind: BodyType, fields: Map<String, Value>) -> Result<Body, serde_json::Error> {
    fn of<T: DeserializeOwned + Into<Body>>(
        fields: Map<String, Value>,
    ) -> Result<Body, serde_json::Error> {
        serde_json::from_value::<T>(fields.into()).map(Into::into)
    }
    match kind {
        BodyType::Category => of::<types::Category>(fields),
        BodyType::TaskLabel => of::<types::TaskLabel>(fields),
        BodyType::Task => of::<types::Task>(fields),
        BodyType::Checklist => of::<types::Checklist>(fields),
        BodyType::ChecklistItem => of::<types::ChecklistItem>(fields),
        BodyType::Entry => of::<types::Entry>(fields),
        BodyType::TimeEntry => of::<types::TimeEntry>(fields),
        BodyType::DayPlan => of::<types::DayPlan>(fields),
        BodyType::Rating => of::<types::Rating>(fields),
        other => Err(serde::de::Error::custom(format!("{} is not exported", other.as_str()))),
    }
}

//! From the tree of a page to records.

use serde_json::Value;
use types::{At, BodyType, CategoryId, RecordId, TaskId};

use crate::Error;
use crate::exchange::archive::Piece;
use crate::exchange::intake::{Intake, Place};
use crate::exchange::json;
use crate::exchange::refuse::bad;

use super::comment::{Comment, Fields};
use super::detail::Details;
use super::seen;
use super::tree::{Node, Shape};

/// Builds records from nodes.
pub(super) struct Builder<'a> {
    pub(super) intake: Intake<'a>,
}

/// In which category something stands. One that has only a name is made when something lies in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Around {
    /// This one.
    Category(CategoryId),
    /// The one of this name.
    Named(String),
}

/// An id and an age, if a comment gives them, and the other fields that it carries.
pub(super) struct Carried {
    pub(super) id: Option<RecordId>,
    pub(super) created_at: Option<At>,
    pub(super) fields: Fields,
}

impl<'a> Builder<'a> {
    /// The id of the category around something.
    pub(super) fn category(&mut self, place: Place, around: &Around) -> Result<CategoryId, Error> {
        match around {
            Around::Category(id) => Ok(id.clone()),
            Around::Named(name) => self.intake.category(place, name),
        }
    }

    /// Takes in a record with its fields as they are seen and carried.
    pub(super) fn record(
        &mut self,
        place: Place,
        kind: BodyType,
        carried: Carried,
        id: impl FnOnce(&mut Intake<'a>) -> RecordId,
    ) -> Result<RecordId, Error> {
        let body = json::body(kind, carried.fields).map_err(|error| bad(place, error))?;
        let id = carried.id.unwrap_or_else(|| id(&mut self.intake));
        let created_at = carried.created_at.unwrap_or_else(|| self.intake.here.now());
        self.intake.add(place, Piece { id: id.clone(), created_at, body })?;
        Ok(id)
    }

    /// A task with all that stands under it.
    pub(super) fn task(&mut self, node: &Node, around: &Around) -> Result<(), Error> {
        let place = node.place();
        let Shape::Box(ticked) = node.shape else { return Ok(()) };
        let category = self.category(place, around)?;
        let first = node.children.first().filter(|first| first.shape == Shape::Bullet);
        let first = first.filter(|first| first.comment.is_none() && first.children.is_empty());
        let details = first.and_then(|first| Details::read(first.raw.trim()));
        let below = &node.children[usize::from(details.is_some())..];
        let details = details.unwrap_or_default();
        let Carried { id, created_at, fields: carried } = carried(node, "task")?;
        let mut labels = std::collections::BTreeSet::new();
        if !carried.contains_key("labels") {
            for name in &details.labels {
                labels.insert(self.intake.label(place, name)?);
            }
        }
        let title = node.words();
        let task = seen::task(title.clone(), ticked, &details, category.clone(), labels);
        let told = carried.contains_key("status");
        let mut fields = seen::whole(seen::fields(&task), carried);
        if !told && !task.status.is_closed() {
            // It was opened again by hand.
            fields.remove("closed_at");
        }
        let carried = Carried { id, created_at, fields };
        let id = self.record(place, BodyType::Task, carried, |intake| {
            let name = intake.named(["markdown task", category.as_str(), &title]);
            TaskId::from_digest(&name).into()
        })?;
        let task: TaskId = id.as_str().parse().map_err(|error| bad(place, error))?;
        self.under_task(below, &task, around)
    }
}

/// What the comment of a node carries, which must be about this kind of thing if there is one.
pub(super) fn carried(node: &Node, kind: &'static str) -> Result<Carried, Error> {
    match &node.comment {
        None => Ok(Carried { id: None, created_at: None, fields: Fields::new() }),
        Some(comment) if comment.kind == kind => carried_by(node.place(), comment),
        Some(comment) => {
            let why = format!("here stands a {}, where a {kind} should", comment.kind);
            Err(bad(node.place(), why))
        }
    }
}

/// What a comment carries.
pub(super) fn carried_by(place: Place, comment: &Comment) -> Result<Carried, Error> {
    let mut fields = comment.fields.clone();
    let id = fields.remove("id").ok_or_else(|| bad(place, "the comment has no id"))?;
    let id = serde_json::from_value(id).map_err(|error| bad(place, error))?;
    let created_at = fields.remove("created_at").filter(|at| *at != Value::Null);
    let created_at = created_at.map(serde_json::from_value).transpose();
    let created_at = created_at.map_err(|error| bad(place, error))?;
    Ok(Carried { id: Some(id), created_at, fields })
}

/// A record that a comment carries whole.
pub(super) fn whole_record(place: Place, comment: &Comment) -> Result<Piece, Error> {
    let Carried { id, created_at, mut fields } = carried_by(place, comment)?;
    let kind = fields.remove("kind");
    let kind = kind.as_ref().and_then(Value::as_str).unwrap_or_default();
    let kind = BodyType::ALL.iter().find(|known| known.as_str() == kind);
    let kind = kind.ok_or_else(|| bad(place, "the comment does not say what it is"))?;
    let Some(Value::Object(body)) = fields.remove("body") else {
        return Err(bad(place, "the comment has no body"));
    };
    let body = json::body(*kind, body).map_err(|error| bad(place, error))?;
    let (id, created_at) = id.zip(created_at).ok_or_else(|| bad(place, "it has no age"))?;
    Ok(Piece { id, created_at, body })
}

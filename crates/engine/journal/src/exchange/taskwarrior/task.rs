//! One task of Taskwarrior.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use types::{At, Entry, EntryId, EntryKind, Relation, Task, TaskId, TaskPriority, TaskStatus};

use crate::Error;
use crate::exchange::archive::{Piece, Tie};
use crate::exchange::intake::{Intake, Place};
use crate::exchange::refuse::bad;
use crate::exchange::title::title;

use super::date;

/// What Taskwarrior works out anew whenever it is asked.
const SUMS: [&str; 2] = ["id", "urgency"];

/// The name of a task.
pub(super) fn uuid_of(row: &Map<String, Value>) -> Option<String> {
    row.get("uuid").and_then(Value::as_str).map(|uuid| uuid.trim().to_lowercase())
}

/// A task of Dormouse's from a name of Taskwarrior's.
fn task_id(uuid: &str) -> TaskId {
    TaskId::from_digest(&rules::hash::fields(["taskwarrior", uuid]))
}

/// A task being read: its fields, as far as they have not been taken.
struct Row<'r, 'a> {
    intake: &'r mut Intake<'a>,
    place: Place,
    fields: Map<String, Value>,
    /// What has no field of its own here.
    rest: Vec<String>,
}

/// Takes a task in.
pub(super) fn take(
    intake: &mut Intake<'_>,
    place: Place,
    fields: Map<String, Value>,
    coming: &BTreeSet<String>,
) -> Result<(), Error> {
    let uuid = uuid_of(&fields);
    let mut row = Row { intake, place, fields, rest: vec![] };
    for sum in SUMS {
        row.fields.remove(sum);
    }
    row.fields.remove("uuid");
    let description = row.text("description")?.unwrap_or_default();
    let (title, whole) = title(&description);
    if title.is_empty() {
        return Err(bad(place, "the task has no description"));
    }
    if !whole {
        row.rest.push(description.clone());
    }
    let id = match &uuid {
        Some(uuid) => task_id(uuid),
        None => TaskId::from_digest(&row.intake.named(["taskwarrior task", &description])),
    };
    let made = row.instant("entry")?;
    let task = row.task(title)?;
    let annotations = row.fields.remove("annotations");
    let depends = row.depends()?;
    let created_at = made.unwrap_or(row.intake.here.now());
    let body = task.clone().into();
    row.intake.add(place, Piece { id: (&id).into(), created_at, body })?;
    for other in depends {
        if coming.contains(&other) {
            let tie = Tie::new(task_id(&other).into(), Relation::Blocks, (&id).into());
            row.intake.tie(place, tie);
        } else {
            row.rest.push(format!("depends: {other}"));
        }
    }
    row.annotations(annotations, &id, &task)?;
    row.leftovers();
    let rest = row.rest.join("\n");
    if !rest.is_empty() {
        let at = made.unwrap_or(created_at);
        row.note(&id, &task, at, format!("From Taskwarrior\n{rest}"), made.is_none())?;
    }
    Ok(())
}

impl Row<'_, '_> {
    /// A field that is a text.
    fn text(&mut self, name: &str) -> Result<Option<String>, Error> {
        match self.fields.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(bad(self.place, format!("{name} is no text"))),
        }
    }

    /// A field that is an instant.
    fn instant(&mut self, name: &str) -> Result<Option<At>, Error> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        match date::instant(&text) {
            Some(at) => Ok(Some(at)),
            None => Err(bad(self.place, format!("{name} is no time: {text:?}"))),
        }
    }

    fn task(&mut self, title: String) -> Result<Task, Error> {
        let started = self.fields.contains_key("start");
        let status = self.text("status")?.unwrap_or_else(|| "pending".to_owned());
        let status = match status.as_str() {
            "pending" if started => TaskStatus::InProgress,
            "pending" => TaskStatus::Open,
            "completed" => TaskStatus::Done,
            "waiting" | "recurring" => {
                self.rest.push(format!("status: {status}"));
                TaskStatus::OnHold
            }
            other => return Err(bad(self.place, format!("there is no status {other:?}"))),
        };
        let category_id = self.category()?;
        let due = self.instant("due")?;
        let due = due.and_then(|at| date::due(at, self.intake.here));
        let end = self.instant("end")?;
        let mut task = Task { status, due, ..Task::new(title, category_id) };
        task.closed_at = end.filter(|_| status.is_closed());
        self.rest.extend(end.filter(|_| !status.is_closed()).map(|end| format!("end: {end}")));
        task.priority = match self.text("priority")?.as_deref() {
            Some("H") => TaskPriority::P1,
            Some("L") => TaskPriority::P3,
            None | Some("M" | "") => TaskPriority::P2,
            Some(other) => {
                self.rest.push(format!("priority: {other}"));
                TaskPriority::P2
            }
        };
        self.labels(&mut task)?;
        Ok(task)
    }

    /// The category of the first part of a project; the whole of a longer one becomes a label.
    fn category(&mut self) -> Result<types::CategoryId, Error> {
        let project = self.fields.get("project").and_then(Value::as_str).unwrap_or_default();
        let first = project.split('.').next().unwrap_or_default().trim().to_owned();
        let usual = self.intake.here.usual_category().to_owned();
        let name = if first.is_empty() { usual } else { first };
        self.intake.category(self.place, &name)
    }

    fn labels(&mut self, task: &mut Task) -> Result<(), Error> {
        let project = self.text("project")?.filter(|project| project.contains('.'));
        let tags = match self.fields.remove("tags") {
            None | Some(Value::Null) => vec![],
            Some(Value::Array(tags)) => tags,
            Some(Value::String(tags)) => tags.split(',').map(Value::from).collect(),
            Some(_) => return Err(bad(self.place, "tags is no list")),
        };
        let tags = tags.into_iter().map(|tag| match tag {
            Value::String(tag) => Ok(tag),
            _ => Err(bad(self.place, "a tag is no text")),
        });
        for name in tags.chain(project.map(Ok)) {
            let name = name?;
            if !name.trim().is_empty() {
                task.labels.insert(self.intake.label(self.place, &name)?);
            }
        }
        Ok(())
    }

    /// The names of the tasks that come before it: a list, or a text with commas as in older versions.
    fn depends(&mut self) -> Result<Vec<String>, Error> {
        let names: Vec<String> = match self.fields.remove("depends") {
            None | Some(Value::Null) => vec![],
            Some(Value::String(names)) => names.split(',').map(str::to_owned).collect(),
            Some(Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).map(str::to_owned).collect()
            }
            Some(_) => return Err(bad(self.place, "depends is no list")),
        };
        let names = names.iter().map(|name| name.trim().to_lowercase());
        Ok(names.filter(|name| !name.is_empty()).collect())
    }

    fn annotations(&mut self, found: Option<Value>, id: &TaskId, task: &Task) -> Result<(), Error> {
        let found = match found {
            None | Some(Value::Null) => return Ok(()),
            Some(Value::Array(found)) => found,
            Some(_) => return Err(bad(self.place, "annotations is no list")),
        };
        for annotation in found {
            let text = annotation.get("description").and_then(Value::as_str).unwrap_or_default();
            let said = annotation.get("entry").and_then(Value::as_str);
            let at = said.map(|said| {
                date::instant(said)
                    .ok_or_else(|| bad(self.place, format!("an annotation has no time: {said:?}")))
            });
            let at = at.transpose()?;
            let now = self.intake.here.now();
            self.note(id, task, at.unwrap_or(now), text.to_owned(), at.is_none())?;
        }
        Ok(())
    }

    /// Fields that nobody has taken, each as a line.
    fn leftovers(&mut self) {
        for (name, value) in std::mem::take(&mut self.fields) {
            let text = match value {
                Value::String(text) => match date::instant(&text) {
                    Some(at) => at.to_string(),
                    None => text,
                },
                other => other.to_string(),
            };
            self.rest.push(format!("{name}: {text}"));
        }
    }

    fn note(
        &mut self,
        id: &TaskId,
        task: &Task,
        at: At,
        text: String,
        timeless: bool,
    ) -> Result<(), Error> {
        if text.trim().is_empty() {
            return Ok(());
        }
        let said = if timeless { String::new() } else { at.to_string() };
        let name = self.intake.named(["taskwarrior note", id.as_str(), &said, &text]);
        let note = EntryId::from_digest(&name);
        if timeless {
            self.intake.timeless(&(&note).into());
        }
        let entry = Entry {
            kind: EntryKind::Text,
            text,
            media: None,
            category_id: task.category_id.clone(),
            task_id: Some(id.clone()),
            at,
            day: rules::day::of(at, &self.intake.here.zone),
        };
        self.intake.add(self.place, Piece { id: note.into(), created_at: at, body: entry.into() })
    }
}

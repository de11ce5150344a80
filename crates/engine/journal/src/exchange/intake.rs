//! What is read from a file, record by record, with the place of each.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use types::{At, Body, Category, CategoryId, RecordId, TaskLabel, TaskLabelId};

use crate::Error;

use super::archive::{Archive, Gone, Piece, Tie};
use super::refuse::bad;

/// Where in a file something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a line, from 1.
    Line(usize),
    /// In a list of a JSON file, from 0.
    Row(&'static str, usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Row(section, row) => write!(f, "{section}[{row}]"),
        }
    }
}

/// What a reader knows besides the file: when and where it is read, and what the journal calls things.
#[derive(Debug, Clone, Default)]
pub(crate) struct Here {
    /// Now, in milliseconds; for what says nothing of its time.
    pub(crate) now_ms: i64,
    /// The zone whose days are meant.
    pub(crate) zone: String,
    /// Categories by their names' marks.
    pub(crate) categories: BTreeMap<String, CategoryId>,
    /// Labels by their names' marks.
    pub(crate) labels: BTreeMap<String, TaskLabelId>,
    /// Where things go that do not say where they belong.
    pub(crate) category: Option<String>,
}

impl Here {
    /// Now.
    pub(crate) fn now(&self) -> At {
        At::from_millis(self.now_ms)
    }

    /// The name of the category for what does not say where it belongs.
    pub(crate) fn usual_category(&self) -> &str {
        self.category.as_deref().unwrap_or("inbox")
    }
}

/// A file as it was understood.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    /// What is in it.
    pub(crate) archive: Archive,
    /// Where in it each record and relation stands, by id or name.
    pub(crate) places: BTreeMap<String, Place>,
    /// It holds a whole journal, as an export does.
    pub(crate) whole: bool,
    /// What was passed over on purpose, and how often.
    pub(crate) left_out: BTreeMap<&'static str, usize>,
    /// Notes that do not say when they were said; they are taken to have been said now.
    pub(crate) timeless: BTreeSet<RecordId>,
}

/// Takes in what a reader finds.
pub(crate) struct Intake<'a> {
    pub(crate) here: &'a Here,
    archive: Archive,
    places: BTreeMap<String, Place>,
    left_out: BTreeMap<&'static str, usize>,
    timeless: BTreeSet<RecordId>,
    categories: BTreeMap<String, CategoryId>,
    labels: BTreeMap<String, TaskLabelId>,
    /// How often a text has come, so that equal lines stay two.
    seen: BTreeMap<String, usize>,
}

impl<'a> Intake<'a> {
    pub(crate) fn new(here: &'a Here) -> Intake<'a> {
        Intake {
            here,
            archive: Archive::default(),
            places: BTreeMap::new(),
            left_out: BTreeMap::new(),
            timeless: BTreeSet::new(),
            categories: BTreeMap::new(),
            labels: BTreeMap::new(),
            seen: BTreeMap::new(),
        }
    }

    /// Takes a record in. An id that comes twice is a mistake.
    pub(crate) fn add(&mut self, place: Place, piece: Piece) -> Result<(), Error> {
        if let Some(first) = self.places.insert(piece.id.to_string(), place) {
            return Err(bad(place, format!("{} is there already, in {first}", piece.id)));
        }
        match &piece.body {
            Body::Category(category) => {
                let id = piece.id.as_str().parse().map_err(|error| bad(place, error))?;
                self.categories.insert(rules::mark::name(&category.name), id);
            }
            Body::TaskLabel(label) => {
                let id = piece.id.as_str().parse().map_err(|error| bad(place, error))?;
                self.labels.insert(rules::mark::name(&label.name), id);
            }
            _ => {}
        }
        self.archive.pieces.push(piece);
        Ok(())
    }

    /// Takes a new record in, of now.
    pub(crate) fn make(
        &mut self,
        place: Place,
        id: impl Into<RecordId>,
        body: impl Into<Body>,
    ) -> Result<(), Error> {
        let created_at = self.here.now();
        self.add(place, Piece { id: id.into(), created_at, body: body.into() })
    }

    /// Takes a relation in. One that comes twice is one.
    pub(crate) fn tie(&mut self, place: Place, tie: Tie) {
        if self.places.insert(tie.name(), place).is_none() {
            self.archive.ties.push(tie);
        }
    }

    /// Takes in that something is gone.
    pub(crate) fn gone(&mut self, gone: Gone) {
        self.archive.gone.push(gone);
    }

    /// Notes that a note does not say when it was said.
    pub(crate) fn timeless(&mut self, id: &RecordId) {
        self.timeless.insert(id.clone());
    }

    /// Notes that something is passed over.
    pub(crate) fn leave_out(&mut self, what: &'static str) {
        *self.left_out.entry(what).or_default() += 1;
    }

    /// The category of a name: one of the file, of the journal, or a new one. One that came in under this
    /// name and was renamed since is still the one that is meant.
    pub(crate) fn category(&mut self, place: Place, name: &str) -> Result<CategoryId, Error> {
        let mark = rules::mark::name(name);
        let known = self.categories.get(&mark).or_else(|| self.here.categories.get(&mark));
        if let Some(known) = known {
            return Ok(known.clone());
        }
        let id = CategoryId::from_digest(&rules::hash::fields(["imported category", &mark]));
        let renamed = self.here.categories.values().any(|known| *known == id);
        if !renamed && !self.places.contains_key(id.as_str()) {
            self.make(place, &id, Category::named(name.trim()))?;
        }
        self.categories.insert(mark, id.clone());
        Ok(id)
    }

    /// The label of a name: one of the file, of the journal, or a new one. As with categories, a new name
    /// makes it no other.
    pub(crate) fn label(&mut self, place: Place, name: &str) -> Result<TaskLabelId, Error> {
        let mark = rules::mark::name(name);
        let known = self.labels.get(&mark).or_else(|| self.here.labels.get(&mark));
        if let Some(known) = known {
            return Ok(known.clone());
        }
        let id = TaskLabelId::from_digest(&rules::hash::fields(["imported label", &mark]));
        let renamed = self.here.labels.values().any(|known| *known == id);
        if !renamed && !self.places.contains_key(id.as_str()) {
            let name = name.trim().to_owned();
            self.make(place, &id, TaskLabel { name, colour: None, category_id: None })?;
        }
        self.labels.insert(mark, id.clone());
        Ok(id)
    }

    /// A name for what has none of its own, from what it says: the same file gives it the same name
    /// again, and what is said twice has two.
    pub(crate) fn named<const N: usize>(&mut self, says: [&str; N]) -> types::Digest {
        let key = rules::hash::fields(says).to_string();
        let count = self.seen.entry(key.clone()).or_default();
        *count += 1;
        rules::hash::fields(["imported", &key, &count.to_string()])
    }

    /// What was read.
    pub(crate) fn finish(self, whole: bool) -> Reading {
        let Intake { archive, places, left_out, timeless, .. } = self;
        Reading { archive: archive.sorted(), places, whole, left_out, timeless }
    }
}

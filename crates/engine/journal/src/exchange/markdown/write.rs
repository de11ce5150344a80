//! Writing an archive as Markdown.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use types::{Body, BodyType, Category, CategoryId, Entry, RecordId, TaskLabel, TaskLabelId};

use crate::exchange::archive::{Archive, Piece};
use crate::views::heading;

use super::comment::{Fields, comment};
use super::escape::escape;
use super::quote::{self, quote};
use super::seen::{self, beside, fields};
use super::stamp;

/// The version of the format; a reader refuses a higher one.
pub(super) const VERSION: u32 = 1;

/// The archive as text.
pub(crate) fn write(archive: &Archive) -> String {
    let mut page = Page::new(archive);
    page.line(&comment("dormouse", &object(json!({ "version": VERSION }))));
    page.line("\n# Journal");
    for piece in by_name(archive, BodyType::Category) {
        if let Body::Category(category) = &piece.body {
            page.category(piece, category);
        }
    }
    page.labels();
    page.days();
    page.ratings();
    page.relations();
    page.elsewhere();
    for gone in &archive.gone {
        let mut fields = object(json!({ "id": gone.id }));
        fields.extend(gone.category_id.iter().map(|id| ("category_id".to_owned(), json!(id))));
        page.line(&comment("gone", &fields));
    }
    page.line(&format!("\n{}", comment("end", &Fields::new())));
    page.out
}

/// The records of a kind, by what people call them.
fn by_name(archive: &Archive, kind: BodyType) -> Vec<&Piece> {
    let mut pieces: Vec<&Piece> = archive.of(kind).collect();
    pieces.sort_by_key(|piece| (heading(&piece.body), piece.id.clone()));
    pieces
}

/// A JSON object as fields.
pub(super) fn object(value: Value) -> Fields {
    match value {
        Value::Object(fields) => fields,
        _ => unreachable!("an object is an object"),
    }
}

/// A page being written, with what it needs to look up.
pub(super) struct Page<'a> {
    pub(super) archive: &'a Archive,
    /// Records by what they lie under.
    under: BTreeMap<RecordId, Vec<&'a Piece>>,
    /// What people call records.
    pub(super) names: BTreeMap<RecordId, String>,
    /// The categories of tasks.
    categories: BTreeMap<RecordId, CategoryId>,
    /// Labels by the marks of their names, as a reader will find them.
    pub(super) labels: BTreeMap<String, TaskLabelId>,
    /// What has been written, by id; the rest has no place of its own.
    pub(super) written: BTreeSet<RecordId>,
    out: String,
}

impl<'a> Page<'a> {
    fn new(archive: &'a Archive) -> Page<'a> {
        let live: BTreeSet<&RecordId> = archive.pieces.iter().map(|piece| &piece.id).collect();
        let mut under: BTreeMap<RecordId, Vec<&Piece>> = BTreeMap::new();
        for piece in &archive.pieces {
            // A note about a task that is gone lies in its category.
            let owner = match &piece.body {
                Body::Entry(Entry { task_id: Some(task), category_id, .. }) => {
                    let task: RecordId = task.into();
                    if live.contains(&task) { Some(task) } else { Some(category_id.into()) }
                }
                body => body.owner().parse().ok(),
            };
            if let Some(owner) = owner {
                under.entry(owner).or_default().push(piece);
            }
        }
        let names = archive.pieces.iter().map(|piece| (piece.id.clone(), heading(&piece.body)));
        let labels = archive.of(BodyType::TaskLabel).filter_map(|piece| match &piece.body {
            Body::TaskLabel(label) => {
                Some((rules::mark::name(&label.name), piece.id.as_str().parse().ok()?))
            }
            _ => None,
        });
        let categories = archive.of(BodyType::Task).filter_map(|piece| match &piece.body {
            Body::Task(task) => Some((piece.id.clone(), task.category_id.clone())),
            _ => None,
        });
        Page {
            archive,
            under,
            names: names.collect(),
            categories: categories.collect(),
            labels: labels.collect(),
            written: BTreeSet::new(),
            out: String::new(),
        }
    }

    pub(super) fn line(&mut self, line: &str) {
        self.out += line;
        self.out.push('\n');
    }

    /// What lies under a record, of a kind.
    pub(super) fn under(&self, owner: &RecordId, kind: BodyType) -> Vec<&'a Piece> {
        let pieces = self.under.get(owner).into_iter().flatten().copied();
        pieces.filter(|piece| piece.body.body_type() == Some(kind)).collect()
    }

    /// What people call a record.
    pub(super) fn name(&self, id: &RecordId) -> String {
        self.names.get(id).map_or_else(|| "(removed)".to_owned(), |name| escape(name))
    }

    /// The comment of a record: its id, its age, and what is not seen of it.
    pub(super) fn about(
        &mut self,
        kind: &str,
        piece: &Piece,
        seen: &Fields,
        full: &Fields,
    ) -> String {
        self.written.insert(piece.id.clone());
        let mut carried = object(json!({ "id": piece.id, "created_at": piece.created_at }));
        carried.extend(beside(full, seen));
        comment(kind, &carried)
    }

    fn category(&mut self, piece: &'a Piece, category: &Category) {
        let seen = fields(&Category::named(category.name.as_str()));
        let about = self.about("category", piece, &seen, &fields(category));
        self.line(&format!("\n## {} {about}", escape(&category.name)));
        let mut tasks = self.under(&piece.id, BodyType::Task);
        // What is to be done comes first.
        tasks.sort_by_key(|task| {
            let closed = matches!(&task.body, Body::Task(task) if task.status.is_closed());
            (closed, task.created_at, task.id.clone())
        });
        if !tasks.is_empty() {
            self.line("");
        }
        for task in tasks {
            self.task(task);
        }
        self.entries(&piece.id, "");
    }

    /// The notes under a record, oldest first.
    pub(super) fn entries(&mut self, owner: &RecordId, indent: &str) {
        let mut entries = self.under(owner, BodyType::Entry);
        entries.sort_by_key(|piece| {
            let at = match &piece.body {
                Body::Entry(entry) => entry.at,
                _ => piece.created_at,
            };
            (at, piece.id.clone())
        });
        for piece in entries {
            if let Body::Entry(entry) = &piece.body {
                self.entry(piece, entry, owner, indent);
            }
        }
    }

    fn entry(&mut self, piece: &'a Piece, entry: &Entry, owner: &RecordId, indent: &str) {
        let shown = stamp::stamp(entry.at);
        let at = shown.as_deref().and_then(stamp::unstamp).unwrap_or(types::At::EPOCH);
        let task = entry.task_id.clone().filter(|task| RecordId::from(task) == *owner);
        let category = self.category_around(owner, entry);
        let text = quote::seen(&entry.text);
        let seen = seen::entry(text, at, stamp::day(at), category, task);
        let about = self.about("entry", piece, &fields(&seen), &fields(entry));
        let when = shown.unwrap_or_else(|| "some time".to_owned());
        let media = entry.media.as_ref().map_or_else(String::new, |media| {
            let plain = !media.uri.contains(['<', '>', '\\']);
            if plain {
                format!(" [{}](<{}>)", entry.kind.as_str(), media.uri)
            } else {
                String::new()
            }
        });
        self.line(&format!("\n{indent}*{when}*{media} {about}"));
        self.out += &quote(&quote::seen(&entry.text), indent);
    }

    /// The category in whose section something stands.
    fn category_around(&self, owner: &RecordId, entry: &Entry) -> CategoryId {
        let around = owner.as_str().parse().ok().or_else(|| self.categories.get(owner).cloned());
        around.unwrap_or_else(|| entry.category_id.clone())
    }

    fn labels(&mut self) {
        let labels = by_name(self.archive, BodyType::TaskLabel);
        if !labels.is_empty() {
            self.line("\n# Labels\n");
        }
        for piece in labels {
            let Body::TaskLabel(label) = &piece.body else { continue };
            let seen = TaskLabel { name: label.name.clone(), colour: None, category_id: None };
            let about = self.about("label", piece, &fields(&seen), &fields(label));
            self.line(&format!("- {} {about}", escape(&label.name)));
        }
    }
}

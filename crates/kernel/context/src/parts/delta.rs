//! What changed since the agent last looked.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use types::{
    At, Author, BlockKind, Body, BodyType, ChangeRecord, Domain, Image, Label, Properties, RecordId,
};

use crate::cut::cut;
use crate::keep::{join, keep};
use crate::part::{Line, Part, lines, reason};
use crate::{Bounds, Seen};

/// Fields of one change that are named; more than these are a new version of everything.
const FIELDS_MAX: usize = 12;

#[derive(Serialize)]
struct Changed<'a> {
    record: &'a RecordId,
    kind: Cow<'a, str>,
    did: &'static str,
    fields: Vec<Cow<'a, str>>,
    by: &'static str,
    title: Option<Cow<'a, str>>,
    at: At,
}

/// What is said of changes that the log has let go.
const NOT_KNOWN: &str = "not known any more: go by how things are";

/// Records that the prompt shows anyway, with their titles and where those came from.
type Titles<'a> = BTreeMap<&'a str, Option<(&'a str, &'a Label)>>;

/// A first wake has the task whole and has seen nothing before: to it, nothing changed.
pub(crate) fn delta(seen: &Seen<'_>, bounds: &Bounds) -> Option<Part> {
    let delta = seen.delta.filter(|_| !seen.wake.first)?;
    let titles = titles(seen);
    let news = |change: &ChangeRecord| change.author.agent() != Some(seen.agent);
    let related: Vec<Vec<Image>> =
        delta.changes.iter().map(|change| relations(change, seen)).collect();
    let all: Vec<(&ChangeRecord, &Image)> = delta
        .changes
        .iter()
        .zip(&related)
        .rev()
        .filter(|(change, _)| news(change))
        .flat_map(|(change, related)| {
            let near = change.images.iter().filter(|image| is_near(image, seen, &titles));
            near.chain(related).map(move |image| (change, image))
        })
        .collect();
    if all.is_empty() && !delta.trimmed {
        return None;
    }
    let kept = keep(&all, bounds.delta, |(change, image)| changed(change, image, &titles, bounds));
    let what = match (delta.trimmed, delta.more) {
        (false, false) => "what changed since it looked",
        (false, true) => "the first of what changed since it looked",
        (true, _) => "what is known of what changed since it looked, long ago",
    };
    let why = reason(what, &[(kept.left_out, "changes")]);
    // Titles are somebody's words; all else in a change is the runtime's own.
    let told = all[..kept.things.len()].iter();
    let titled = told.filter_map(|(_, image)| titles.get(image.id.as_str()).copied().flatten());
    let label = join(titled.map(|(_, label)| label));
    let mut body = lines(kept.things, kept.left_out, delta.more);
    body.extend(delta.trimmed.then_some(Line::Earlier { earlier: NOT_KNOWN }));
    Some(Part::data(BlockKind::Delta, &body, label, why))
}

/// What a change did that only related records to each other: to the task, or to each of them if there is none.
fn relations(change: &ChangeRecord, seen: &Seen<'_>) -> Vec<Image> {
    if !change.only_relates() {
        return vec![];
    }
    let task = seen.task.as_ref().map(|tended| &tended.task.id);
    let told = change.subjects().filter(|id| task.is_none_or(|task| task == id));
    let image = |id| {
        let (before, after) = (Some(Properties::default()), Some(Properties::default()));
        let kind = BodyType::Task.semantic_key().to_owned();
        Image { id, kind, before, after, fields: ["relations".to_owned()].into() }
    };
    told.map(image).collect()
}

/// Whether a change is about the task or something beside it. An agent without a task sees of the journal
/// what it listens to; agents' own records are nobody's news.
fn is_near(image: &Image, seen: &Seen<'_>, titles: &Titles<'_>) -> bool {
    let Some(tended) = &seen.task else { return is_journal(image) && is_in_sight(image, seen) };
    let of_task = |side: &Option<types::Properties>| {
        side.as_ref().and_then(|it| it.get("task")).is_some_and(|id| id == tended.task.id.as_str())
    };
    titles.contains_key(image.id.as_str()) || of_task(&image.before) || of_task(&image.after)
}

/// Whether it lies, or lay, where the agent may look, as far as it lies in a category at all.
fn is_in_sight(image: &Image, seen: &Seen<'_>) -> bool {
    let mut categories = [&image.before, &image.after]
        .into_iter()
        .flatten()
        .filter_map(|side| side.get("category"))
        .peekable();
    let seen_by_it =
        |name: &String| seen.scope.iter().any(|category| category.as_str() == name.as_str());
    categories.peek().is_none() || categories.any(seen_by_it)
}

fn is_journal(image: &Image) -> bool {
    let kind = BodyType::ALL.iter().find(|kind| kind.semantic_key() == image.kind);
    kind.is_some_and(|kind| kind.domain() == Domain::Journal)
}

fn titles<'a>(seen: &'a Seen<'a>) -> Titles<'a> {
    let mut found: Titles<'a> =
        seen.linked.iter().map(|it| (it.id.as_str(), Some((it.title, it.label)))).collect();
    let Some(tended) = &seen.task else { return found };
    let records = [tended.checklists, tended.items, tended.entries, tended.times];
    for record in records.into_iter().flatten().chain([tended.task]) {
        let title = match &record.body {
            Body::Task(task) => Some(task.title.as_str()),
            Body::Checklist(checklist) => Some(checklist.title.as_str()),
            Body::ChecklistItem(item) => Some(item.title.as_str()),
            _ => None,
        };
        found.insert(record.id.as_str(), title.map(|title| (title, tended.label)));
    }
    if let Body::Task(task) = &tended.task.body {
        let category = tended.category.map(|name| (name, tended.label));
        found.insert(task.category_id.as_str(), category);
        found.extend(task.labels.iter().map(|label| (label.as_str(), None)));
    }
    found
}

fn changed<'a>(
    change: &ChangeRecord,
    image: &'a Image,
    titles: &Titles<'a>,
    bounds: &Bounds,
) -> Changed<'a> {
    let title = titles.get(image.id.as_str()).copied().flatten();
    Changed {
        record: &image.id,
        kind: cut(&image.kind, bounds.title),
        did: match (&image.before, &image.after) {
            (None, _) => "made",
            (_, None) => "removed",
            _ => "changed",
        },
        fields: image.fields.iter().take(FIELDS_MAX).map(|it| cut(it, bounds.title)).collect(),
        by: match change.author {
            Author::Operator => "operator",
            Author::Runtime => "runtime",
            Author::Agent { .. } => "agent",
        },
        title: title.map(|(title, _)| cut(title, bounds.title)),
        at: change.at,
    }
}

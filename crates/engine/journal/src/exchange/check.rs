//! Whether what was read from a file holds together, before anything is written.

use std::collections::{BTreeMap, BTreeSet};

use types::{
    At, Author, Body, BodyType, Commit, DayPlan, Domain, Entry, RecordDraft, RecordId, Relation,
    Write, limits,
};

use crate::Error;

use super::archive::{Piece, Tie};
use super::intake::Reading;
use super::meet::Meeting;
use super::merged::Merged;
use super::refer::{Reference, places, references};
use super::refuse::{bad, broken};
use super::standing::Standing;

/// The beginning of the ids of each kind.
const PREFIXES: [(BodyType, &str); 9] = [
    (BodyType::Category, "category_"),
    (BodyType::TaskLabel, "label_"),
    (BodyType::Task, "task_"),
    (BodyType::Checklist, "checklist_"),
    (BodyType::ChecklistItem, "item_"),
    (BodyType::Entry, "entry_"),
    (BodyType::TimeEntry, "time_"),
    (BodyType::DayPlan, "plan_"),
    (BodyType::Rating, "rating_"),
];

/// Relations in which nothing may come before itself.
const ORDERED: [Relation; 3] = [Relation::Blocks, Relation::ParentOf, Relation::FollowedBy];

/// Refuses the first thing that is wrong, in the file or in what the journal would be with it.
pub(super) fn check(reading: &Reading, standing: &Standing, meeting: Meeting) -> Result<(), Error> {
    for piece in &reading.archive.pieces {
        record(reading, piece)?;
    }
    let known = known(reading, standing);
    for piece in &reading.archive.pieces {
        for Reference { what, to } in references(&piece.body) {
            if !known.contains(&to) {
                let why = format!(
                    "{} names a {what} that is neither in the file nor in the journal: {to}",
                    piece.id
                );
                return Err(at(reading, piece.id.as_str(), why));
            }
        }
    }
    let merged = Merged::of(reading, standing, meeting);
    for (id, body) in merged.coming() {
        belongs(reading, (id, body), &merged)?;
    }
    for tie in &reading.archive.ties {
        ends(reading, tie, &known, &merged)?;
    }
    lists(reading, &merged)?;
    ORDERED.iter().try_for_each(|relation| circle(reading, standing, relation))
}

/// A record by itself: its id, and the rules of its kind.
fn record(reading: &Reading, piece: &Piece) -> Result<(), Error> {
    let wrong = |why: String| Err(at(reading, piece.id.as_str(), format!("{}: {why}", piece.id)));
    let kind = piece.body.body_type();
    let prefix = PREFIXES.iter().find(|(known, _)| Some(*known) == kind).map(|(_, prefix)| *prefix);
    let fits = |prefix: &str| {
        piece.id.as_str().len() > prefix.len() && piece.id.as_str().starts_with(prefix)
    };
    if !prefix.is_some_and(fits) {
        return wrong(format!("the id of a {} begins otherwise", piece.body.kind()));
    }
    if let Body::DayPlan(plan) = &piece.body
        && piece.id != RecordId::from(DayPlan::id(plan.day))
    {
        return wrong(format!("the plan of {} has another id", plan.day));
    }
    if let Body::ChecklistItem(item) = &piece.body
        && let Err(error) = rules::rank::between(Some(&item.rank), None)
    {
        return wrong(error.to_string());
    }
    let draft = RecordDraft::live(piece.id.clone(), piece.body.clone());
    let writes = vec![Write::Record(draft)];
    match Commit::new(Domain::Journal, Author::Operator, At::EPOCH, writes).check() {
        Ok(()) => Ok(()),
        Err(invalid) => wrong(invalid.to_string()),
    }
}

/// Every id that may be referred to.
fn known(reading: &Reading, standing: &Standing) -> BTreeSet<RecordId> {
    let archive = &reading.archive;
    let file = archive.pieces.iter().map(|piece| &piece.id);
    let gone = archive.gone.iter().map(|gone| &gone.id);
    file.chain(gone).chain(standing.records.keys()).cloned().collect()
}

/// A record among the others: what it rests on is there, and lies where it does.
fn belongs(
    reading: &Reading,
    (id, body): (&RecordId, &Body),
    merged: &Merged,
) -> Result<(), Error> {
    let wrong = |why: String| Err(at(reading, id.as_str(), format!("{id} {why}")));
    for Reference { what, to } in places(body) {
        if merged.get(&to).is_none() {
            return wrong(format!("names a {what} that was removed: {to}"));
        }
    }
    match body {
        Body::ChecklistItem(item) => match merged.get(&(&item.checklist_id).into()) {
            Some(Body::Checklist(list)) if list.task_id != item.task_id => {
                wrong(format!("is of {}, and its checklist of {}", item.task_id, list.task_id))
            }
            _ => Ok(()),
        },
        Body::Entry(Entry { task_id: Some(task), category_id, .. }) => {
            match merged.kept(&task.into()) {
                Some(Body::Task(kept)) if kept.category_id != *category_id => {
                    wrong(format!("lies elsewhere than {task} in the journal"))
                }
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn ends(
    reading: &Reading,
    tie: &Tie,
    known: &BTreeSet<RecordId>,
    merged: &Merged,
) -> Result<(), Error> {
    let wrong = |why: String| Err(at(reading, &tie.name(), why));
    for end in [&tie.from, &tie.to] {
        if !known.contains(end) {
            return wrong(format!("{end} is neither in the file nor in the journal"));
        }
        if merged.get(end).is_none() {
            return wrong(format!("{end} was removed"));
        }
    }
    let of_tasks = Relation::BETWEEN_TASKS.contains(&tie.relation);
    if of_tasks && tie.from == tie.to {
        return wrong(format!("{} has the relation {} to itself", tie.from, tie.relation.as_str()));
    }
    let is_task = |id: &RecordId| id.as_str().starts_with("task_");
    if of_tasks && !(is_task(&tie.from) && is_task(&tie.to)) {
        return wrong(format!("{} is a relation between tasks", tie.relation.as_str()));
    }
    Ok(())
}

/// No task has more checklists, and no checklist more items, than are shown.
fn lists(reading: &Reading, merged: &Merged) -> Result<(), Error> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for body in merged.all_kept().filter(|body| most(body).is_some()) {
        *counts.entry(body.owner()).or_default() += 1;
    }
    for (id, body) in merged.coming() {
        let Some(most) = most(body) else { continue };
        let owner = body.owner();
        let count = counts.entry(owner).or_default();
        *count += 1;
        if *count > most {
            let why = format!("{owner} has more than {most} of them");
            return Err(at(reading, id.as_str(), why));
        }
    }
    Ok(())
}

/// How many there may be of a kind under one owner.
fn most(body: &Body) -> Option<usize> {
    match body {
        Body::Checklist(_) => Some(limits::CHECKLISTS_MAX),
        Body::ChecklistItem(_) => Some(limits::CHECKLIST_ITEMS_MAX),
        _ => None,
    }
}

/// Refuses if something would come before itself, through the file and the journal together.
fn circle(reading: &Reading, standing: &Standing, relation: &Relation) -> Result<(), Error> {
    let mut after: BTreeMap<&RecordId, BTreeSet<&RecordId>> = BTreeMap::new();
    let own = reading.archive.ties.iter().filter(|tie| tie.relation == *relation);
    let own = own.map(|tie| (&tie.from, &tie.to));
    let known = standing.ties.iter().filter(|((_, known, _), tied)| tied.live && known == relation);
    for (from, to) in own.chain(known.map(|((from, _, to), _)| (from, to))) {
        after.entry(from).or_default().insert(to);
        after.entry(to).or_default();
    }
    let mut before: BTreeMap<&RecordId, usize> = after.keys().map(|id| (*id, 0)).collect();
    for to in after.values().flatten() {
        *before.entry(to).or_default() += 1;
    }
    // What has nothing left before it is taken away, again and again; a circle stays.
    let mut free: Vec<&RecordId> =
        before.iter().filter(|(_, count)| **count == 0).map(|(id, _)| *id).collect();
    while let Some(id) = free.pop() {
        before.remove(id);
        for to in &after[id] {
            let count = before.get_mut(to).expect("what comes after is not taken before");
            *count -= 1;
            if *count == 0 {
                free.push(to);
            }
        }
    }
    let caught = reading.archive.ties.iter().find(|tie| {
        tie.relation == *relation && before.contains_key(&tie.from) && before.contains_key(&tie.to)
    });
    match caught {
        None => Ok(()),
        Some(tie) => {
            let why = format!(
                "{} goes round in a circle: {} would come before itself",
                relation.as_str(),
                tie.from
            );
            Err(at(reading, &tie.name(), why))
        }
    }
}

fn at(reading: &Reading, name: &str, why: String) -> Error {
    match reading.places.get(name) {
        Some(place) => bad(*place, why),
        None => broken(why),
    }
}

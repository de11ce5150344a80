//! What to write so that the journal holds what a file says.

use std::collections::{BTreeMap, BTreeSet};

use types::{Body, BodyType, Guard, Invalid, Record, RecordDraft, RecordId, Task, Write, limits};

use crate::{Error, plan};

use super::archive::{LINKS, Piece, section};
use super::intake::Reading;
use super::refer::places;
use super::refuse::{bad, differs, taken};
use super::standing::Standing;

/// What to do where the journal says something else than the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Meeting {
    /// Refuse the file.
    #[default]
    Refuse,
    /// Take what the file says.
    Replace,
    /// Keep what the journal says.
    Skip,
}

/// How many of each kind, by the names of their sections.
pub(crate) type Counts = BTreeMap<&'static str, usize>;

/// What there is to write, each with what must hold for it, and what becomes of what the file has.
#[derive(Debug, Clone, Default)]
pub(crate) struct Intended {
    /// In the order in which to write.
    pub(crate) steps: Vec<Step>,
    /// New here, or there again.
    pub(crate) added: Counts,
    /// Taken from the file in place of what was there.
    pub(crate) replaced: Counts,
    /// Here already, just so.
    pub(crate) unchanged: Counts,
    /// Kept as the journal has it.
    pub(crate) skipped: Counts,
}

/// One write and its conditions.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// What to write.
    pub(crate) write: Write,
    /// What must still hold.
    pub(crate) guards: Vec<Guard>,
    /// What it is written over, as `id@revision`.
    pub(crate) target: String,
}

/// What to write. The file has been checked, and names of the journal stand for those of the file where
/// they are to.
pub(super) fn meet(
    reading: &Reading,
    standing: &Standing,
    meeting: Meeting,
) -> Result<Intended, Error> {
    let mut intended = Intended::default();
    let chosen = choose(reading, standing, meeting, &mut intended)?;
    let seeds = leaving(reading, standing);
    refuse_taken(reading, standing, &chosen, &seeds)?;
    // Who writes over a name may take it: the guard would find its old owner.
    let writing: BTreeSet<&RecordId> =
        chosen.iter().map(|piece| &piece.id).chain(seeds.iter().map(|seed| &seed.id)).collect();
    for seed in &seeds {
        let draft = RecordDraft::gone(seed.id.clone(), seed.body.clone());
        intended.steps.push(step(draft, Some(seed), vec![]));
    }
    for piece in &chosen {
        let was = standing.records.get(&piece.id);
        let draft = RecordDraft {
            created_at: Some(piece.created_at),
            ..RecordDraft::live(piece.id.clone(), piece.body.clone())
        };
        let living = was.filter(|was| was.deleted_at.is_none()).map(|was| &was.body);
        let free = |guard: &Guard| match guard {
            Guard::Unmarked { kind, mark } => {
                let owner = standing.marks.get(&(*kind, mark.clone()));
                owner.is_none_or(|owner| !writing.contains(owner))
            }
            _ => true,
        };
        let claims = plan::claims(living, &piece.body).into_iter().filter(free);
        let places = places(&piece.body).into_iter().map(|place| place.to);
        let stay = places.filter(|place| !writing.contains(place));
        let stay = stay.filter_map(|place| standing.records.get(&place)).map(Guard::unchanged);
        intended.steps.push(step(draft, was, claims.chain(stay).collect()));
    }
    bury(reading, standing, &mut intended);
    relate(reading, standing, &mut intended);
    Ok(intended)
}

/// The records of the file that are to be written.
fn choose<'a>(
    reading: &'a Reading,
    standing: &Standing,
    meeting: Meeting,
    intended: &mut Intended,
) -> Result<Vec<&'a Piece>, Error> {
    let mut chosen = Vec::new();
    let mut other = Vec::new();
    let seed = |id: &RecordId| reading.whole && standing.seeds.iter().any(|seed| seed.id == *id);
    for piece in &reading.archive.pieces {
        let name = section(&piece.body);
        let count = match standing.records.get(&piece.id) {
            Some(was) if was.body.kind() != piece.body.kind() => {
                let why = format!("{} is a {} in the journal", piece.id, was.body.kind());
                return Err(match reading.places.get(piece.id.as_str()) {
                    Some(place) => bad(*place, why),
                    None => Invalid::new("id", why).into(),
                });
            }
            Some(was) if was.deleted_at.is_none() && !seed(&piece.id) => {
                match (says_the_same(reading, was, piece), meeting) {
                    (true, _) => {
                        *intended.unchanged.entry(name).or_default() += 1;
                        continue;
                    }
                    (false, Meeting::Refuse) => {
                        other.push(&piece.id);
                        continue;
                    }
                    (false, Meeting::Skip) => {
                        *intended.skipped.entry(name).or_default() += 1;
                        continue;
                    }
                    (false, Meeting::Replace) => &mut intended.replaced,
                }
            }
            // A category that a new home has by itself takes its age and its name from the file.
            Some(was) if was.deleted_at.is_none() && same(was, piece) => {
                *intended.unchanged.entry(name).or_default() += 1;
                continue;
            }
            _ => &mut intended.added,
        };
        *count.entry(name).or_default() += 1;
        chosen.push(piece);
    }
    match other.first() {
        None => Ok(chosen),
        Some(first) => Err(differs(reading.places.get(first.as_str()), first, other.len() - 1)),
    }
}

/// Whether the journal says what the file says. A note that does not know its time has that which it was
/// given when it first came.
fn says_the_same(reading: &Reading, was: &Record, piece: &Piece) -> bool {
    match (&was.body, &piece.body) {
        (Body::Entry(was), Body::Entry(is)) if reading.timeless.contains(&piece.id) => {
            let is = types::Entry { at: was.at, day: was.day, ..is.clone() };
            *was == is
        }
        (was, is) => was == is,
    }
}

fn same(was: &Record, piece: &Piece) -> bool {
    was.body == piece.body && was.created_at == piece.created_at
}

/// The categories of a new home that a whole journal does not have, and so takes away when it moves in.
fn leaving(reading: &Reading, standing: &Standing) -> Vec<Record> {
    if !reading.whole {
        return vec![];
    }
    let pieces = &reading.archive.pieces;
    let used = |id: &RecordId| {
        pieces.iter().any(|piece| {
            piece.id == *id || super::refer::references(&piece.body).iter().any(|r| r.to == *id)
        })
    };
    standing.seeds.iter().filter(|seed| !used(&seed.id)).cloned().collect()
}

/// Refuses if the file and the journal would have two of what there can be one of.
fn refuse_taken(
    reading: &Reading,
    standing: &Standing,
    chosen: &[&Piece],
    leaving: &[Record],
) -> Result<(), Error> {
    let mut owners: BTreeMap<(BodyType, String), RecordId> = standing.marks.clone();
    let written: BTreeSet<&RecordId> = chosen.iter().map(|piece| &piece.id).collect();
    owners.retain(|_, owner| {
        !written.contains(owner) && !leaving.iter().any(|seed| seed.id == *owner)
    });
    for piece in chosen {
        let Some(kind) = piece.body.body_type() else { continue };
        for mark in rules::mark::unique(&piece.body) {
            let Some(owner) = owners.insert((kind, mark.clone()), piece.id.clone()) else {
                continue;
            };
            let what = match mark.strip_prefix(rules::mark::NAME) {
                Some(name) => format!("{} {name:?}", piece.body.kind()),
                None => "the timer that runs".to_owned(),
            };
            let place = reading.places.get(piece.id.as_str());
            return Err(match (written.contains(&owner), place) {
                (true, Some(place)) => bad(*place, format!("{what} is {owner} too")),
                _ => taken(place, &what, &owner),
            });
        }
    }
    Ok(())
}

fn step(draft: RecordDraft, was: Option<&Record>, claims: Vec<Guard>) -> Step {
    let revision = was.map_or(0, |was| was.revision);
    let mut guards = vec![Guard::Revision { record: draft.id.clone(), expected: revision }];
    guards.extend(claims);
    Step { target: format!("{}@{revision}", draft.id), write: Write::Record(draft), guards }
}

/// Leaves tombstones of tasks that are gone, so that the time spent on them still has its place.
fn bury(reading: &Reading, standing: &Standing, intended: &mut Intended) {
    for gone in &reading.archive.gone {
        let Some(category) = &gone.category_id else { continue };
        if standing.records.contains_key(&gone.id) || !gone.id.as_str().starts_with("task_") {
            continue;
        }
        let body: Body = Task::new("(removed)", category.clone()).into();
        intended.steps.push(step(RecordDraft::gone(gone.id.clone(), body), None, vec![]));
    }
}

fn relate(reading: &Reading, standing: &Standing, intended: &mut Intended) {
    for tie in &reading.archive.ties {
        let key = (tie.from.clone(), tie.relation.clone(), tie.to.clone());
        let known = standing.ties.get(&key);
        if known.is_some_and(|known| known.live) {
            *intended.unchanged.entry(LINKS).or_default() += 1;
            continue;
        }
        *intended.added.entry(LINKS).or_default() += 1;
        let link = types::LinkDraft {
            hidden: tie.hidden,
            body: tie.body.clone(),
            ..plan::link(&tie.from, tie.relation.clone(), &tie.to, false)
        };
        intended.steps.push(Step {
            target: format!("{}@{}", tie.name(), known.map_or("", |known| &known.stamp)),
            write: Write::Link(link),
            guards: vec![],
        });
    }
}

/// Bytes of one commit: what waits behind it waits no longer than a moment.
const COMMIT_BYTES: usize = 4 * 1024 * 1024;

/// The steps in commits.
pub(super) fn commits(steps: Vec<Step>) -> Vec<Vec<Step>> {
    let mut commits: Vec<Vec<Step>> = Vec::new();
    let mut bytes = 0;
    for step in steps {
        let own = match &step.write {
            Write::Record(draft) => draft.body.encode().len(),
            _ => 0,
        };
        match commits.last_mut() {
            Some(last) if last.len() < limits::COMMIT_WRITES_MAX && bytes + own <= COMMIT_BYTES => {
                bytes += own;
                last.push(step);
            }
            _ => {
                bytes = own;
                commits.push(vec![step]);
            }
        }
    }
    commits
}

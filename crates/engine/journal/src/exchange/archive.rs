//! Everything that a journal holds, as one value.

use serde_json::{Map, Value};
use types::{At, Body, BodyType, CategoryId, RecordId, Relation};

/// The kinds of record that travel, each after those that it rests on, with the names of their sections.
pub(crate) const KINDS: [(BodyType, &str); 9] = [
    (BodyType::Category, "categories"),
    (BodyType::TaskLabel, "labels"),
    (BodyType::Task, "tasks"),
    (BodyType::Checklist, "checklists"),
    (BodyType::ChecklistItem, "items"),
    (BodyType::Entry, "entries"),
    (BodyType::TimeEntry, "time"),
    (BodyType::DayPlan, "plans"),
    (BodyType::Rating, "ratings"),
];

/// The section of relations.
pub(crate) const LINKS: &str = "links";

/// Where a kind comes in the order of sections; absent for one that does not travel.
pub(crate) fn order(body: &Body) -> Option<usize> {
    let kind = body.body_type()?;
    KINDS.iter().position(|(known, _)| *known == kind)
}

/// The name of a body's section.
pub(crate) fn section(body: &Body) -> &'static str {
    order(body).map_or("others", |place| KINDS[place].1)
}

/// The live records of a journal with their relations. The same journal gives the same archive: what is
/// in it is sorted by kind and id, and holds nothing of the host it lies on.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Archive {
    /// The records.
    pub(crate) pieces: Vec<Piece>,
    /// How they are related.
    pub(crate) ties: Vec<Tie>,
    /// What they refer to and is no longer there.
    pub(crate) gone: Vec<Gone>,
}

/// A record as it travels.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Piece {
    /// Its id.
    pub(crate) id: RecordId,
    /// When it was made.
    pub(crate) created_at: At,
    /// What it says.
    pub(crate) body: Body,
}

/// A relation as it travels.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tie {
    /// From which record.
    pub(crate) from: RecordId,
    /// How.
    pub(crate) relation: Relation,
    /// To which record.
    pub(crate) to: RecordId,
    /// Kept out of ordinary listings.
    pub(crate) hidden: bool,
    /// Anything besides.
    pub(crate) body: Map<String, Value>,
}

impl Tie {
    /// A plain relation.
    pub(crate) fn new(from: RecordId, relation: Relation, to: RecordId) -> Tie {
        Tie { from, relation, to, hidden: false, body: Map::new() }
    }

    /// The relation in words; there is one of a name.
    pub(crate) fn name(&self) -> String {
        format!("{} {} {}", self.from, self.relation.as_str(), self.to)
    }
}

/// Something that was removed while others still refer to it, as a note does to the task it was about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gone {
    /// Its id.
    pub(crate) id: RecordId,
    /// Where it lay: whoever refers to a task that is gone still belongs there.
    pub(crate) category_id: Option<CategoryId>,
}

impl Archive {
    /// The same in the one order that it has.
    #[must_use]
    pub(crate) fn sorted(mut self) -> Archive {
        self.pieces.sort_by(|a, b| (order(&a.body), &a.id).cmp(&(order(&b.body), &b.id)));
        let key = |tie: &Tie| (tie.from.clone(), tie.relation.clone(), tie.to.clone());
        self.ties.sort_by_key(key);
        self.gone.sort_by(|a, b| a.id.cmp(&b.id));
        self
    }

    /// The records of a kind.
    pub(crate) fn of(&self, kind: BodyType) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(move |piece| piece.body.body_type() == Some(kind))
    }
}

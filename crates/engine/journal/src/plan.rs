//! A plan: what a verb would write, and what it will answer.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use tool::Planned;
use types::{
    Body, CategoryId, Code, Domain, Guard, LinkDraft, LinkId, RecordDraft, RecordId, Relation,
    Write, limits,
};

use crate::Error;
use crate::desk::{Desk, Loaded, Place};

/// What a verb would do. Built up step by step while the verb looks at what is there.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    subject: RecordId,
    writes: Vec<Write>,
    guards: Vec<Guard>,
    destinations: BTreeSet<CategoryId>,
    answer: Value,
    words_of: BTreeSet<RecordId>,
}

impl Plan {
    /// A plan about a record, so far without effect.
    pub(crate) fn about(subject: impl Into<RecordId>) -> Plan {
        Plan {
            subject: subject.into(),
            writes: vec![],
            guards: vec![],
            destinations: BTreeSet::new(),
            answer: json!({}),
            words_of: BTreeSet::new(),
        }
    }

    /// A plan without effect: what was looked for, and nothing is about to be done to it.
    pub(crate) fn read(answer: Value) -> Plan {
        let journal: RecordId = "journal".parse().expect("a word is a good id");
        Plan::about(journal).answering(answer)
    }

    /// Makes a record that is not there yet.
    pub(crate) fn make(&mut self, id: impl Into<RecordId>, body: impl Into<Body>) {
        let (id, body) = (id.into(), body.into());
        self.guards.push(Guard::Revision { record: id.clone(), expected: 0 });
        self.guards.extend(claims(None, &body));
        self.writes.push(Write::Record(RecordDraft::live(id, body)));
    }

    /// Changes a record from how it was read; nothing if it would say the same.
    pub(crate) fn change<T: Into<Body> + PartialEq + Clone>(&mut self, was: &Loaded<T>, to: T) {
        if was.body != to {
            let (before, to) = (was.body.clone().into(), to.into());
            self.guards.push(was.unchanged());
            self.guards.extend(claims(Some(&before), &to));
            self.writes.push(Write::Record(RecordDraft::live(was.id.clone(), to)));
        }
    }

    /// Writes a record whose id was known beforehand, whether it is there, was once, or never was;
    /// nothing if it would say the same.
    pub(crate) fn put<T: Into<Body> + PartialEq + Clone>(&mut self, place: &Place<T>, to: T) {
        if place.body.as_ref() != Some(&to) {
            let (before, to) = (place.body.clone().map(Into::into), to.into());
            self.guards.push(place.unchanged());
            self.guards.extend(claims(before.as_ref(), &to));
            self.writes.push(Write::Record(RecordDraft::live(place.id.clone(), to)));
        }
    }

    /// Removes a record.
    pub(crate) fn remove<T: Into<Body> + Clone>(&mut self, was: &Loaded<T>) {
        self.guards.push(was.unchanged());
        self.writes.push(Write::Record(RecordDraft::gone(was.id.clone(), was.body.clone())));
    }

    /// Links two records.
    pub(crate) fn link(&mut self, from: &RecordId, relation: Relation, to: &RecordId) {
        self.writes.push(Write::Link(link(from, relation, to, false)));
    }

    /// Takes a link away.
    pub(crate) fn unlink(&mut self, from: &RecordId, relation: Relation, to: &RecordId) {
        self.writes.push(Write::Link(link(from, relation, to, true)));
    }

    /// On one more condition.
    pub(crate) fn provided(&mut self, guard: Guard) {
        self.guards.push(guard);
    }

    /// Something is made in this category or moved there.
    pub(crate) fn lands_in(&mut self, category: &CategoryId) {
        self.destinations.insert(category.clone());
    }

    /// The words of these are in it, whether or not the answer names them.
    pub(crate) fn has_words_of(&mut self, records: impl IntoIterator<Item = RecordId>) {
        self.words_of.extend(records);
    }

    /// What it will answer.
    pub(crate) fn answering(mut self, answer: Value) -> Plan {
        self.answer = answer;
        self
    }

    /// Refuses what does not fit into one commit: half of it would be worse than nothing.
    pub(crate) fn fits(self) -> Result<Plan, Error> {
        let (writes, max) = (self.writes.len(), limits::COMMIT_WRITES_MAX);
        if writes <= max {
            return Ok(self);
        }
        let message = format!("this would change {writes} things at once, at most {max} can be");
        Err(Error::refuse(Code::LimitReached, message, "do it in parts"))
    }

    /// It rests on all that was looked at for it: if any of that is another by the time it is written,
    /// the verb would have decided, and the gate judged, by what is no longer so.
    pub(crate) fn resting_on(mut self, desk: &Desk) -> Plan {
        // What it changes is guarded already.
        let guarded = |guard: &Guard| match guard {
            Guard::Revision { record, .. } => Some(record.clone()),
            _ => None,
        };
        let guarded: BTreeSet<RecordId> = self.guards.iter().filter_map(guarded).collect();
        let looked_at = desk.looked_at().filter(|(record, _)| !guarded.contains(record));
        let looked_at = looked_at.map(|(record, expected)| Guard::Revision { record, expected });
        self.guards.extend(looked_at);
        self.guards.extend(desk.quiet());
        self
    }

    /// The plan for whoever judges and carries it out, with what it will have changed.
    pub(crate) fn planned(self) -> Planned {
        let changed: Vec<&RecordId> = self
            .writes
            .iter()
            .filter_map(|write| match write {
                Write::Record(draft) => Some(&draft.id),
                _ => None,
            })
            .collect();
        let mut answer = self.answer;
        if let Value::Object(answer) = &mut answer {
            answer.insert("changed".to_owned(), json!(changed));
        }
        Planned {
            subject: self.subject,
            domain: Domain::Journal,
            destinations: self.destinations,
            writes: self.writes,
            guards: self.guards,
            answer,
            words_of: self.words_of,
        }
    }
}

/// What a record takes for itself that it had not: nobody else may have it.
pub(crate) fn claims(was: Option<&Body>, to: &Body) -> Vec<Guard> {
    let had = was.map(rules::mark::unique).unwrap_or_default();
    let Some(kind) = to.body_type() else { return vec![] };
    rules::mark::unique(to)
        .into_iter()
        .filter(|mark| !had.contains(mark))
        .map(|mark| Guard::Unmarked { kind, mark })
        .collect()
}

/// A link whose id two hosts agree on.
pub(crate) fn link(from: &RecordId, relation: Relation, to: &RecordId, deleted: bool) -> LinkDraft {
    let name = rules::hash::fields(["link", from.as_str(), relation.as_str(), to.as_str()]);
    LinkDraft {
        id: LinkId::from_digest(&name),
        from: from.clone(),
        to: to.clone(),
        relation,
        hidden: false,
        body: Map::new(),
        deleted,
    }
}

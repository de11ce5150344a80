//! What was done to the journal, as the commits say, and whether it stands: an undo takes back what was
//! done and nothing else, once, and by an undo of its own it can be had again.

use std::collections::BTreeMap;

use types::{
    Author, Body, Commit, Domain, OperationDraft, OperationId, Position, RecordId, RunKey, Write,
};

use super::Book;
use crate::call::Undo;

/// A record before and after something; nothing where it was not there.
type Change = (Option<Body>, Option<Body>);

/// Something that was done to the journal under a name.
#[derive(Debug)]
pub(crate) struct StepBook {
    /// When, in commits.
    order: u64,
    /// Where in the journal's log.
    position: Position,
    /// In which run; none if the operator did it.
    pub(crate) run: Option<RunKey>,
    touched: BTreeMap<RecordId, Change>,
    /// What it took back, if it is an undo.
    pub(crate) undoes: Option<Vec<OperationId>>,
    taken_back: bool,
    /// Since when it was not taken back, in commits: since it was done, or done again.
    stands_since: u64,
}

impl StepBook {
    /// Whether it was done and not undone.
    pub(crate) fn stands(&self) -> bool {
        !self.taken_back
    }
}

/// All of it.
#[derive(Debug, Default)]
pub(crate) struct Undos {
    /// The records of the journal that are there.
    pub(crate) records: BTreeMap<RecordId, Body>,
    pub(crate) steps: BTreeMap<OperationId, StepBook>,
    /// When each undo was first asked for and when it was last, in commits, by its request.
    asked: BTreeMap<String, (u64, u64)>,
    /// When the journal was last changed, in commits.
    changed: u64,
    /// When each record was last changed by somebody who gave it no name that it could be undone by.
    unnamed: BTreeMap<RecordId, u64>,
}

/// What becomes of a record if something is undone.
struct PutBack {
    was: Option<Body>,
    left: Option<Body>,
    /// Somebody else was at it meanwhile.
    between: bool,
}

impl Undos {
    /// The names of those that are so, newest first.
    pub(crate) fn newest_first(&self, so: impl Fn(&StepBook) -> bool) -> Vec<OperationId> {
        let mut found: Vec<_> = self.steps.iter().filter(|(_, step)| so(step)).collect();
        found.sort_by_key(|(_, step)| std::cmp::Reverse(step.order));
        found.into_iter().map(|(id, _)| *id).collect()
    }

    /// What is meant by what the operator names, newest first.
    fn meant(&self, what: Undo, before: u64) -> Vec<OperationId> {
        match what {
            Undo::Operation(id) => vec![id],
            Undo::Run(run) => {
                self.newest_first(|step| step.run == Some(run) && step.order <= before)
            }
        }
    }

    /// Those of them that stand. Of a run of which nothing does, all are meant: then that is what is refused.
    fn left_of(&self, mut meant: Vec<OperationId>) -> Vec<OperationId> {
        let stands = |id: &OperationId| self.steps.get(id).is_some_and(StepBook::stands);
        if meant.iter().any(stands) {
            meant.retain(stands);
        }
        meant
    }

    /// What these did to each record, taken together.
    fn together(&self, undone: &[OperationId]) -> BTreeMap<RecordId, PutBack> {
        let mut steps: Vec<&StepBook> = undone.iter().filter_map(|id| self.steps.get(id)).collect();
        steps.sort_by_key(|step| step.order);
        let mut all: BTreeMap<RecordId, PutBack> = BTreeMap::new();
        for (id, (was, left)) in steps.iter().flat_map(|step| &step.touched) {
            match all.get_mut(id) {
                Some(back) => {
                    back.between |= back.left != *was;
                    back.left.clone_from(left);
                }
                None => {
                    let (was, left) = (was.clone(), left.clone());
                    all.insert(id.clone(), PutBack { was, left, between: false });
                }
            }
        }
        all
    }

    /// Whether nothing stands in the way of undoing these.
    fn can_be_undone(&self, undone: &[OperationId]) -> bool {
        let stands = |id: &OperationId| self.steps.get(id).is_some_and(StepBook::stands);
        if undone.is_empty() || !undone.iter().all(stands) {
            return false;
        }
        let all = self.together(undone);
        let will = |id: &RecordId| match all.get(id) {
            Some(back) => back.was.is_some(),
            None => self.records.contains_key(id),
        };
        let placed = |body: &Body| rests_on(body).iter().all(will);
        let concerned = |body: &Body| rests_on(body).iter().any(|id| all.contains_key(id));
        let mut others = self.records.iter().filter(|(id, _)| !all.contains_key(*id));
        all.iter().all(|(id, back)| self.is_as_left(id, back, undone))
            && all.values().filter_map(|back| back.was.as_ref()).all(placed)
            && others.all(|(_, body)| !concerned(body) || placed(body))
    }

    /// Whether nobody was at a record while these were done, and whatever was done to it since was undone.
    fn is_as_left(&self, id: &RecordId, back: &PutBack, undone: &[OperationId]) -> bool {
        let mine = undone.iter().filter_map(|id| self.steps.get(id));
        let mine = mine.filter(|step| step.touched.contains_key(id)).map(|step| step.order);
        let (first, last) = (mine.clone().min().unwrap_or(0), mine.max().unwrap_or(0));
        let others = self.steps.iter().filter(|(other, step)| {
            step.order > first && step.touched.contains_key(id) && !undone.contains(other)
        });
        let unnamed = self.unnamed.get(id).is_some_and(|order| *order > first);
        let mut gone =
            others.map(|(_, step)| step.order > last && (step.undoes.is_some() || !step.stands()));
        !unnamed && gone.all(|gone| gone) && self.records.get(id) == back.left.as_ref()
    }
}

impl Book {
    /// Notes what a commit does to the journal, and holds an undo against what it takes back.
    pub(super) fn note_step(&mut self, commit: &Commit, position: Position) {
        if commit.domain != Domain::Journal {
            return;
        }
        let mut touched: BTreeMap<RecordId, Change> = BTreeMap::new();
        for write in &commit.writes {
            let Write::Record(draft) = write else { continue };
            let after = (!draft.deleted).then(|| draft.body.clone());
            let before = self.undos.records.get(&draft.id).cloned();
            touched.insert(draft.id.clone(), (before, after));
        }
        let undoes = commit.operation.as_ref().and_then(undone_by);
        if let Some(undone) = &undoes {
            self.note_undo(undone, &touched);
        }
        for (id, (_, after)) in &touched {
            match after {
                Some(body) => self.undos.records.insert(id.clone(), body.clone()),
                None => self.undos.records.remove(id),
            };
        }
        self.undos.changed = self.order;
        let Some(operation) = &commit.operation else {
            let order = self.order;
            return self.undos.unnamed.extend(touched.into_keys().map(|id| (id, order)));
        };
        let run = match &commit.author {
            Author::Agent { run, .. } => Some(*run),
            _ => None,
        };
        let (order, stands_since, taken_back) = (self.order, self.order, false);
        let step = StepBook { order, position, run, touched, undoes, taken_back, stands_since };
        self.undos.steps.insert(operation.id, step);
    }

    fn note_undo(&mut self, undone: &[OperationId], touched: &BTreeMap<RecordId, Change>) {
        self.figures.count("undos");
        for id in undone {
            if !self.undos.steps.get(id).is_some_and(StepBook::stands) {
                let what = format!("{id} was not done, or was undone before");
                self.violate("nothing is undone twice", what);
            }
        }
        let together = self.undos.together(undone);
        let mut found = Vec::new();
        for (id, back) in &together {
            let now = self.undos.records.get(id);
            let then = touched.get(id).map_or(now, |(_, after)| after.as_ref());
            if back.between || now != back.left.as_ref() {
                found.push(format!("somebody changed {id} since, and that is lost"));
            }
            if then != back.was.as_ref() {
                found.push(format!("{id} is not as it was before"));
            }
        }
        let besides = touched.keys().filter(|id| !together.contains_key(id));
        found.extend(besides.map(|id| format!("{id} has nothing to do with it")));
        for what in found {
            self.violate("an undo takes back what was done and nothing else", what);
        }
        for id in undone {
            self.take_back(id, true);
        }
    }

    /// What an undo took back stands again when the undo is taken back, and so on, as deep as they lie.
    fn take_back(&mut self, id: &OperationId, taken_back: bool) {
        let order = self.order;
        let Some(step) = self.undos.steps.get_mut(id) else { return };
        step.taken_back = taken_back;
        if !taken_back {
            step.stands_since = order;
            self.figures.count("redone");
        }
        for id in self.undos.steps[id].undoes.clone().into_iter().flatten() {
            self.take_back(&id, !taken_back);
        }
    }

    /// An undo is asked for.
    pub(crate) fn undo_asked(&mut self, request: &str) {
        let order = self.order;
        let (_, last) = self.undos.asked.entry(request.to_owned()).or_insert((order, order));
        *last = order;
    }

    /// An undo was acknowledged: it is written, and of a run it takes back all that was done when it was asked
    /// for, except what had been taken back by itself.
    pub(crate) fn undo_acknowledged(&mut self, what: Undo, request: &str, name: &str) {
        let (first, _) = self.undos.asked.get(request).copied().unwrap_or_default();
        let meant = self.undos.meant(what, first);
        let step = name.parse().ok().and_then(|id: OperationId| self.undos.steps.get(&id));
        let Some(undone) = step.and_then(|step| step.undoes.as_ref()) else {
            let what = format!("undo {name} was acknowledged and is not there");
            return self.violate("acknowledged is written", what);
        };
        // Since somebody asked it may have been taken back, and done again.
        let stood = |id: &OperationId| {
            let step = self.undos.steps.get(id);
            step.is_some_and(|step| step.stands() && step.stands_since <= first)
        };
        if let Some(left) = meant.iter().find(|id| !undone.contains(id) && stood(id)) {
            let what = format!("{left} is part of {what:?}, and was not undone with it");
            self.violate("an undo takes back all that was meant", what);
        }
    }

    /// An undo was refused: one that was done before is not, and neither is one that nothing stands in the
    /// way of.
    pub(crate) fn undo_refused(&mut self, what: Undo, request: &str) {
        self.figures.count("undos_refused");
        if self.answers.contains_key(&format!("undo {request}")) {
            let what = format!("{request} was undone, and is refused when it is asked for again");
            self.violate("same request, same answer", what);
        }
        let (_, last) = self.undos.asked.get(request).copied().unwrap_or_default();
        let still = self.undos.changed <= last;
        let meant = self.undos.left_of(self.undos.meant(what, last));
        // What the log has let go cannot be undone.
        let is_known = |id: &OperationId| {
            self.undos.steps.get(id).is_none_or(|step| step.position > self.let_go)
        };
        if still && meant.iter().all(is_known) && self.undos.can_be_undone(&meant) {
            let what = format!("{what:?} is refused, and nothing stands in its way");
            self.violate("what can be undone is undone", what);
        }
    }
}

/// What an undo says that it takes back.
fn undone_by(operation: &OperationDraft) -> Option<Vec<OperationId>> {
    let undone = operation.result["undone"].as_array().filter(|_| operation.verb == "undo")?;
    undone.iter().map(|id| id.as_str()?.parse().ok()).collect()
}

/// What has to be there for a record to be.
fn rests_on(body: &Body) -> Vec<RecordId> {
    match body {
        Body::Task(task) => vec![(&task.category_id).into()],
        Body::Checklist(list) => vec![(&list.task_id).into()],
        Body::ChecklistItem(item) => vec![(&item.checklist_id).into(), (&item.task_id).into()],
        _ => vec![],
    }
}

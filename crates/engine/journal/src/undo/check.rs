//! Whether anything newer rests on what is to be undone.

use std::collections::BTreeSet;

use rules::planted::{self, Fault};
use types::{
    Body, BodyType, Domain, Guard, Link, Operation, OperationId, PlanId, RatingId, Record,
    RecordId, Relation, TaskLabelId, Token,
};

use crate::desk::beneath;
use crate::{Error, Journal, verbs};

use super::refuse::{because, moved_on, undone_already};
use super::since::{Since, Touched};
use super::steps::{PutBack, Relink};

/// What an undo rests on.
pub(super) struct Ground {
    /// The records to put back, as they are now.
    pub(super) now: Vec<Record>,
    /// What they will rest on is still there when they are written.
    pub(super) stays: Vec<Guard>,
}

impl Journal {
    /// Refuses if a record has moved on, if something rests on one that would go, or if what one rested
    /// on is gone. Answers with the records as they are now.
    pub(super) async fn may_put_back(
        &self,
        records: &[PutBack],
        links: &[Relink],
        meant: &BTreeSet<OperationId>,
    ) -> Result<Ground, Error> {
        let head = self.store.head(Domain::Journal).await?;
        let ids = records.iter().map(|record| record.id.clone()).collect();
        let now = self.store.records_by_id(Domain::Journal, ids).await?;
        for record in records {
            let found = now.iter().find(|found| found.id == record.id);
            if planted::is(Fault::UndoneOverNewer) {
                continue;
            }
            if !record.broken && found.is_some_and(|found| found.revision == record.left_at) {
                continue;
            }
            match self.since(Touched::Record(&record.id), record.position).await? {
                Since::AsLeft if !record.broken => {}
                Since::AsLeft => return Err(moved_on(record.id.as_str(), None)),
                Since::Moved(by) => return Err(self.moved(record.id.as_str(), by, meant).await?),
            }
        }
        self.links_are_as_left(links, meant).await?;
        let goes =
            |record: &&PutBack| record.was.as_ref().is_none_or(|was| was.deleted_at.is_some());
        let going: BTreeSet<&RecordId> = records.iter().filter(goes).map(|r| &r.id).collect();
        for record in records.iter().filter(goes) {
            let leaves = |other: &RecordId| {
                going.contains(other) || leaves(&record.id, other, records, &now)
            };
            self.nothing_rests_on(record, leaves, links, records.len()).await?;
        }
        let mut stays = self.have_their_places(records, links, &going).await?;
        // A link has no revision that could be guarded; what changes it is news of its ends.
        let ends = links.iter().map(|link| Token::entity(&link.before.from));
        // Nor has what comes to rest on a record meanwhile.
        let quiet = ends.chain(going.iter().flat_map(|id| beneath(id)));
        stays.extend(quiet.map(|token| Guard::Quiet { token, since: head }));
        stays.extend(going.iter().filter_map(|id| borne_by_nobody(id, &now)));
        self.no_circles(links).await?;
        self.labels_fit(records, &now).await?;
        self.lists_have_room(records, &now).await?;
        Ok(Ground { now, stays })
    }

    async fn links_are_as_left(
        &self,
        links: &[Relink],
        meant: &BTreeSet<OperationId>,
    ) -> Result<(), Error> {
        for Relink { before, stamp: (host, counter), position, made } in links {
            let (from, relation) = (before.from.clone(), before.relation.clone());
            let now = self.store.links_from(Domain::Journal, from, relation).await?;
            // A link that is gone is not listed; if the operation removed it, that is as it should be.
            let as_left = match now.iter().find(|link| link.to == before.to) {
                Some(link) => link.clock.get(host) == *counter,
                None => !made,
            };
            if as_left {
                continue;
            }
            if let Since::Moved(by) = self.since(Touched::Link(before), *position).await? {
                let link = format!("the relation between {} and {}", before.from, before.to);
                return Err(self.moved(&link, by, meant).await?);
            }
        }
        Ok(())
    }

    /// Why something is not as the operations that are meant left it. If it was their own undoing, nobody is told to
    /// do them again.
    async fn moved(
        &self,
        what: &str,
        by: Option<Box<Operation>>,
        meant: &BTreeSet<OperationId>,
    ) -> Result<Error, Error> {
        let Some(by) = by else { return Ok(moved_on(what, None)) };
        let undoing = by.verb == "undo";
        let undone = if undoing { self.undone_by(&by).await? } else { vec![] };
        let already = undone.iter().any(|id| meant.contains(id));
        Ok(if already { undone_already(&by) } else { moved_on(what, Some(&by)) })
    }

    /// Refuses to bring relations back by which a task would come before itself.
    async fn no_circles(&self, links: &[Relink]) -> Result<(), Error> {
        for relation in [Relation::Blocks, Relation::ParentOf, Relation::FollowedBy] {
            let of_it = |link: &&Relink| link.before.relation == relation && link.comes_back();
            let coming: Vec<(&RecordId, &RecordId)> = links
                .iter()
                .filter(of_it)
                .map(|link| (&link.before.from, &link.before.to))
                .collect();
            for (from, to) in &coming {
                verbs::no_circle(&self.desk(), (from, &relation, to), &coming).await?;
            }
        }
        Ok(())
    }

    /// Refuses to let go of a record that something live lies under, is linked with or bears.
    async fn nothing_rests_on(
        &self,
        PutBack { id, was, .. }: &PutBack,
        leaves: impl Fn(&RecordId) -> bool,
        links: &[Relink],
        touched: usize,
    ) -> Result<(), Error> {
        let unlinked = |other: &RecordId| {
            links.iter().any(|Relink { before, .. }| {
                (before.from == *id && before.to == *other)
                    || (before.to == *id && before.from == *other)
            })
        };
        let mut resting = self.resting_on(id, touched).await?;
        if id.as_str().parse::<PlanId>().is_ok() {
            // A day was what it was, whether there is a plan of it or not.
            resting.retain(|other| other.as_str().parse::<RatingId>().is_err());
        }
        if was.is_some() {
            // It is removed once more: what outlived it then outlives it now.
            resting.retain(|other| !outlives(id, other));
        }
        resting.retain(|other| !unlinked(other));
        resting.extend(self.linked_besides(id, links).await?);
        resting.retain(|other| !leaves(other));
        resting.sort_unstable();
        resting.dedup();
        match resting.first() {
            None => Ok(()),
            Some(first) => Err(because(
                format!("{} newer things rest on {id}, such as {first}", resting.len()),
                format!("remove or undo them first; `dormouse history {first}` shows their story"),
            )),
        }
    }

    /// What a record is linked with by links that would stay, whatever other link goes.
    async fn linked_besides(
        &self,
        id: &RecordId,
        links: &[Relink],
    ) -> Result<Vec<RecordId>, Error> {
        let mut found = Vec::new();
        for relation in Relation::BETWEEN_TASKS {
            for Link { from, to, relation, .. } in self.desk().links(id, &relation).await? {
                let same = |Relink { before, .. }: &Relink| {
                    (&before.from, &before.relation, &before.to) == (&from, &relation, &to)
                };
                if !links.iter().any(same) {
                    found.push(if from == *id { to } else { from });
                }
            }
        }
        Ok(found)
    }

    /// Refuses to bring a record or a link back if what it rested on is gone by now. Answers with the
    /// conditions that it stays.
    async fn have_their_places(
        &self,
        records: &[PutBack],
        links: &[Relink],
        going: &BTreeSet<&RecordId>,
    ) -> Result<Vec<Guard>, Error> {
        let staying = records.iter().filter(|record| !going.contains(&record.id));
        let bodies = staying.filter_map(|record| Some((&record.id, &record.was.as_ref()?.body)));
        let mut rests: Vec<(&RecordId, RecordId)> = bodies
            .flat_map(|(id, body)| owners(body).into_iter().map(move |on| (id, on)))
            .collect();
        for Relink { before, .. } in links.iter().filter(|link| link.comes_back()) {
            rests.push((&before.from, before.to.clone()));
            rests.push((&before.to, before.from.clone()));
        }
        let ids: BTreeSet<RecordId> = rests.iter().map(|(_, on)| on.clone()).collect();
        let mut found =
            self.store.records_by_id(Domain::Journal, ids.into_iter().collect()).await?;
        found.retain(|record| record.deleted_at.is_none());
        let back: BTreeSet<&RecordId> = records.iter().map(|record| &record.id).collect();
        let there: BTreeSet<&RecordId> = found.iter().map(|record| &record.id).collect();
        let gone = |on: &RecordId| going.contains(on) || !(back.contains(on) || there.contains(on));
        if let Some((record, on)) = rests.iter().find(|(_, on)| gone(on)) {
            let message = format!("{record} rested on {on}, which is gone");
            let hint = format!("`dormouse history {on}` shows what removed it");
            return Err(because(message, hint));
        }
        Ok(found.iter().filter(|on| !back.contains(&on.id)).map(Guard::unchanged).collect())
    }
}

/// Whether something rests on a record now, and will not when it is put back: an item that goes back
/// to the list it was moved from.
fn leaves(id: &RecordId, other: &RecordId, records: &[PutBack], now: &[Record]) -> bool {
    let rests = |body: &Body| owners(body).contains(id);
    let rests_now = now.iter().any(|found| found.id == *other && rests(&found.body));
    let will = |back: &PutBack| back.was.as_ref().is_some_and(|was| rests(&was.body));
    rests_now && records.iter().any(|back| back.id == *other && !will(back))
}

/// Whether a note, or time that was spent, is kept when its task is removed.
fn outlives(task: &RecordId, other: &RecordId) -> bool {
    let is = |id: &RecordId, kind: &str| id.as_str().starts_with(kind);
    is(task, "task_") && (is(other, "entry_") || is(other, "time_"))
}

/// That no task bears a label that goes. Those that bear it now lose it with it.
fn borne_by_nobody(id: &RecordId, now: &[Record]) -> Option<Guard> {
    let label: TaskLabelId = id.as_str().parse().ok()?;
    let bears = |body: &Body| matches!(body, Body::Task(task) if task.labels.contains(&label));
    let mark = rules::mark::labelled(&label);
    let borne = now.iter().any(|record| record.deleted_at.is_none() && bears(&record.body));
    (!borne).then_some(Guard::Unmarked { kind: BodyType::Task, mark })
}

/// The records without which this one would have no place, or bear what is not there.
pub(super) fn owners(body: &Body) -> Vec<RecordId> {
    match body {
        Body::Task(task) => {
            let labels = task.labels.iter().map(RecordId::from);
            labels.chain([(&task.category_id).into()]).collect()
        }
        Body::Checklist(list) => vec![(&list.task_id).into()],
        Body::ChecklistItem(item) => vec![(&item.checklist_id).into(), (&item.task_id).into()],
        // A note outlives its task.
        Body::Entry(entry) => vec![(&entry.category_id).into()],
        Body::TaskLabel(label) => label.category_id.iter().map(Into::into).collect(),
        _ => vec![],
    }
}

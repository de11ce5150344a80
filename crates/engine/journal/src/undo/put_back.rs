//! Undoing an operation, or all that a run did.

use std::collections::BTreeSet;

use rules::planted::{self, Fault};
use serde_json::json;
use tool::Planned;
use types::{
    Author, Body, Domain, Guard, LinkDraft, Operation, OperationId, Position, Record, RecordDraft,
    RunKey, Write, limits,
};

use crate::service::{self, Answer};
use crate::{Error, Journal, plan};

use super::check::Ground;
use super::refuse::{DIGITS_MIN, ambiguous, because, unknown};
use super::steps::{Done, PutBack, Relink, fold};
use super::told::told;

/// Among how many operations a run is looked for whose name is not written out.
const RUNS_AMONG: usize = limits::ROWS_PER_READ_MAX;

impl Journal {
    /// Puts back what an operation did, or all that a run did, in one commit. It is an operation
    /// itself, so it can be undone.
    ///
    /// # Errors
    /// If there is no such operation or run, or something newer rests on what it did.
    pub async fn undo(&self, what: &str, request: Option<String>) -> Result<Answer, Error> {
        let request = request.filter(|_| !planted::is(Fault::UndoForgotten));
        let id = self.name_of("undo", request)?;
        if let Some(answer) = self.answered(&id).await? {
            return Ok(answer);
        }
        let operations = self.meant(what).await?;
        self.until_it_stands(id, || self.put_back(id, operations.clone())).await
    }

    async fn put_back(&self, id: OperationId, operations: Vec<Operation>) -> Result<Answer, Error> {
        let mut done = Vec::new();
        for operation in self.not_taken_back(operations).await? {
            done.push(self.what_it_did(operation).await?);
        }
        let (records, links) = fold(&done);
        let meant: BTreeSet<OperationId> = done.iter().map(|step| step.operation.id).collect();
        let Ground { now, stays } = self.may_put_back(&records, &links, &meant).await?;
        let undone: Vec<String> = done.iter().map(|step| step.operation.id.to_string()).collect();
        let verbs: Vec<&str> = done.iter().map(|step| step.operation.verb.as_str()).collect();
        let changed: Vec<&str> = records.iter().map(|record| record.id.as_str()).collect();
        let let_go: Vec<Guard> = records.iter().flat_map(|record| lets_go(record, &now)).collect();
        let guards = records.iter().flat_map(|record| guards(record, &now));
        let records_back = records.iter().filter_map(|record| back(record, &now));
        let planned = Planned {
            subject: done[0].operation.subject.clone(),
            domain: Domain::Journal,
            destinations: BTreeSet::new(),
            writes: records_back.chain(links.iter().map(relink)).collect(),
            guards: guards.filter(|guard| !let_go.contains(guard)).chain(stays).collect(),
            answer: json!({
                "undone": undone,
                "verbs": verbs,
                "changed": changed,
                "records": told(&records, &now),
            }),
            words_of: BTreeSet::new(),
        };
        let at = self.world.now();
        self.carry_out(service::commit("undo", id, planned, Author::Operator, at)).await
    }

    /// Of what a run did, what was not taken back one by one. If nothing is left of it, all of it: then that is what
    /// it is refused for.
    async fn not_taken_back(&self, meant: Vec<Operation>) -> Result<Vec<Operation>, Error> {
        if meant.len() == 1 {
            return Ok(meant);
        }
        let first = meant.iter().filter_map(|operation| operation.position).min();
        let taken_back = self.taken_back_since(first.unwrap_or_default()).await?;
        let is_left = |operation: &Operation| !taken_back.contains(&operation.id);
        let any_left = meant.iter().any(is_left);
        Ok(meant.into_iter().filter(|operation| !any_left || is_left(operation)).collect())
    }

    /// The operations that a text names, newest first.
    async fn meant(&self, text: &str) -> Result<Vec<Operation>, Error> {
        if text == "last" {
            return Ok(vec![self.last_that_stands().await?]);
        }
        let digits = text.trim().to_lowercase();
        if digits.len() < DIGITS_MIN || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
            return Err(unknown(text));
        }
        let mut found = self.store.operations_starting(Domain::Journal, digits.clone(), 2).await?;
        match (found.pop(), found.pop()) {
            (Some(one), None) => return Ok(vec![one]),
            (Some(_), Some(_)) => return Err(ambiguous("operation", text)),
            (None, _) => {}
        }
        let run = match digits.parse() {
            Ok(run) => run,
            Err(_) => self.run_starting(text, &digits).await?,
        };
        let found = self.store.operations_of_run(Domain::Journal, run).await?;
        match found.len() {
            0 => Err(unknown(text)),
            // What was read of a longer one is its end: to put that back would look as if all of it were.
            limits::ROWS_PER_READ_MAX.. => Err(because(
                format!("the run did {} things or more", limits::ROWS_PER_READ_MAX),
                "undo its operations one by one; `dormouse history` lists them",
            )),
            _ => Ok(found),
        }
    }

    /// The run whose name starts so, among those that last changed something.
    async fn run_starting(&self, text: &str, digits: &str) -> Result<RunKey, Error> {
        let newest = self.store.operations(Domain::Journal, None, RUNS_AMONG).await?;
        let runs: BTreeSet<RunKey> = newest
            .into_iter()
            .filter_map(|operation| operation.run_key)
            .filter(|run| run.to_string().starts_with(digits))
            .collect();
        match runs.len() {
            0 | 1 => runs.into_iter().next().ok_or_else(|| unknown(text)),
            _ => Err(ambiguous("run", text)),
        }
    }

    async fn what_it_did(&self, operation: Operation) -> Result<Done, Error> {
        let nothing = || because("it changed nothing", "there is nothing to put back");
        let at = operation.position.ok_or_else(nothing)?;
        let before = Position(at.0.saturating_sub(1));
        let change = self.store.changes(Domain::Journal, before, 1).await?;
        let change = change.into_iter().find(|change| change.position == at).ok_or_else(|| {
            because("what it did is no longer in the log", "change it back by hand")
        })?;
        let image = self
            .pre_image(&operation)
            .await?
            .ok_or_else(|| because("what was there before is erased", "change it back by hand"))?;
        Ok(Done {
            operation,
            touched: change.images.into_iter().map(|image| image.id).collect(),
            before: image.records,
            links: image.links,
            stamp: (change.host, change.counter),
        })
    }
}

/// The record as it was; nothing if it never was and is gone already.
fn back(record: &PutBack, now: &[Record]) -> Option<Write> {
    let draft = match &record.was {
        Some(was) => RecordDraft {
            deleted: was.deleted_at.is_some(),
            created_at: Some(was.created_at),
            ..RecordDraft::live(record.id.clone(), was.body.clone())
        },
        None => RecordDraft::gone(record.id.clone(), body_now(record, now)?),
    };
    Some(Write::Record(draft))
}

fn guards(record: &PutBack, now: &[Record]) -> Vec<Guard> {
    // It may have been changed and put back since it was left; what was looked at is what counts.
    let found = now.iter().find(|found| found.id == record.id);
    let expected = found.map_or(record.left_at, |found| found.revision);
    let mut guards = vec![Guard::Revision { record: record.id.clone(), expected }];
    if let Some(was) = lived(record) {
        guards.extend(plan::claims(lives(record, now).map(|found| &found.body), &was.body));
    }
    guards
}

/// What a record has for itself now and will not have any more: another may have it in the same commit,
/// as the timer that was stopped for the one that goes.
fn lets_go(record: &PutBack, now: &[Record]) -> Vec<Guard> {
    let was = lived(record).map(|was| &was.body);
    lives(record, now).map_or_else(Vec::new, |found| plan::claims(was, &found.body))
}

fn lived(record: &PutBack) -> Option<&Record> {
    record.was.as_ref().filter(|was| was.deleted_at.is_none())
}

fn lives<'a>(record: &PutBack, now: &'a [Record]) -> Option<&'a Record> {
    now.iter().find(|found| found.id == record.id && found.deleted_at.is_none())
}

fn body_now(record: &PutBack, now: &[Record]) -> Option<Body> {
    now.iter().find(|found| found.id == record.id).map(|found| found.body.clone())
}

fn relink(Relink { before, .. }: &Relink) -> Write {
    let was = before.was.as_ref();
    let draft = plan::link(&before.from, before.relation.clone(), &before.to, true);
    Write::Link(match was {
        Some(was) => LinkDraft {
            hidden: was.hidden,
            body: was.body.clone(),
            deleted: was.deleted_at.is_some(),
            ..draft
        },
        None => draft,
    })
}

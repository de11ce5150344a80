//! Looking for one trace of a commit in what is left.

use std::collections::BTreeSet;

use store::{Store, StoreError, wait};
use types::{
    At, Author, ContentRef, Domain, Operation, OperationDraft, OperationId, PreImage, RecordDraft,
    RecordId, RunDraft, RunEnd, RunKey, RunState, Usage,
};

use crate::facts::Facts;
use crate::left::{Left, Trace};

/// What is left, ready to be looked at.
pub(crate) struct Scene<'a> {
    pub(crate) store: &'a dyn Store,
    pub(crate) journal: Facts,
    pub(crate) agent: Facts,
}

/// What became of a trace.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// It is there, or something that only a later commit can have put in its place.
    There,
    /// It is not there; the sentence says what is not.
    Missing(String),
    /// It is there, but otherwise.
    Wrong(String),
}

type Looked = Result<Found, StoreError>;

impl<'a> Scene<'a> {
    /// Reads the logs of both files.
    pub(crate) fn of(store: &'a dyn Store) -> Result<Scene<'a>, StoreError> {
        let journal = Facts::of(store, Domain::Journal)?;
        Ok(Scene { store, journal, agent: Facts::of(store, Domain::Agent)? })
    }

    /// The logs of one file.
    pub(crate) fn facts(&self, domain: Domain) -> &Facts {
        match domain {
            Domain::Journal => &self.journal,
            Domain::Agent => &self.agent,
        }
    }

    /// Looks for one trace.
    pub(crate) fn look(&self, left: &Left, trace: &Trace) -> Looked {
        let domain = left.domain;
        match trace {
            Trace::Record { draft, revision } => self.record(domain, draft, *revision),
            Trace::Link { from, to, relation } => {
                let links = wait(self.store.links_to(domain, to.clone(), relation.clone()))?;
                let there = links.iter().any(|link| link.from == *from);
                Ok(there_if(there, || format!("the link from {from} to {to} is missing")))
            }
            Trace::Listener { token, agent } => {
                let found = wait(self.store.subscribers(vec![token.clone()]))?;
                let there = found.iter().flat_map(|(_, all)| all).any(|one| one.agent == *agent);
                Ok(there_if(there, || format!("{agent} does not listen for {token}")))
            }
            Trace::Content(at) => self.content(domain, at),
            Trace::Cursor { name, log, to } => {
                let found = wait(self.store.cursor(domain, name.clone(), *log))?;
                Ok(there_if(found >= *to, || format!("cursor {name} is at {found}, not at {to}")))
            }
            Trace::Event { agent, number, kind, body } => {
                let found = wait(self.store.events(agent.clone(), Some(number - 1), 1))?;
                Ok(match found.first() {
                    None => Found::Missing(format!("event {number} of {agent} is missing")),
                    Some(event) => right_if(
                        event.event_seq == *number
                            && event.kind == kind.as_str()
                            && event.body == *body,
                        || format!("event {number} of {agent} is {event:?}"),
                    ),
                })
            }
            Trace::RunQueued(draft) => self.run_queued(draft),
            Trace::RunEnded { run_key, end, usage } => self.run_ended(run_key, end, usage),
            Trace::Operation { draft, before } => self.operation(domain, draft, before),
            Trace::Change { operation, author, at, about } => {
                self.change(left, operation, author, *at, about)
            }
            Trace::Audit { draft, actor, at } => {
                Ok(match self.facts(domain).audit.get(&draft.subject) {
                    None => Found::Missing("its audit entry is missing".to_owned()),
                    Some(entry) => right_if(
                        entry.action == draft.action
                            && entry.detail == draft.detail
                            && entry.actor == *actor
                            && entry.at == *at,
                        || format!("its audit entry is {entry:?}"),
                    ),
                })
            }
        }
    }

    fn record(&self, domain: Domain, draft: &RecordDraft, revision: u64) -> Looked {
        let id = &draft.id;
        let Some(record) = wait(self.store.record(domain, id.clone()))? else {
            return Ok(Found::Missing(format!("{id} is missing")));
        };
        if record.revision < revision {
            let found = record.revision;
            return Ok(Found::Missing(format!("{id} is at revision {found}, not at {revision}")));
        }
        let same = record.body == draft.body && record.deleted_at.is_some() == draft.deleted;
        Ok(right_if(record.revision > revision || same, || {
            format!("{id} at revision {revision} is {:?}", record.body)
        }))
    }

    fn content(&self, domain: Domain, at: &ContentRef) -> Looked {
        Ok(match wait(self.store.content(domain, at.clone()))? {
            None => Found::Missing(format!("content {} of {} is missing", at.hash, at.subject)),
            Some(content) => right_if(rules::hash::bytes(&content.bytes) == at.hash, || {
                format!("content {} of {} has other bytes", at.hash, at.subject)
            }),
        })
    }

    fn run_queued(&self, draft: &RunDraft) -> Looked {
        let key = draft.run_key;
        Ok(match wait(self.store.run(key))? {
            None => Found::Missing(format!("run {key} is missing")),
            Some(run) => right_if(run.draft == *draft, || format!("run {key} is {run:?}")),
        })
    }

    fn run_ended(&self, key: &RunKey, wanted: &RunEnd, usage: &Usage) -> Looked {
        let run = wait(self.store.run(*key))?;
        Ok(match run.map(|run| (run.state, run.usage)) {
            None => Found::Missing(format!("run {key} is missing")),
            Some((RunState::Ended { end, .. }, spent)) => {
                right_if(end == *wanted && spent == *usage, || {
                    format!("run {key} has ended otherwise: {end:?}, {spent:?}")
                })
            }
            Some((open, _)) => Found::Missing(format!("run {key} is still {}", open.as_str())),
        })
    }

    fn operation(
        &self,
        domain: Domain,
        draft: &OperationDraft,
        before: &[(RecordId, u64)],
    ) -> Looked {
        let Some(done) = wait(self.store.operation(domain, draft.id))? else {
            return Ok(Found::Missing("its operation is missing".to_owned()));
        };
        let Operation { verb, subject, run_key, .. } = &done;
        if verb != draft.verb || *subject != draft.subject || *run_key != draft.run_key {
            return Ok(Found::Wrong(format!("its operation is {done:?}")));
        }
        let Some(result) = wait(self.store.content(domain, done.result.clone()))? else {
            return Ok(Found::Missing("its operation's result is missing".to_owned()));
        };
        if serde_json::from_slice(&result.bytes).ok().as_ref() != Some(&draft.result) {
            return Ok(Found::Wrong("its operation's result has another value".to_owned()));
        }
        self.pre_image(domain, done.pre_image.as_ref(), before)
    }

    fn pre_image(
        &self,
        domain: Domain,
        image: Option<&ContentRef>,
        before: &[(RecordId, u64)],
    ) -> Looked {
        let found = match image {
            None => Vec::new(),
            Some(at) => {
                let Some(content) = wait(self.store.content(domain, at.clone()))? else {
                    return Ok(Found::Missing("its operation's pre-image is missing".to_owned()));
                };
                match serde_json::from_slice::<PreImage>(&content.bytes) {
                    Ok(PreImage { records, .. }) => records,
                    Err(error) => {
                        return Ok(Found::Wrong(format!("its pre-image cannot be read: {error}")));
                    }
                }
            }
        };
        let found: Vec<_> = found.into_iter().map(|record| (record.id, record.revision)).collect();
        Ok(right_if(found == before, || format!("its pre-image is of {found:?}, not {before:?}")))
    }

    /// The change of an operation, in all the places that must know of it.
    fn change(
        &self,
        left: &Left,
        operation: &OperationId,
        author: &Author,
        at: At,
        about: &BTreeSet<RecordId>,
    ) -> Looked {
        let facts = self.facts(left.domain);
        let Some(done) = wait(self.store.operation(left.domain, *operation))? else {
            return Ok(Found::Missing(
                "its operation and with it its change is missing".to_owned(),
            ));
        };
        let Some(position) = done.position else {
            return Ok(Found::Wrong("its operation points to no change".to_owned()));
        };
        let Some(change) = facts.changes.get(&position) else {
            return Ok(Found::Missing(format!("its change at position {position} is missing")));
        };
        if !facts.outbox.contains(&position) {
            return Ok(Found::Missing(format!("position {position} is missing in the outbox")));
        }
        if facts.units.get(&change.counter) != Some(&left.units) {
            let counter = change.counter;
            return Ok(Found::Wrong(format!("the sequence log notes something else at {counter}")));
        }
        let named = |id: &RecordId| change.tokens.contains(&types::Token::entity(id));
        Ok(right_if(change.author == *author && change.at == at && about.iter().all(named), || {
            format!("its change is {change:?}")
        }))
    }
}

fn there_if(there: bool, otherwise: impl FnOnce() -> String) -> Found {
    if there { Found::There } else { Found::Missing(otherwise()) }
}

fn right_if(right: bool, otherwise: impl FnOnce() -> String) -> Found {
    if right { Found::There } else { Found::Wrong(otherwise()) }
}

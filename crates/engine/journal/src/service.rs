//! The service: the store, and the world for time and ids.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use store::{Marked, Store};
use tool::Planned;
use types::{
    AuditDraft, Author, Code, Commit, Conflict, Domain, Guard, Invalid, Label, OperationDraft,
    OperationId, Outcome, RecordId,
};
use world::World;

use crate::desk::{Desk, Reach};
use crate::error::is_moved;
use crate::exchange::Inbox;
use crate::steps::DO;
use crate::verb::AnyVerb;
use crate::{Error, verbs};

/// The journal of a home.
#[derive(Clone)]
pub struct Journal {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
    pub(crate) inbox: Arc<Inbox>,
}

/// How often a verb is planned when somebody else changes what it rests on.
pub(crate) const TRIES: u32 = 50;

/// What the operator asks for: a verb and its arguments, by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// Which verb.
    pub verb: String,
    /// Its arguments.
    pub arguments: Value,
    /// Names the request: the same again answers as before and changes nothing. Absent means new.
    pub request: Option<String>,
    /// Only say what would be done.
    pub preview: bool,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The operation, by which it can be undone; absent if nothing had to change.
    pub operation: Option<OperationId>,
    /// What the verb answers.
    pub answer: Value,
    /// It had been done before, under the same name.
    pub repeated: bool,
    /// It was only shown.
    pub preview: bool,
}

impl Journal {
    /// The journal in this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, world: Arc<dyn World>) -> Journal {
        Journal { store, world, inbox: Arc::default() }
    }

    /// A desk for the person whose journal it is.
    pub(crate) fn desk(&self) -> Desk {
        Desk::new(Arc::clone(&self.store), Arc::clone(&self.world), Reach::Operator)
    }

    /// Does something for the person whose journal it is. Agents come through the executor, with the
    /// same verbs.
    ///
    /// # Errors
    /// What the verb refuses, and what the store cannot.
    pub async fn perform(&self, ask: Ask) -> Result<Answer, Error> {
        let verb = known(&ask.verb)?;
        let named = ask.request.is_some();
        let id = self.name_of(verb.name, ask.request)?;
        if let Some(answer) = self.answered(&id).await? {
            return Ok(answer);
        }
        let attempt = || self.attempt(verb, (id, named), ask.arguments.clone(), ask.preview);
        self.until_it_stands(id, attempt).await
    }

    /// Does something once more whenever somebody else was at it meanwhile: what they wrote is looked at, and all of it
    /// planned anew. If the same request was done meanwhile, that is its answer.
    pub(crate) async fn until_it_stands<F: Future<Output = Result<Answer, Error>>>(
        &self,
        id: OperationId,
        attempt: impl Fn() -> F,
    ) -> Result<Answer, Error> {
        for _ in 1..TRIES {
            match attempt().await {
                Err(Error::Conflict(conflict)) if is_moved(&conflict) => {}
                Err(refused) => return self.answered(&id).await?.ok_or(refused),
                done => return done,
            }
        }
        attempt().await
    }

    /// The name of what a request does; a request without a name is a new one.
    pub(crate) fn name_of(
        &self,
        verb: &'static str,
        request: Option<String>,
    ) -> Result<OperationId, Error> {
        let request = request.unwrap_or_else(|| format!("request_{}", self.world.ulid()));
        Invalid::unless_request(&request)?;
        Ok(rules::operation::id_of_request(verb, &request))
    }

    /// Plans something from how things stand, and carries the plan out.
    async fn attempt(
        &self,
        verb: AnyVerb,
        (id, named): (OperationId, bool),
        arguments: Value,
        preview: bool,
    ) -> Result<Answer, Error> {
        let mut desk = self.desk();
        let planned = (verb.plan)(arguments, &mut desk).await?.planned();
        let (answer, changes) = (planned.answer.clone(), !planned.writes.is_empty());
        let read = self.origin_of(&planned.words_of).await?;
        let commit = commit(verb.name, id, planned, Author::Operator, self.world.now());
        let commit = Commit { read, ..commit };
        // What is only shown is refused for the same reasons as what is done.
        commit.check()?;
        if preview {
            self.nothing_taken(&commit.guards).await?;
        }
        // Whoever named a request may ask again, and is to hear the same: also that nothing had to change.
        if preview || !(changes || named) {
            return Ok(Answer { operation: None, answer, repeated: false, preview });
        }
        self.carry_out(commit).await
    }

    /// Where the words of records came from that are written anew, if they are not the operator's alone: who copies
    /// them does not vouch for them.
    async fn origin_of(&self, copied: &BTreeSet<RecordId>) -> Result<Option<Label>, Error> {
        if copied.is_empty() {
            return Ok(None);
        }
        let origins = self.store.origins(copied.iter().cloned().collect()).await?;
        Ok((!origins.is_empty()).then(|| Label::operator().and_all(origins.values())))
    }

    /// Refuses what could not be written now because another bears a mark that only one may bear.
    async fn nothing_taken(&self, guards: &[Guard]) -> Result<(), Error> {
        for guard in guards {
            let Guard::Unmarked { kind, mark } = guard else { continue };
            let bearing = Marked::with(*kind, mark.clone(), 1);
            if let Some(found) = self.store.marked(Domain::Journal, bearing).await?.pop() {
                return Err(Conflict::Marked { mark: mark.clone(), by: found.id }.into());
            }
        }
        Ok(())
    }

    /// What an operation answered when it was done.
    pub(crate) async fn answered(&self, id: &OperationId) -> Result<Option<Answer>, Error> {
        let Some(known) = self.store.operation(Domain::Journal, *id).await? else {
            return Ok(None);
        };
        let content = self.store.content(Domain::Journal, known.result).await?;
        let answer = content.and_then(|content| serde_json::from_slice(&content.bytes).ok());
        let (operation, answer) = (Some(*id), answer.unwrap_or_default());
        Ok(Some(Answer { operation, answer, repeated: true, preview: false }))
    }

    /// Commits an operation and returns its answer, now or from the first time.
    pub(crate) async fn carry_out(&self, commit: Commit) -> Result<Answer, Error> {
        let draft = commit.operation.clone().expect("what changes the journal is an operation");
        let operation = Some(draft.id);
        match self.store.commit(commit).await? {
            Outcome::Applied(_) => {
                Ok(Answer { operation, answer: draft.result, repeated: false, preview: false })
            }
            Outcome::Idempotent(recorded) => {
                let answer = recorded.result;
                Ok(Answer { operation, answer, repeated: true, preview: false })
            }
            Outcome::Conflict(conflict) => Err(conflict.into()),
        }
    }
}

/// A plan as a commit under an operation's name. Agents' are the executor's to make.
pub(crate) fn commit(
    verb: &'static str,
    id: OperationId,
    planned: Planned,
    author: Author,
    at: types::At,
) -> Commit {
    let subject = planned.subject;
    // The audit outlives the content, so no words of anybody are in it.
    let entry = AuditDraft { action: verb, subject: subject.to_string(), detail: String::new() };
    Commit {
        guards: planned.guards,
        operation: Some(OperationDraft {
            id,
            verb,
            subject,
            run_key: None,
            result: planned.answer,
        }),
        audit: vec![entry],
        ..Commit::new(Domain::Journal, author, at, planned.writes).named(DO)
    }
}

fn known(name: &str) -> Result<AnyVerb, Error> {
    verbs::ALL.iter().copied().find(|verb| verb.name == name).ok_or_else(|| {
        let message = format!("the journal has no verb {name:?}");
        let names: Vec<&str> = verbs::ALL.iter().map(|verb| verb.name).collect();
        Error::refuse(Code::WrongUsage, message, format!("it has {}", names.join(", ")))
    })
}

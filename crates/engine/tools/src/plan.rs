//! Asking a tool what it would do, and what the gate has to know of that.

use std::collections::BTreeSet;

use policy::{Plan, Written};
use store::{Store, StoreError};
use tool::{Call, Failure, Planned, Target};
use types::{
    At, Author, Body, CategoryId, Code, Commit, Domain, Invalid, Problem, RecordId, Write, limits,
};

use crate::Executor;
use crate::belongs::belongings;
use crate::bounded::bounded;
use crate::name::Drafted;
use crate::registry::Entry;
use crate::work::Work;

impl Executor {
    /// What a tool would do for a call, and all that it looked at, as the gate judges it. What was drafted when
    /// the call was named is what it would do.
    pub(crate) async fn plan(
        &self,
        entry: &Entry,
        work: &Work,
        drafted: Option<Drafted>,
    ) -> (Plan, Result<Planned, Failure>) {
        let (targets, planned) = match drafted {
            Some(drafted) => (drafted.targets, drafted.planned),
            None => self.ask_tool(entry, &work.call).await,
        };
        let mut plan = looked_at(entry, &targets);
        let planned = match self.note_what_it_tells(work, &planned).await {
            Ok(()) => planned.and_then(|planned| kept(entry, planned)),
            Err(error) => Err(Problem::from(error).into()),
        };
        let planned = match planned {
            Ok(planned) => {
                would_do(&*self.store, &work.call, &mut plan, &planned).await.map(|()| planned)
            }
            Err(failure) => Err(failure),
        };
        plan.missed = planned.as_ref().is_err_and(|failure| failure.kind == Code::OutOfScope);
        (plan, planned)
    }

    /// Notes where the words came from that it would be answered with, as they are before it changes any and before
    /// the answer is cut. Why it cannot be done may name what stands in the way.
    async fn note_what_it_tells(
        &self,
        work: &Work,
        planned: &Result<Planned, Failure>,
    ) -> Result<(), StoreError> {
        let told = match planned {
            Ok(Planned { domain: Domain::Agent, .. }) => None,
            Ok(planned) => self.origin_of(&planned.answer, &planned.words_of).await?,
            Err(failure) => self.origin_of_failure(failure).await?,
        };
        work.tells(told.as_ref());
        Ok(())
    }
}

fn looked_at(entry: &Entry, targets: &BTreeSet<Target>) -> Plan {
    let targets = targets.iter().map(|target| target.category.clone()).collect();
    Plan { targets, ..Plan::of(entry.contract().domain()) }
}

async fn would_do(
    store: &dyn Store,
    call: &Call,
    plan: &mut Plan,
    planned: &Planned,
) -> Result<(), Failure> {
    plan.domain = planned.domain;
    plan.destinations.clone_from(&planned.destinations);
    // What a record says of itself counts, whether the tool named it or not.
    plan.destinations.extend(planned.writes.iter().filter_map(goes_to));
    let written = |write: &Write| match planned.domain {
        Domain::Journal => written(write),
        Domain::Agent => written_of_own(call, planned, write),
    };
    plan.writes = planned.writes.iter().map(written).collect();
    if call.task.is_some() && planned.domain == Domain::Journal {
        let found = belongings(store, planned).await;
        let found = found.map_err(|error| Failure::from(Problem::from(error)))?;
        (plan.tasks, plan.made) = (found.tasks, found.made);
    }
    Ok(())
}

/// The category that a written record lies in by its own word. A day plan belongs to none as a whole:
/// it is written anew with the blocks of others in it.
fn goes_to(write: &Write) -> Option<CategoryId> {
    let Write::Record(draft) = write else { return None };
    match &draft.body {
        Body::Task(task) => Some(task.category_id.clone()),
        Body::Entry(entry) => Some(entry.category_id.clone()),
        _ => None,
    }
}

fn written(write: &Write) -> Written {
    match write {
        Write::Record(draft) => draft.body.body_type().map_or(Written::Other, Written::Record),
        Write::Link(_) => Written::Link,
        _ => Written::Other,
    }
}

/// The same for what goes among the agents: it is the caller's own, or nothing that a tool has to do
/// with.
fn written_of_own(call: &Call, planned: &Planned, write: &Write) -> Written {
    let agent = RecordId::from(&call.agent);
    let drafted = |id: &RecordId| {
        let is = |write: &Write| matches!(write, Write::Record(draft) if draft.id == *id);
        planned.writes.iter().any(is)
    };
    match write {
        Write::Record(draft) if draft.body.owner() == call.agent.as_str() => written(write),
        Write::Link(link) if link.from == agent || drafted(&link.from) => Written::Link,
        Write::Content(content) if drafted(&content.subject) => Written::Beside,
        Write::Event(event) if event.agent == call.agent => Written::Beside,
        _ => Written::Other,
    }
}

/// Holds a tool to the answer it promised, and the answer to its limit.
fn kept(entry: &Entry, planned: Planned) -> Result<Planned, Failure> {
    let name = entry.contract().name;
    if !entry.output.allows(&planned.answer) {
        let message = format!("{name} has an answer that its contract does not promise");
        let hint = "do without it; the tool has to be mended";
        return Err(Failure::of(Code::InvalidRecord, message, hint));
    }
    let answer = bounded(&planned.answer, limits::TOOL_ANSWER_BYTES_MAX);
    storable(Planned { answer, ..planned })
}

/// What a tool writes among the agents is stored with the end of the turn, when nobody can be told any more
/// that it cannot be. What it writes into the journal is stored at once.
fn storable(planned: Planned) -> Result<Planned, Failure> {
    if planned.domain != Domain::Agent {
        return Ok(planned);
    }
    let commit = Commit::new(planned.domain, Author::Runtime, At::EPOCH, planned.writes);
    let checked = commit.check();
    let planned = Planned { writes: commit.writes, ..planned };
    let failure = |invalid: Invalid| {
        Failure::of(Code::InvalidRecord, invalid.to_string(), "say it in another way")
    };
    checked.map(|()| planned).map_err(failure)
}

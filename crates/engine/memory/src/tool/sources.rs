//! What claims may rest on: records of the journal in the agent's categories, and its own.

use std::collections::{BTreeMap, BTreeSet};

use store::{Store, StoreError};
use tool::Call;
use types::{
    At, Body, CategoryId, Domain, MessageId, Record, RecordId, SourceRef, SourceType, TaskId,
};

/// A record that a claim may rest on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    source_type: SourceType,
    updated_at: At,
    /// The message that it is, with when it was said.
    pub(crate) message: Option<(At, MessageId)>,
    /// What it says to everybody who reads the journal.
    pub(crate) public: Option<String>,
}

impl Found {
    /// What was read of it cannot be newer than the look.
    pub(crate) fn source(&self, locator: &str, looked_at: At) -> SourceRef {
        SourceRef {
            source_type: self.source_type,
            source_locator: locator.to_owned(),
            captured_at: looked_at,
            freshness_at: self.updated_at.min(looked_at),
        }
    }
}

/// Those of the records that the caller may see. One that was removed still tells that it was.
pub(crate) async fn visible(
    store: &dyn Store,
    call: &Call,
    named: BTreeSet<RecordId>,
) -> Result<BTreeMap<RecordId, Found>, StoreError> {
    let named: Vec<RecordId> = named.into_iter().collect();
    let journal = store.records_by_id(Domain::Journal, named.clone()).await?;
    let tasks = journal.iter().filter_map(|record| task_of(&record.body)).map(RecordId::from);
    let tasks = store.records_by_id(Domain::Journal, tasks.collect()).await?;
    let within = |record: &Record| match lies_in(record, &tasks) {
        Place::In(category) => call.scope.contains(&category),
        Place::Everywhere => true,
        Place::Nowhere => false,
    };
    let of_journal = journal.iter().filter(|record| within(record));
    let own = store.records_by_id(Domain::Agent, named).await?;
    let of_own = own.iter().filter(|record| is_own(call, &record.body));
    let found = of_journal
        .map(|record| found(record, SourceType::Journal))
        .chain(of_own.map(|record| found(record, type_of_own(&record.body))));
    Ok(found.collect())
}

fn found(record: &Record, source_type: SourceType) -> (RecordId, Found) {
    let message = match record.body {
        Body::AgentMessage(_) => record.id.as_str().parse().ok(),
        _ => None,
    };
    let message = message.map(|id| (record.created_at, id));
    let (updated_at, public) = (record.updated_at, public(record).map(str::to_owned));
    (record.id.clone(), Found { source_type, updated_at, message, public })
}

/// The words of a record that stands in the journal.
fn public(record: &Record) -> Option<&str> {
    match &record.body {
        _ if record.deleted_at.is_some() => None,
        Body::Task(task) => Some(&task.title),
        Body::Checklist(checklist) => Some(&checklist.title),
        Body::ChecklistItem(item) => Some(&item.title),
        Body::Entry(entry) => Some(&entry.text),
        _ => None,
    }
}

/// Where a record lies.
enum Place {
    /// In a category.
    In(CategoryId),
    /// It belongs to no category, so to all.
    Everywhere,
    /// That cannot be said, so nobody is let near it.
    Nowhere,
}

fn lies_in(record: &Record, tasks: &[Record]) -> Place {
    if let Some(task) = task_of(&record.body) {
        let task = tasks.iter().find(|record| record.id.as_str() == task.as_str());
        return match task.map(|record| &record.body) {
            Some(Body::Task(task)) => Place::In(task.category_id.clone()),
            _ => Place::Nowhere,
        };
    }
    match &record.body {
        Body::Task(task) => Place::In(task.category_id.clone()),
        Body::Entry(entry) => Place::In(entry.category_id.clone()),
        Body::Rating(rating) => rating.category_id.clone().map_or(Place::Everywhere, Place::In),
        Body::Category(_) => record.id.as_str().parse().map_or(Place::Nowhere, Place::In),
        Body::TaskLabel(label) => label.category_id.clone().map_or(Place::Everywhere, Place::In),
        // It holds the blocks of every category, and no claim rests on the whole of it.
        Body::DayPlan(_) => Place::Nowhere,
        _ => Place::Nowhere,
    }
}

/// The task whose category a record shares.
fn task_of(body: &Body) -> Option<&TaskId> {
    match body {
        Body::Checklist(checklist) => Some(&checklist.task_id),
        Body::ChecklistItem(item) => Some(&item.task_id),
        Body::TimeEntry(time) => Some(&time.task_id),
        _ => None,
    }
}

fn is_own(call: &Call, body: &Body) -> bool {
    match body {
        Body::Agent(identity) => identity.agent_id == call.agent,
        body => body.owner() == call.agent.as_str(),
    }
}

fn type_of_own(body: &Body) -> SourceType {
    match body {
        Body::AgentToolInvocation(_) => SourceType::ToolOutput,
        _ => SourceType::Agent,
    }
}

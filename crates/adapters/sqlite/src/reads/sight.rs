//! What a turn looks at, each of both files in one read transaction.

use rusqlite::params;
use store::{Background, Listing, Reach, Recall, Surroundings, TaskReport};
use types::{
    AgentId, Body, BodyType, Content, ContentRef, Lifecycle, Link, Record, RecordId, Relation,
    ReportScope, TaskId, limits,
};
use vfs::Connection;

use crate::fault::Fault;
use crate::rows;

use super::records::{all, each, in_one_moment, one};

pub(crate) fn surroundings(
    connection: &Connection,
    task: &TaskId,
    reach: Reach,
) -> Result<Surroundings, Fault> {
    in_one_moment(connection, || around(connection, task, reach))
}

pub(crate) fn background(connection: &Connection, recall: &Recall) -> Result<Background, Fault> {
    in_one_moment(connection, || behind(connection, recall))
}

pub(crate) fn contents(connection: &Connection, at: &[ContentRef]) -> Result<Vec<Content>, Fault> {
    each(connection, at, |at| super::content(connection, at))
}

fn around(connection: &Connection, task: &TaskId, reach: Reach) -> Result<Surroundings, Fault> {
    let Some(record) = super::record(connection, &task.into())? else {
        return Ok(Surroundings::default());
    };
    let Body::Task(body) = &record.body else {
        return Ok(Surroundings { task: Some(record), ..Surroundings::default() });
    };
    let labels: Vec<RecordId> = body.labels.iter().map(RecordId::from).collect();
    let category = super::record(connection, &(&body.category_id).into())?;
    let all_rows = limits::ROWS_PER_READ_MAX;
    let checklists = Listing::of(task.as_str(), BodyType::Checklist, all_rows);
    let mut checklists = super::records_listed(connection, &checklists)?;
    checklists.reverse();
    let (items, items_left_out) = items(connection, &checklists, reach.items)?;
    let owned = |kind, limit| listed(connection, &Listing::of(task.as_str(), kind, limit));
    let (entries, entries_left_out) = owned(BodyType::Entry, reach.entries)?;
    let (times, times_left_out) = owned(BodyType::TimeEntry, all_rows)?;
    let mut links = super::links_around(connection, &task.into(), &Relation::BETWEEN_TASKS)?;
    links.truncate(all_rows);
    let others = links.iter().map(|link| other_end(link, task)).collect::<Vec<_>>();
    let mut found = Surroundings {
        labels: super::records_by_id(connection, &labels)?,
        linked: super::records_by_id(connection, &others)?,
        task: Some(record),
        category,
        checklists,
        items,
        items_left_out,
        entries,
        entries_left_out,
        times,
        times_left_out,
        links,
        ..Surroundings::default()
    };
    let ids: Vec<RecordId> = found.records().map(|record| record.id.clone()).collect();
    found.origins = super::word_labels(connection, &ids)?;
    Ok(found)
}

/// Open items of all checklists first, then the newest that are done.
fn items(
    connection: &Connection,
    checklists: &[Record],
    most: usize,
) -> Result<(Vec<Record>, usize), Fault> {
    let (mut found, mut left_out) = (Vec::new(), 0);
    for state in ["open", "checked"] {
        for checklist in checklists {
            let room = most.saturating_sub(found.len());
            let (owner, kind) = (checklist.id.as_str(), BodyType::ChecklistItem);
            let subtype = Some(state.to_owned());
            let listing = Listing { subtype, ..Listing::of(owner, kind, room) };
            let (some, more) = listed(connection, &listing)?;
            found.extend(some);
            left_out += more;
        }
    }
    Ok((found, left_out))
}

/// The first records of a listing, and how many there are beyond them. Only a page that is full may have
/// left something out.
fn listed(connection: &Connection, listing: &Listing) -> Result<(Vec<Record>, usize), Fault> {
    let found = super::records_listed(connection, listing)?;
    let left_out = match found.len() < rows::page(listing.limit) {
        true => 0,
        false => count(connection, listing)?.saturating_sub(found.len()),
    };
    Ok((found, left_out))
}

/// How many live records an owner has of a kind, and of a finer kind if one is asked for.
fn count(connection: &Connection, listing: &Listing) -> Result<usize, Fault> {
    let sql = match listing.subtype {
        Some(_) => {
            "SELECT COUNT(*) AS number
             FROM entities
             WHERE shelf = shelf_of(?1, ?2, ?3)
               AND owner = ?1 AND type = ?2 AND subtype = ?3 AND deleted_at IS NULL"
        }
        None => {
            "SELECT COUNT(*) AS number
             FROM entities
             WHERE shelf BETWEEN first_shelf(?1, ?2) AND last_shelf(?1, ?2) AND ?3 IS NULL
               AND owner = ?1 AND type = ?2 AND deleted_at IS NULL"
        }
    };
    let params = params![listing.owner, listing.kind.as_str(), listing.subtype];
    let counted = one(connection, sql, params, |row| rows::Cells(row).number("number"))?;
    Ok(usize::try_from(counted.unwrap_or(0)).unwrap_or(usize::MAX))
}

fn other_end(link: &Link, task: &TaskId) -> RecordId {
    if link.from.as_str() == task.as_str() { link.to.clone() } else { link.from.clone() }
}

fn behind(connection: &Connection, recall: &Recall) -> Result<Background, Fault> {
    let agent = &recall.agent;
    let found = |id: Option<RecordId>| match id {
        Some(id) => super::record(connection, &id),
        None => Ok(None),
    };
    let input = found(recall.envelope.as_ref().map(RecordId::from))?;
    let notes_summary = summary(connection, rules::thread::of_notes(agent).as_str())?;
    let notes = said(connection, agent, "observation", recall.notes, notes_summary.as_ref())?;
    let thread = recall.thread.as_str();
    let summary = summary(connection, thread)?;
    let messages = said(connection, agent, thread, recall.messages, summary.as_ref())?;
    let mut reports = Vec::new();
    for task in &recall.tasks {
        reports.extend(report_of_task(connection, task)?);
    }
    Ok(Background {
        state: found(Some((&recall.state).into()))?,
        session: found(recall.session.as_ref().map(RecordId::from))?,
        input: input.map(|record| with_words(connection, record)).transpose()?.flatten(),
        report: report(connection, agent, recall.scope)?,
        notes,
        notes_summary,
        summary,
        messages,
        account: super::account(connection, agent, &recall.day, Some(&recall.run))?,
        reports,
    })
}

/// The newest summary of a thread.
fn summary(connection: &Connection, thread: &str) -> Result<Option<(Record, Content)>, Fault> {
    let subtype = Some("summary".to_owned());
    let listing = Listing { subtype, ..Listing::of(thread, BodyType::AgentMessage, 1) };
    match super::records_listed(connection, &listing)?.pop() {
        Some(record) => with_words(connection, record),
        None => Ok(None),
    }
}

/// Messages of a finer kind, newest first, back to the last one that their summary stands for.
fn said(
    connection: &Connection,
    agent: &AgentId,
    subtype: &str,
    most: usize,
    summary: Option<&(Record, Content)>,
) -> Result<Vec<(Record, Content)>, Fault> {
    if most == 0 {
        return Ok(vec![]);
    }
    let listing = Listing {
        subtype: Some(subtype.to_owned()),
        ..Listing::of(agent.as_str(), BodyType::AgentMessage, most)
    };
    let covered = match summary.map(|(record, _)| &record.body) {
        Some(Body::AgentMessage(message)) => message.summary.as_ref().map(|span| &span.end),
        _ => None,
    };
    let is_covered = |record: &Record| covered.is_some_and(|id| id.as_str() == record.id.as_str());
    let records = super::records_listed_until(connection, &listing, is_covered)?;
    let found = records.into_iter().map(|record| with_words(connection, record));
    Ok(found.collect::<Result<Vec<_>, Fault>>()?.into_iter().flatten().collect())
}

fn report(
    connection: &Connection,
    agent: &AgentId,
    scope: ReportScope,
) -> Result<Option<(Record, Content)>, Fault> {
    let listing = Listing {
        subtype: Some(scope.as_str().to_owned()),
        ..Listing::of(agent.as_str(), BodyType::AgentReportHead, 1)
    };
    let Some(head) = super::records_listed(connection, &listing)?.pop() else { return Ok(None) };
    let Body::AgentReportHead(head) = head.body else { return Ok(None) };
    match super::record(connection, &(&head.report_id).into())? {
        Some(record) => with_words(connection, record),
        None => Ok(None),
    }
}

/// The report of the agent that tends a task; of one that is over nobody keeps it current any more.
fn report_of_task(connection: &Connection, task: &TaskId) -> Result<Option<TaskReport>, Fault> {
    let sql = "SELECT from_id
               FROM links
               WHERE to_key = key_of(?1) AND to_id = ?1 AND type = ?2 AND deleted_at IS NULL
               ORDER BY created_at DESC, n DESC
               LIMIT 1";
    let params = params![task.as_str(), Relation::AgentTask.as_str()];
    let agents = all(connection, sql, params, |row| rows::Cells(row).parsed::<AgentId>("from_id"))?;
    let Some(agent) = agents.first() else { return Ok(None) };
    let identity = match super::record(connection, &agent.into())?.map(|record| record.body) {
        Some(Body::Agent(identity)) => identity,
        _ => return Ok(None),
    };
    if matches!(identity.lifecycle, Lifecycle::Destroyed { .. }) {
        return Ok(None);
    }
    let report = report(connection, agent, ReportScope::Current)?;
    let (task, sees) = (task.clone(), identity.allowed_category_ids);
    Ok(report.map(|(_, words)| TaskReport { task, sees, words }))
}

/// A record with the words it points to; nothing if they are gone.
fn with_words(connection: &Connection, record: Record) -> Result<Option<(Record, Content)>, Fault> {
    let at = match &record.body {
        Body::AgentMessage(message) => &message.content,
        Body::AgentReport(report) => &report.content,
        Body::AgentEnvelope(envelope) => &envelope.content,
        _ => return Ok(None),
    };
    Ok(super::content(connection, at)?.map(|words| (record, words)))
}

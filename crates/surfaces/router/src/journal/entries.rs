//! Notes, labels and what was done.

use std::collections::BTreeMap;

use api_types::{EntryListParams, EntryReply, HistoryReply, LabelReply, TouchedReply};
use runtime::{EntryFilter, EntryView, HistoryView, Journal, LabelView};
use types::{Author, Problem, RecordId};

/// How many notes a list shows unless more are asked for.
const NOTES_SHOWN: usize = 50;

/// Records of one change that are called by their names; a large one is told in ids and numbers.
const NAMED_MAX: usize = 20;

pub(super) fn label(view: LabelView) -> LabelReply {
    LabelReply {
        id: view.id.to_string(),
        name: view.name,
        colour: view.colour,
        category: view.category,
        open_tasks: view.open_tasks,
    }
}

pub(super) fn entry(journal: &Journal, view: EntryView) -> EntryReply {
    let entry = view.entry;
    let (media_uri, media_type) = match entry.media {
        Some(media) => (Some(media.uri), media.media_type),
        None => (None, None),
    };
    EntryReply {
        id: view.id.to_string(),
        kind: entry.kind.as_str().to_owned(),
        text: entry.text,
        media_uri,
        media_type,
        category: view.category,
        task: entry.task_id.map(|task| task.to_string()),
        task_title: view.task,
        at: entry.at,
        when: journal.moment_shown(entry.at),
        day: entry.day.to_string(),
        created_at: view.created_at,
        updated_at: view.updated_at,
    }
}

pub(super) fn entry_filter(
    journal: &Journal,
    params: EntryListParams,
) -> Result<EntryFilter, Problem> {
    let day = |text: Option<String>| text.map(|text| journal.day_named(&text)).transpose();
    Ok(EntryFilter {
        task: params.task,
        category: params.category,
        from: day(params.from)?,
        to: day(params.to)?,
        limit: params.limit.unwrap_or(NOTES_SHOWN),
    })
}

pub(super) async fn history(
    journal: &Journal,
    record: Option<String>,
    limit: usize,
) -> Result<Vec<HistoryReply>, Problem> {
    let record = match record {
        Some(text) => Some(journal.record_named(text).await?),
        None => None,
    };
    let history = journal.history(record, None, limit).await?;
    let touched = history.iter().flat_map(|done| done.records.iter().take(NAMED_MAX));
    let touched = touched.map(|(id, _, _)| id.clone()).collect();
    let names = journal.headings(touched).await?;
    Ok(history.into_iter().map(|done| told(journal, done, &names)).collect())
}

fn told(journal: &Journal, view: HistoryView, names: &BTreeMap<RecordId, String>) -> HistoryReply {
    let records = view.records.into_iter().map(|(id, what, fields)| TouchedReply {
        name: names.get(&id).cloned(),
        id: id.to_string(),
        what: what.as_str().to_owned(),
        fields,
    });
    HistoryReply {
        operation: view.operation.map(|id| id.to_string()),
        verb: view.verb,
        author: match view.author {
            Author::Operator => "operator".to_owned(),
            Author::Runtime => "runtime".to_owned(),
            Author::Agent { agent, .. } => agent.to_string(),
        },
        run_key: view.run_key.map(|key| key.to_string()),
        at: view.at,
        when: journal.moment_shown(view.at),
        records: records.collect(),
    }
}

//! Writing a record: revision, clock, tokens, pre-image.

use rusqlite::params;
use types::{
    At, Body, Commit, ContentRef, Counter, HostId, Invalid, Record, RecordDraft, RecordId,
    Subscription, VectorClock,
};

use crate::fault::Fault;
use crate::pack::StoredText;
use crate::reads;
use crate::rows::int;

use super::state::Writer;
use super::touched::Touched;

/// Writes a record, new or again, with its body ready to be stored.
pub(super) fn put(
    writer: &Writer,
    commit: &Commit,
    counter: Counter,
    (draft, body): (&RecordDraft, &StoredText),
    touched: &mut Touched,
) -> Result<(), Fault> {
    let at = commit.at;
    refuse_without_content(writer, &draft.body, touched)?;
    let before = reads::record(&writer.connection, &draft.id)?;
    let clock = match &before {
        None => insert(writer, at, counter, (draft, body))?,
        Some(before) => {
            refuse_other_kind(before, &draft.body)?;
            update(writer, at, counter, (draft, body), before)?
        }
    };
    match &draft.body {
        Body::AgentSubscription(subscription) => {
            relisten(writer, draft, before.as_ref(), subscription)?;
        }
        Body::AgentWait(wait) => {
            super::wait::index(writer, draft, wait)?;
            touched.stirs = true;
        }
        _ => {}
    }
    let kind = draft.body.body_type().expect("an unknown body is refused before it gets here");
    let living = before.as_ref().filter(|record| record.deleted_at.is_none());
    let known = living.map(|record| &record.body);
    touched.tokens.extend(rules::token::of_change(&draft.id, known, &draft.body));
    let is = (!draft.deleted).then_some(&draft.body);
    touched.images.extend(rules::image::of_change(&draft.id, known, is));
    touched.units.insert((kind.payload_type(), draft.id.clone()));
    if commit.operation.is_some() && rules::token::is_heard(kind) {
        touched.records.insert(draft.id.clone(), clock);
    }
    super::mark::replace(writer, draft, known)?;
    super::words::keep(writer, commit, draft, known)?;
    touched.before.records.extend(before);
    Ok(())
}

/// The clock after this host's commit.
pub(super) fn stamped(seen: Option<&VectorClock>, host: &HostId, counter: Counter) -> VectorClock {
    let mut clock = seen.cloned().unwrap_or_default();
    clock.witness(host, counter);
    clock
}

/// The clock as it is stored.
pub(super) fn clock_text(clock: &VectorClock) -> String {
    serde_json::to_string(clock).expect("clocks are JSON")
}

fn insert(
    writer: &Writer,
    at: At,
    counter: Counter,
    (draft, stored): (&RecordDraft, &StoredText),
) -> Result<VectorClock, Fault> {
    let clock = stamped(None, &writer.host, counter);
    let sql = "INSERT INTO entities (id, id_key, shelf, shelf_at, type, subtype, owner, revision,
                                     clock, created_at, updated_at, deleted_at, body)
               VALUES (?1, key_of(?1), IIF(?10, shelf_of(?4, ?2, ?3), NULL), IIF(?11, ?6, NULL),
                       ?2, ?3, ?4, 1, ?5, ?6, ?7, ?8, ?9)";
    let body = &draft.body;
    writer.connection.prepare_cached(sql)?.execute(params![
        draft.id.as_str(),
        body.kind(),
        body.subtype(),
        body.owner(),
        clock_text(&clock),
        draft.created_at.unwrap_or(at).millis(),
        at.millis(),
        draft.deleted.then_some(at.millis()),
        stored,
        is_listed(body),
        goes_by_clock(body),
    ])?;
    Ok(clock)
}

fn update(
    writer: &Writer,
    at: At,
    counter: Counter,
    (draft, stored): (&RecordDraft, &StoredText),
    before: &Record,
) -> Result<VectorClock, Fault> {
    let clock = stamped(Some(&before.clock), &writer.host, counter);
    if stays_in_place(draft, before) {
        // No index holds any of this, so none is written anew.
        let sql = "UPDATE entities
                   SET revision = ?2, clock = ?3, updated_at = ?4, body = ?5
                   WHERE id_key = key_of(?1) AND id = ?1";
        let revision = int(before.revision + 1);
        let params = params![draft.id.as_str(), revision, clock_text(&clock), at.millis(), stored];
        writer.connection.prepare_cached(sql)?.execute(params)?;
        return Ok(clock);
    }
    let sql = "UPDATE entities
               SET subtype = ?2, owner = ?3, revision = ?4, clock = ?5, updated_at = ?6,
                   deleted_at = ?7, body = ?8, created_at = COALESCE(?9, created_at),
                   shelf = IIF(?10, shelf_of(?3, type, ?2), NULL),
                   shelf_at = IIF(?11, COALESCE(?9, created_at), NULL)
               WHERE id_key = key_of(?1) AND id = ?1";
    let body = &draft.body;
    // A record that was removed keeps the time of its removal until it is brought back.
    let deleted_at = draft.deleted.then(|| before.deleted_at.unwrap_or(at).millis());
    writer.connection.prepare_cached(sql)?.execute(params![
        draft.id.as_str(),
        body.subtype(),
        body.owner(),
        int(before.revision + 1),
        clock_text(&clock),
        at.millis(),
        deleted_at,
        stored,
        draft.created_at.map(At::millis),
        is_listed(body),
        goes_by_clock(body),
    ])?;
    Ok(clock)
}

/// Whether a record is found where it was before.
fn stays_in_place(draft: &RecordDraft, before: &Record) -> bool {
    draft.body.owner() == before.body.owner()
        && draft.body.subtype() == before.body.subtype()
        && draft.deleted == before.deleted_at.is_some()
        && draft.created_at.is_none_or(|at| at == before.created_at)
}

fn goes_by_clock(body: &Body) -> bool {
    body.body_type().is_none_or(rules::listing::goes_by_clock)
}

fn is_listed(body: &Body) -> bool {
    body.body_type().is_none_or(rules::listing::is_listed)
}

fn refuse_other_kind(before: &Record, body: &Body) -> Result<(), Fault> {
    // An unknown body here is a record that a newer version wrote: overwriting it would lose what
    // this version cannot see.
    if before.body.body_type().is_none() || before.body.kind() != body.kind() {
        let why = format!("is already a record of kind {}", before.body.kind());
        return Err(Invalid::new("id", why).into());
    }
    Ok(())
}

/// What somebody said or was answered lies in the contents, before the record that points to it.
fn refuse_without_content(writer: &Writer, body: &Body, touched: &Touched) -> Result<(), Fault> {
    let named: Vec<(&'static str, &ContentRef)> = match body {
        Body::AgentMessage(message) => vec![("content", &message.content)],
        Body::AgentToolInvocation(invocation) => {
            let result = invocation.state.result().map(|result| ("result", result));
            [("arguments", &invocation.arguments)].into_iter().chain(result).collect()
        }
        _ => vec![],
    };
    for (field, content) in named {
        let ContentRef { subject, hash } = content;
        // Nearly always they came with the same commit.
        let there = touched.contents.iter().any(|(about, kept)| kept == hash && about == subject)
            || reads::content_label(&writer.connection, subject, hash)?.is_some();
        if !there {
            return Err(Invalid::new(field, "points to a content that does not exist").into());
        }
    }
    Ok(())
}

/// Keeps the index of listeners in step: rows for active, living subscriptions and no others.
fn relisten(
    writer: &Writer,
    draft: &RecordDraft,
    before: Option<&Record>,
    subscription: &Subscription,
) -> Result<(), Fault> {
    if let Some(Body::AgentSubscription(old)) = before.map(|record| &record.body) {
        unlisten(writer, &draft.id, old)?;
    }
    if draft.deleted || !subscription.active {
        return Ok(());
    }
    let plain = rules::matching::is_plain(subscription);
    let sql = "INSERT OR REPLACE INTO listeners (token, subscription_id, agent_id, plain)
               VALUES (?1, ?2, ?3, ?4)";
    let mut statement = writer.connection.prepare_cached(sql)?;
    for token in rules::matching::index_tokens(subscription) {
        let agent = subscription.agent_id.as_str();
        statement.execute(params![token.key(), draft.id.as_str(), agent, plain])?;
    }
    Ok(())
}

fn unlisten(writer: &Writer, id: &RecordId, old: &Subscription) -> Result<(), Fault> {
    let sql = "DELETE FROM listeners WHERE token = ?1 AND subscription_id = ?2";
    let mut statement = writer.connection.prepare_cached(sql)?;
    for token in rules::matching::index_tokens(old) {
        statement.execute(params![token.key(), id.as_str()])?;
    }
    Ok(())
}

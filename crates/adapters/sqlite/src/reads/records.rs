//! Reads of records, links, contents and the audit chain.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rusqlite::{Params, Row, params};
use store::{Listing, Marked};
use types::{
    AuditEntry, BodyType, Content, ContentRef, Digest, Invalid, Label, Link, Record, RecordId,
    Relation,
};
use vfs::Connection;

use crate::fault::Fault;
use crate::rows::{self, int, limit, page};

/// All rows of a query.
pub(super) fn all<T>(
    connection: &Connection,
    sql: &'static str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// The first rows of a query. A limit of its own would have SQLite keep what it sorts in a table that it makes
/// for that, which takes longer than all the rest of a short answer.
pub(super) fn first<T>(
    connection: &Connection,
    sql: &'static str,
    params: impl Params,
    rows_max: usize,
    read: impl Fn(&Row<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    first_until(connection, sql, params, rows_max, |_| false, read)
}

/// The same, up to one that says it is the last.
fn first_until<T>(
    connection: &Connection,
    sql: &'static str,
    params: impl Params,
    rows_max: usize,
    is_last: impl Fn(&T) -> bool,
    read: impl Fn(&Row<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let mut statement = connection.prepare_cached(sql)?;
    let (mut rows, mut found) = (statement.query(params)?, Vec::new());
    while found.len() < rows_max
        && !found.last().is_some_and(&is_last)
        && let Some(row) = rows.next()?
    {
        found.push(read(row)?);
    }
    Ok(found)
}

/// The one row of a query, if there is one.
pub(super) fn one<T>(
    connection: &Connection,
    sql: &'static str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    rows.next()?.map(read).transpose()
}

/// Reads inside one read transaction: that of whoever calls, if there is one.
pub(super) fn in_one_moment<T>(
    connection: &Connection,
    read: impl FnOnce() -> Result<T, Fault>,
) -> Result<T, Fault> {
    if !connection.is_autocommit() {
        return read();
    }
    connection.prepare_cached("BEGIN")?.execute([])?;
    match read() {
        Ok(found) => {
            connection.prepare_cached("COMMIT")?.execute([])?;
            Ok(found)
        }
        Err(fault) => {
            // It may have ended the transaction by itself.
            let _ = connection.execute_batch("ROLLBACK");
            Err(fault)
        }
    }
}

/// What is found for each of these, as it all stands at one moment. To make them a list for one statement takes
/// longer than to look each of them up.
pub(super) fn each<K, T>(
    connection: &Connection,
    wanted: &[K],
    find: impl Fn(&K) -> Result<Option<T>, Fault>,
) -> Result<Vec<T>, Fault> {
    let found = || wanted.iter().filter_map(|key| find(key).transpose()).collect();
    match wanted {
        [] | [_] => found(),
        _ => in_one_moment(connection, found),
    }
}

// Macros, so that the writer's most frequent read is a constant text.
macro_rules! record_columns_of {
    ($source:expr) => {
        concat!(
            "SELECT id, type, body, schema_version, revision, created_at, updated_at, deleted_at, clock
             FROM ",
            $source
        )
    };
}

macro_rules! record_columns {
    () => {
        record_columns_of!("entities")
    };
}

/// The same columns of records that are found by way of another table, where they are called `e`.
macro_rules! found_record_columns {
    () => {
        "SELECT e.id, e.type, e.body, e.schema_version, e.revision, e.created_at, e.updated_at,
                e.deleted_at, e.clock "
    };
}
pub(super) use found_record_columns;

pub(crate) fn record(connection: &Connection, id: &RecordId) -> Result<Option<Record>, Fault> {
    let sql = concat!(record_columns!(), " WHERE id_key = key_of(?1) AND id = ?1");
    one(connection, sql, params![id.as_str()], rows::record)
}

pub(crate) fn records_by_id(
    connection: &Connection,
    ids: &[RecordId],
) -> Result<Vec<Record>, Fault> {
    each(connection, ids, |id| record(connection, id))
}

// What was removed stands on shelves of its own: a list that was cleared a hundred times is as quickly read as
// a new one.
macro_rules! living {
    ($shelf:expr) => {
        concat!(
            record_columns!(),
            " WHERE ",
            $shelf,
            " AND deleted_at IS NULL ORDER BY shelf_at DESC, n DESC"
        )
    };
}

macro_rules! living_or_not {
    ($shelf:expr) => {
        concat!(
            record_columns_of!("(SELECT * FROM entities WHERE "),
            $shelf,
            " AND deleted_at IS NULL UNION ALL SELECT * FROM entities WHERE ",
            $shelf,
            " AND deleted_at IS NOT NULL) ORDER BY shelf_at DESC, n DESC"
        )
    };
}

/// Behind a record in the order of the shelf. Where a record stands never changes, so who goes through a list
/// page by page misses nobody who was there.
macro_rules! behind {
    () => {
        "(shelf_at, n) < (SELECT shelf_at, n FROM entities WHERE id_key = key_of(?4) AND id = ?4)"
    };
}

pub(crate) fn records_listed(
    connection: &Connection,
    listing: &Listing,
) -> Result<Vec<Record>, Fault> {
    records_listed_until(connection, listing, |_| false)
}

/// The same, up to one that says it is the last.
pub(crate) fn records_listed_until(
    connection: &Connection,
    listing: &Listing,
    is_last: impl Fn(&Record) -> bool,
) -> Result<Vec<Record>, Fault> {
    must_be_listed(listing.kind)?;
    // The finer kind is a plain condition where it is asked for, so that the index serves it whole.
    macro_rules! one_kind {
        ($behind:expr) => {
            concat!(
                "shelf = shelf_of(?1, ?2, ?3) AND subtype = ?3 AND owner = ?1 AND type = ?2 AND ",
                $behind
            )
        };
    }
    macro_rules! all_kinds {
        ($behind:expr) => {
            concat!(
                "shelf BETWEEN first_shelf(?1, ?2) AND last_shelf(?1, ?2) AND ?3 IS NULL
                 AND owner = ?1 AND type = ?2 AND ",
                $behind
            )
        };
    }
    let sql = match (&listing.subtype, listing.with_deleted, &listing.after) {
        (Some(_), false, None) => living!(one_kind!("?4 IS NULL")),
        (None, false, None) => living!(all_kinds!("?4 IS NULL")),
        (Some(_), true, None) => living_or_not!(one_kind!("?4 IS NULL")),
        (None, true, None) => living_or_not!(all_kinds!("?4 IS NULL")),
        (Some(_), false, Some(_)) => living!(one_kind!(behind!())),
        (None, false, Some(_)) => living!(all_kinds!(behind!())),
        (Some(_), true, Some(_)) => living_or_not!(one_kind!(behind!())),
        (None, true, Some(_)) => living_or_not!(all_kinds!(behind!())),
    };
    let after = listing.after.as_ref().map(RecordId::as_str);
    let params = params![listing.owner, listing.kind.as_str(), listing.subtype, after];
    first_until(connection, sql, params, page(listing.limit), is_last, rows::record)
}

/// Whoever asks for what stands on no shelf is told so: it would look as if there were none.
fn must_be_listed(kind: BodyType) -> Result<(), Fault> {
    if rules::listing::is_listed(kind) {
        return Ok(());
    }
    let why = format!("{} is not listed by owner", kind.as_str());
    Err(Invalid::new("kind", why).into())
}

pub(crate) fn records_of(
    connection: &Connection,
    owners: &[RecordId],
    kind: BodyType,
    rows_max: usize,
) -> Result<Vec<Record>, Fault> {
    must_be_listed(kind)?;
    let (kind, rows_max) = (kind.as_str(), page(rows_max));
    if let [owner] = owners {
        let sql = concat!(
            record_columns!(),
            " WHERE shelf BETWEEN first_shelf(?1, ?2) AND last_shelf(?1, ?2)
                AND owner = ?1 AND type = ?2 AND deleted_at IS NULL
              ORDER BY created_at, n"
        );
        return first(connection, sql, params![owner.as_str(), kind], rows_max, rows::record);
    }
    if owners.is_empty() {
        return Ok(vec![]);
    }
    let sql = concat!(
        found_record_columns!(),
        "FROM json_each(?1) AS wanted
               CROSS JOIN entities AS e
                 ON e.shelf BETWEEN first_shelf(wanted.value, ?2) AND last_shelf(wanted.value, ?2)
                   AND e.owner = wanted.value AND e.type = ?2 AND e.deleted_at IS NULL
               ORDER BY e.created_at, e.n"
    );
    first(connection, sql, params![id_list(owners), kind], rows_max, rows::record)
}

/// Records by their marks, in an order and behind the last one seen, or from the beginning.
macro_rules! marked {
    ($behind:literal, $order:literal) => {
        concat!(
            found_record_columns!(),
            "FROM marks AS m
             CROSS JOIN entities AS e ON e.id_key = key_of(m.id) AND e.id = m.id
             WHERE m.type = ?1 AND m.mark BETWEEN ?2 AND ?3 AND ",
            $behind,
            " ORDER BY m.mark ",
            $order,
            ", m.id ",
            $order,
            " LIMIT ?6"
        )
    };
}

pub(crate) fn marked(connection: &Connection, search: &Marked) -> Result<Vec<Record>, Fault> {
    let sql = match (&search.after, search.backwards) {
        (None, false) => marked!("?4 IS NULL AND ?5 IS NULL", "ASC"),
        (None, true) => marked!("?4 IS NULL AND ?5 IS NULL", "DESC"),
        (Some(_), false) => marked!("(m.mark, m.id) > (?4, ?5)", "ASC"),
        (Some(_), true) => marked!("(m.mark, m.id) < (?4, ?5)", "DESC"),
    };
    let (mark, id) = match &search.after {
        Some((mark, id)) => (Some(mark), Some(id.as_str())),
        None => (None, None),
    };
    let params =
        params![search.kind.as_str(), search.from, search.to, mark, id, limit(search.limit)];
    all(connection, sql, params, rows::record)
}

pub(crate) fn scan(
    connection: &Connection,
    after: u64,
    rows_max: usize,
) -> Result<Vec<(u64, Record)>, Fault> {
    let sql = "SELECT id, type, body, schema_version, revision, created_at, updated_at,
                      deleted_at, clock, n
               FROM entities
               WHERE n > ?1
               ORDER BY n
               LIMIT ?2";
    all(connection, sql, params![int(after), limit(rows_max)], |row| {
        Ok((rows::Cells(row).number("n")?, rows::record(row)?))
    })
}

pub(crate) fn ids_ending(
    connection: &Connection,
    start: &str,
    end: &str,
    rows_max: usize,
) -> Result<Vec<RecordId>, Fault> {
    let sql = "SELECT id
               FROM entities
               WHERE substr(id, -4) = substr(?2, -4)
                 AND substr(id, -length(?2)) = ?2 AND id >= ?1 AND id < ?1 || '~'
               ORDER BY id
               LIMIT ?3";
    all(connection, sql, params![start, end, limit(rows_max)], |row| rows::Cells(row).parsed("id"))
}

/// The same of agents and of their schedules, each of which has a clock. They are the only ones in their file that
/// people name, and are gone through: an index of endings would hold all that agents have ever done.
pub(crate) fn agents_or_schedules_ending(
    connection: &Connection,
    start: &str,
    end: &str,
    rows_max: usize,
) -> Result<Vec<RecordId>, Fault> {
    let sql = "SELECT id
               FROM (
                 SELECT id FROM entities
                 WHERE shelf BETWEEN first_shelf(?3, ?4) AND last_shelf(?3, ?4)
                   AND owner = ?3 AND type = ?4 AND deleted_at IS NULL
                 UNION ALL
                 SELECT id FROM entities
                 WHERE shelf BETWEEN first_shelf(?3, ?4) AND last_shelf(?3, ?4)
                   AND owner = ?3 AND type = ?4 AND deleted_at IS NOT NULL
                 UNION ALL
                 SELECT schedule_id AS id FROM armings
                 WHERE schedule_id >= ?1 AND schedule_id < ?1 || '~'
               )
               WHERE substr(id, -length(?2)) = ?2 AND id >= ?1 AND id < ?1 || '~'
               ORDER BY id
               LIMIT ?5";
    let params = params![start, end, "agents", BodyType::Agent.as_str(), limit(rows_max)];
    all(connection, sql, params, |row| rows::Cells(row).parsed("id"))
}

pub(crate) fn dependents(
    connection: &Connection,
    id: &RecordId,
    rows_max: usize,
) -> Result<Vec<RecordId>, Fault> {
    let sql = "SELECT id FROM (
                 SELECT id FROM entities
                 WHERE shelf BETWEEN first_shelf(?1) AND last_shelf(?1)
                   AND owner = ?1 AND deleted_at IS NULL
                 UNION
                 SELECT from_id AS id FROM links
                 WHERE to_key = key_of(?1) AND to_id = ?1 AND deleted_at IS NULL
                 UNION
                 SELECT to_id AS id FROM links
                 WHERE from_key = key_of(?1) AND from_id = ?1 AND deleted_at IS NULL)
               ORDER BY id
               LIMIT ?2";
    all(connection, sql, params![id.as_str(), limit(rows_max)], |row| rows::Cells(row).parsed("id"))
}

/// Where the words of records came from, for those that are not the operator's alone.
pub(crate) fn word_labels(
    connection: &Connection,
    ids: &[RecordId],
) -> Result<BTreeMap<RecordId, Label>, Fault> {
    let sql = "SELECT label FROM word_labels WHERE record_id = ?1";
    let labelled = |id: &RecordId| {
        one(connection, sql, params![id.as_str()], |row| {
            // One that cannot be read is the absence of trust.
            let label = rows::Cells(row).json("label").unwrap_or_else(|_| Label::untrusted());
            Ok((id.clone(), label))
        })
    };
    Ok(each(connection, ids, labelled)?.into_iter().collect())
}

/// Ids as one parameter: json_each turns it into rows, so that one statement serves any number.
fn id_list(ids: &[RecordId]) -> String {
    let ids: Vec<&str> = ids.iter().map(RecordId::as_str).collect();
    serde_json::to_string(&ids).expect("texts are JSON")
}

macro_rules! link_columns {
    () => {
        "SELECT n, id, from_id, to_id, type, hidden, body, created_at, updated_at, deleted_at, clock
         FROM links"
    };
}

pub(crate) fn link(
    connection: &Connection,
    from: &RecordId,
    to: &RecordId,
    relation: &Relation,
) -> Result<Option<Link>, Fault> {
    let sql = concat!(
        link_columns!(),
        " WHERE from_key = key_of(?1) AND from_id = ?1 AND type = ?2 AND to_id = ?3"
    );
    one(connection, sql, params![from.as_str(), relation.as_str(), to.as_str()], rows::link)
}

pub(crate) fn scan_links(
    connection: &Connection,
    after: u64,
    rows_max: usize,
) -> Result<Vec<(u64, Link)>, Fault> {
    let sql = concat!(link_columns!(), " WHERE n > ?1 ORDER BY n LIMIT ?2");
    all(connection, sql, params![int(after), limit(rows_max)], |row| {
        Ok((rows::Cells(row).number("n")?, rows::link(row)?))
    })
}

macro_rules! living_links {
    ($end:literal) => {
        concat!(
            link_columns!(),
            " WHERE ",
            $end,
            "_key = key_of(?1) AND ",
            $end,
            "_id = ?1 AND deleted_at IS NULL"
        )
    };
}

// Newest first.
macro_rules! links_at {
    ($end:literal) => {
        concat!(living_links!($end), " AND type = ?2 ORDER BY created_at DESC, n DESC")
    };
}

pub(crate) fn links_from(
    connection: &Connection,
    from: &RecordId,
    relation: &Relation,
) -> Result<Vec<Link>, Fault> {
    let params = params![from.as_str(), relation.as_str()];
    first(connection, links_at!("from"), params, page(usize::MAX), rows::link)
}

pub(crate) fn links_to(
    connection: &Connection,
    to: &RecordId,
    relation: &Relation,
) -> Result<Vec<Link>, Fault> {
    let params = params![to.as_str(), relation.as_str()];
    first(connection, links_at!("to"), params, page(usize::MAX), rows::link)
}

/// The links of some kinds from a record and to it: by kind, those from it first, then newest first.
pub(crate) fn links_around(
    connection: &Connection,
    record: &RecordId,
    relations: &[Relation],
) -> Result<Vec<Link>, Fault> {
    let mut found = Vec::new();
    let ends = [living_links!("from"), living_links!("to")];
    for (end, sql) in ends.into_iter().enumerate() {
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query(params![record.as_str()])?;
        while let Some(row) = rows.next()? {
            let cells = rows::Cells(row);
            let kind = cells.seen("type")?;
            if let Some(place) = relations.iter().position(|relation| relation.as_str() == kind) {
                let age = Reverse((cells.at("created_at")?, cells.number("n")?));
                found.push(((place, end, age), rows::link(row)?));
            }
        }
    }
    found.sort_by_key(|(place, _)| *place);
    Ok(found.into_iter().map(|(_, link)| link).collect())
}

pub(crate) fn content(connection: &Connection, at: &ContentRef) -> Result<Option<Content>, Fault> {
    let sql = "SELECT subject, label, bytes
               FROM contents
               WHERE key = content_key(?1, ?2) AND subject = ?1 AND hash = ?2";
    one(connection, sql, params![at.subject.as_str(), at.hash.as_bytes()], rows::content)
}

/// The label of a content as it is stored, if the content is there: its bytes are not read.
pub(crate) fn content_label(
    connection: &Connection,
    subject: &RecordId,
    hash: &Digest,
) -> Result<Option<String>, Fault> {
    let sql = "SELECT label
               FROM contents
               WHERE key = content_key(?1, ?2) AND subject = ?1 AND hash = ?2";
    let params = params![subject.as_str(), hash.as_bytes()];
    one(connection, sql, params, |row| rows::Cells(row).text(0))
}

pub(crate) fn audit_after(
    connection: &Connection,
    after: u64,
    rows_max: usize,
) -> Result<Vec<AuditEntry>, Fault> {
    let sql = "SELECT number, at, actor, action, subject, detail, hash
               FROM audit
               WHERE number > ?1
               ORDER BY number
               LIMIT ?2";
    all(connection, sql, params![int(after), limit(rows_max)], rows::audit_entry)
}

//! Reads of records, links, contents, operations and the audit chain.

use rusqlite::{Connection, Params, Row, params};
use store::Listing;
use types::{
    AuditEntry, Content, ContentRef, Link, Operation, OperationId, Record, RecordId, Relation,
};

use crate::fault::Fault;
use crate::rows::{self, int, limit};

/// All rows of a query.
pub(super) fn all<T>(
    connection: &Connection,
    sql: &str,
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

/// The one row of a query, if there is one.
pub(super) fn one<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    rows.next()?.map(read).transpose()
}

// A macro, so that the writer's most frequent read is a constant text.
macro_rules! record_columns {
    () => {
        "SELECT id, type, body, schema_version, revision, created_at, updated_at, deleted_at, clock
         FROM entities"
    };
}

pub(crate) fn record(connection: &Connection, id: &RecordId) -> Result<Option<Record>, Fault> {
    let sql = concat!(record_columns!(), " WHERE id = ?1");
    one(connection, sql, params![id.as_str()], rows::record)
}

pub(crate) fn records_by_id(
    connection: &Connection,
    ids: &[RecordId],
) -> Result<Vec<Record>, Fault> {
    // json_each turns the list into rows, so that one statement serves any number of ids.
    let sql = "SELECT e.id, e.type, e.body, e.schema_version, e.revision, e.created_at,
                      e.updated_at, e.deleted_at, e.clock
               FROM json_each(?1) AS wanted
               CROSS JOIN entities AS e ON e.id = wanted.value";
    let ids: Vec<&str> = ids.iter().map(RecordId::as_str).collect();
    let ids = serde_json::to_string(&ids).expect("texts are JSON");
    all(connection, sql, params![ids], rows::record)
}

pub(crate) fn records_listed(
    connection: &Connection,
    listing: &Listing,
) -> Result<Vec<Record>, Fault> {
    // The finer kind is a plain condition where it is asked for, so that the index serves it whole.
    let finer = if listing.subtype.is_some() { "subtype = ?3" } else { "?3 IS NULL" };
    let columns = record_columns!();
    let sql = format!(
        "{columns}
         WHERE owner = ?1
           AND type = ?2
           AND {finer}
           AND (?4 OR deleted_at IS NULL)
         ORDER BY created_at DESC, n DESC
         LIMIT ?5"
    );
    let params = params![
        listing.owner,
        listing.kind.as_str(),
        listing.subtype,
        listing.with_deleted,
        limit(listing.limit)
    ];
    all(connection, &sql, params, rows::record)
}

const LINK_COLUMNS: &str = "SELECT id, from_id, to_id, type, hidden, body, created_at, updated_at,
                                   deleted_at, clock
                            FROM links";

pub(crate) fn link(
    connection: &Connection,
    from: &RecordId,
    to: &RecordId,
    relation: &Relation,
) -> Result<Option<Link>, Fault> {
    let sql = format!("{LINK_COLUMNS} WHERE from_id = ?1 AND type = ?2 AND to_id = ?3");
    one(connection, &sql, params![from.as_str(), relation.as_str(), to.as_str()], rows::link)
}

pub(crate) fn links_from(
    connection: &Connection,
    from: &RecordId,
    relation: &Relation,
) -> Result<Vec<Link>, Fault> {
    links_at(connection, "from_id", from, relation)
}

pub(crate) fn links_to(
    connection: &Connection,
    to: &RecordId,
    relation: &Relation,
) -> Result<Vec<Link>, Fault> {
    links_at(connection, "to_id", to, relation)
}

fn links_at(
    connection: &Connection,
    end: &'static str,
    record: &RecordId,
    relation: &Relation,
) -> Result<Vec<Link>, Fault> {
    let sql = format!(
        "{LINK_COLUMNS}
         WHERE {end} = ?1 AND type = ?2 AND deleted_at IS NULL
         ORDER BY created_at DESC, n DESC
         LIMIT ?3"
    );
    let params = params![record.as_str(), relation.as_str(), limit(usize::MAX)];
    all(connection, &sql, params, rows::link)
}

pub(crate) fn content(connection: &Connection, at: &ContentRef) -> Result<Option<Content>, Fault> {
    let sql = "SELECT subject, label, bytes
               FROM contents
               WHERE subject = ?1 AND hash = ?2";
    one(connection, sql, params![at.subject.as_str(), at.hash.as_bytes()], rows::content)
}

pub(crate) fn operation(
    connection: &Connection,
    id: &OperationId,
) -> Result<Option<Operation>, Fault> {
    let sql = "SELECT operation_id, verb, subject, run_key, author, at, position, result, pre_image
               FROM operations
               WHERE operation_id = ?1";
    one(connection, sql, params![id.0.as_bytes()], rows::operation)
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

//! Raw SQLite: the same rows into the same schema and indexes, with prepared statements, in groups
//! of a fixed size, `synchronous=FULL`. No guards, no hashes, no JSON, no threads; the values are
//! made before the clock starts.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, params};
use sqlite::StoredText;

use super::load;
use crate::stopwatch;

/// All values of one commit.
pub(super) struct Rows {
    n: i64,
    id: String,
    at: i64,
    body: StoredText,
    clock: String,
    tokens: [String; 5],
    tokens_json: String,
    images: StoredText,
    hash: [u8; 32],
    result: String,
}

pub(super) fn rows(n: u64, position: u64) -> Rows {
    let id = load::task_id(n).to_string();
    let tokens = [
        "semanticKey|-|TASK".to_owned(),
        "subtypeToken|TASK|category=category_home".to_owned(),
        "subtypeToken|TASK|priority=p2".to_owned(),
        "subtypeToken|TASK|status=open".to_owned(),
        format!("entityId|-|{id}"),
    ];
    let title = load::title(n);
    let hash: [u8; 32] = *rules::hash::bytes(id.as_bytes()).as_bytes();
    Rows {
        n: i64::try_from(position).expect("few"),
        at: load::at(n).millis(),
        body: format!(
            r#"{{"title":"{title}","status":"open","priority":"p2","category_id":"category_home"}}"#
        )
        .into(),
        clock: format!(r#"{{"host_test":{position}}}"#),
        tokens_json: format!(r#"["{}"]"#, tokens.join("\",\"")),
        images: format!(
            r#"[{{"id":"{id}","kind":"TASK","after":{{"category":"category_home","priority":"p2","status":"open"}}}}]"#
        )
        .into(),
        result: format!(r#"{{"id":"{id}"}}"#),
        tokens,
        hash,
        id,
    }
}

/// Opens a file that the store has made, in the way the store does.
#[expect(clippy::disallowed_methods, reason = "the measure of the store goes around it")]
pub(super) fn open(path: &Path, checkpoint_pages: u32, cache_kib: u32) -> Connection {
    let connection = Connection::open(path).expect("the file opens");
    sqlite::teach(&connection).expect("it takes functions");
    let pragma = |name: &str, value: i64| {
        connection.pragma_update(None, name, value).expect("the pragma is taken");
    };
    pragma("synchronous", 2);
    pragma("wal_autocheckpoint", checkpoint_pages.into());
    pragma("cache_size", -i64::from(cache_kib));
    connection.set_prepared_statement_cache_capacity(32);
    connection
}

/// Writes all commits in groups; says how long it took.
pub(super) fn write(connection: &Connection, commits: &[Rows], group: usize) -> Duration {
    let written = || -> rusqlite::Result<()> {
        for group in commits.chunks(group) {
            connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
            for rows in group {
                write_one(connection, rows)?;
            }
            connection.prepare_cached("COMMIT")?.execute([])?;
        }
        Ok(())
    };
    let (result, elapsed) = stopwatch::time(written);
    result.expect("the rows are written");
    elapsed
}

fn write_one(connection: &Connection, r: &Rows) -> rusqlite::Result<()> {
    let run = |sql: &str, params: &[&dyn rusqlite::ToSql]| -> rusqlite::Result<usize> {
        connection.prepare_cached(sql)?.execute(params)
    };
    run(
        "INSERT INTO entities (id, id_key, shelf, shelf_at, type, subtype, owner, revision, clock,
                               created_at, updated_at, deleted_at, body)
         VALUES (?1, key_of(?1), shelf_of('category_home', 'task', 'open'), ?3, 'task', 'open',
                 'category_home', 1, ?2, ?3, ?3, NULL, ?4)",
        params![r.id, r.clock, r.at, r.body],
    )?;
    run(
        "INSERT INTO change_log (position, host, counter, origin, author, at, logical_change_key,
                                 tokens, images)
         VALUES (?1, 'host_test', ?1, 'local', '{\"by\":\"operator\"}', ?2, ?3, ?4, ?5)",
        params![r.n, r.at, r.hash, r.tokens_json, r.images],
    )?;
    for mark in ["open", "open=category_home"] {
        let sql = "INSERT INTO marks (type, mark, id) VALUES ('task', ?1, ?2)";
        run(sql, params![mark, r.id])?;
    }
    for token in &r.tokens {
        let sql = "INSERT INTO change_tokens (token_key, position) VALUES (key_of(?1), ?2)";
        run(sql, params![token, r.n])?;
    }
    run(
        "INSERT INTO sequence_log (host, counter, payload_type, payload_id)
         VALUES ('host_test', ?1, 'journalEntity', ?2)",
        params![r.n, r.id],
    )?;
    run("INSERT INTO outbox (position) VALUES (?1)", params![r.n])?;
    run(
        "INSERT INTO contents (subject, hash, key, label, bytes, created_at)
         VALUES (?1, ?2, content_key(?1, ?2), '{\"trust\":\"operator\",\"sources\":[\"operator\"]}', ?3, ?4)",
        params![r.id, r.hash, r.result.as_bytes(), r.at],
    )?;
    run(
        "INSERT INTO operations (operation_id, key, verb, subject, run_key, author, at, position,
                                 result, pre_image)
         VALUES (?1, digest_key(?1), 'create_task', ?2, NULL, '{\"by\":\"operator\"}', ?3, ?4, ?1, NULL)",
        params![r.hash, r.id, r.at, r.n],
    )?;
    run(
        "INSERT INTO audit (number, at, actor, action, subject, detail, hash)
         VALUES (?1, ?2, '{\"by\":\"operator\"}', 'task.create', ?3, '', ?4)",
        params![r.n, r.at, r.id, r.hash],
    )?;
    Ok(())
}

/// How many rows a commit is, by table.
pub(super) fn count_rows(connection: &Connection) -> f64 {
    let tables = [
        "entities",
        "marks",
        "change_log",
        "change_tokens",
        "sequence_log",
        "outbox",
        "contents",
        "operations",
        "audit",
    ];
    let count = |table: &&str| -> f64 {
        let sql = format!("SELECT COUNT(*) FROM {table}");
        connection.query_row(&sql, [], |row| row.get(0)).expect("the table is there")
    };
    tables.iter().map(count).sum()
}

//! SQLite over pages that we keep: what it writes is what it reads, with far less memory than pages.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use rusqlite::{Connection, OpenFlags, params};

/// Pages that a connection may have in memory; the tables below have hundreds.
const FEW: i32 = 12;

#[expect(clippy::disallowed_methods, reason = "this is about SQLite itself")]
fn open(path: Option<&std::path::Path>) -> Connection {
    assert!(vfs::keep_pages(), "SQLite was used before it was told");
    let connection = match path {
        Some(path) => Connection::open_with_flags(path, OpenFlags::default()),
        None => Connection::open_in_memory(),
    };
    let connection = connection.unwrap();
    connection.pragma_update(None, "page_size", 1_024).unwrap();
    connection.pragma_update(None, "cache_size", FEW).unwrap();
    connection
}

fn fill(connection: &Connection, rows: std::ops::Range<i64>) {
    let mut insert = connection.prepare_cached("INSERT INTO a VALUES (?1, ?2)").unwrap();
    for row in rows {
        insert.execute(params![row * 7_919 % 10_007, words(row)]).unwrap();
    }
}

fn words(row: i64) -> String {
    format!("{row}-").repeat(usize::try_from(row % 40).unwrap())
}

fn sound(connection: &Connection) -> i64 {
    let verdict: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
    connection.query_row("SELECT COUNT(*) FROM a", [], |row| row.get(0)).unwrap()
}

fn lives_through_all_of_it(connection: &Connection) {
    let sql = "CREATE TABLE a (b INTEGER PRIMARY KEY, c TEXT); CREATE INDEX d ON a (c)";
    connection.execute_batch(sql).unwrap();
    connection.execute_batch("BEGIN").unwrap();
    fill(connection, 0..3_000);
    connection.execute_batch("COMMIT").unwrap();
    assert_eq!(sound(connection), 3_000);

    connection.execute_batch("BEGIN").unwrap();
    fill(connection, 3_000..4_000);
    connection.execute_batch("SAVEPOINT e; DELETE FROM a WHERE b % 3 = 0; ROLLBACK TO e").unwrap();
    connection.execute_batch("ROLLBACK").unwrap();
    assert_eq!(sound(connection), 3_000);

    connection.execute_batch("DELETE FROM a WHERE b % 2 = 0; VACUUM").unwrap();
    let left = sound(connection);
    assert!((1_400..1_600).contains(&left), "{left}");
    connection.release_memory().unwrap();
    assert_eq!(sound(connection), left);
}

#[test]
fn a_file_with_a_log_is_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let writer = open(Some(&path));
    writer.pragma_update(None, "journal_mode", "WAL").unwrap();
    lives_through_all_of_it(&writer);
    let reader = open(Some(&path));
    for row in 5_000..5_050 {
        let before = sound(&reader);
        fill(&writer, row..row + 1);
        assert_eq!(sound(&reader), before + 1, "a reader sees what was written since");
    }
}

#[test]
fn a_file_without_a_log_is_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let connection = open(Some(&folder.path().join("a.db")));
    lives_through_all_of_it(&connection);
    connection.pragma_update(None, "page_size", 4_096).unwrap();
    connection.execute_batch("VACUUM").unwrap();
    sound(&connection);
}

#[test]
fn what_is_in_memory_alone_is_what_was_written() {
    lives_through_all_of_it(&open(None));
}

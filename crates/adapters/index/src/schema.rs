//! The tables. There are no migrations: a file of another version is replaced.

use rusqlite::{Connection, OptionalExtension, params};
use types::HostId;

use crate::fault::Fault;
use crate::{put, search};

/// The number by which the file says whose it is: "dmI1".
const APPLICATION_ID: u32 = u32::from_be_bytes(*b"dmI1");

/// Counts up whenever the tables, or what is written into them, change.
const VERSION: u32 = 2;

/// `words` keeps title and text itself: an excerpt is cut from them, and a document can be left out
/// by its number alone. `documents` holds what hits are filtered and ordered by.
///
/// FTS5's `secure-delete` is not used: it makes replacing a document thirty times slower, and whoever
/// has to erase can clear.
const TABLES: &str = "
CREATE TABLE state (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  host     TEXT    NOT NULL,
  position INTEGER NOT NULL
);
CREATE TABLE documents (
  n        INTEGER PRIMARY KEY,
  id       TEXT    NOT NULL UNIQUE,
  kind     TEXT    NOT NULL,
  category TEXT,
  at       INTEGER NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5 (
  title,
  text,
  tokenize = 'unicode61 remove_diacritics 2',
  prefix = '1 2 3'
);
";

/// Makes the tables of an empty index, all or none, and signs the file.
pub(crate) fn make(connection: &mut Connection, host: &HostId) -> Result<(), Fault> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    let sql = "INSERT INTO state (one, host, position) VALUES (1, ?1, 0)";
    transaction.execute(sql, params![host.as_str()])?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok(())
}

/// Whether the file is an index of this version over this home's journal.
pub(crate) fn is_ours(connection: &Connection, host: &HostId) -> Result<bool, Fault> {
    match look(connection, host) {
        Err(fault) if fault.is_strange() => Ok(false),
        answer => answer,
    }
}

fn look(connection: &Connection, host: &HostId) -> Result<bool, Fault> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, u32>(0));
    if (number("application_id")?, number("user_version")?) != (APPLICATION_ID, VERSION) {
        return Ok(false);
    }
    // Whatever does not fit the tables is found here and not by the first who asks.
    for sql in put::STATEMENTS.iter().chain(search::STATEMENTS) {
        connection.prepare(sql)?;
    }
    let of = connection.query_row("SELECT host FROM state", [], |row| row.get::<_, String>(0));
    Ok(of.optional()?.as_deref() == Some(host.as_str()))
}

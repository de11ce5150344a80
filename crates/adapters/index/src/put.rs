//! Taking documents in and leaving others out.

use std::borrow::Cow;

use index::Document;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use types::{Position, RecordId};

use crate::fault::Fault;

/// The guard and the move are one statement: whoever stands elsewhere moves no row.
const MOVE: &str = "
UPDATE state
SET position = ?2
WHERE position = ?1";

const PUT_DOCUMENT: &str = "
INSERT INTO documents (id, kind, category, at)
VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (id) DO UPDATE
SET kind = excluded.kind, category = excluded.category, at = excluded.at
RETURNING n";

/// Words that stay as they are cost a look and no write: most changes of a record are about
/// something else.
const CHANGE_WORDS: &str = "
UPDATE words
SET title = ?2, text = ?3
WHERE rowid = ?1 AND (title <> ?2 OR text <> ?3)";

const ADD_WORDS: &str = "
INSERT INTO words (rowid, title, text)
SELECT ?1, ?2, ?3
WHERE NOT EXISTS (SELECT 1 FROM words WHERE rowid = ?1)";

const REMOVE_WORDS: &str = "
DELETE FROM words
WHERE rowid = (SELECT n FROM documents WHERE id = ?1)";

const REMOVE_DOCUMENT: &str = "
DELETE FROM documents
WHERE id = ?1";

const POSITION: &str = "SELECT position FROM state";

/// All of them, so that a file can be held against them before it is used.
pub(crate) const STATEMENTS: &[&str] =
    &[MOVE, PUT_DOCUMENT, CHANGE_WORDS, ADD_WORDS, REMOVE_WORDS, REMOVE_DOCUMENT, POSITION];

/// Does all of it in one transaction, or nothing; says whether the index stood at `from`. Dying
/// before the commit leaves documents and position as they were.
pub(crate) fn put(
    connection: &mut Connection,
    upserts: &[Document],
    removals: &[RecordId],
    from: Position,
    up_to: Position,
) -> Result<bool, Fault> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let moved = transaction.prepare_cached(MOVE)?.execute(params![int(from), int(up_to)])?;
    if moved == 0 {
        return Ok(false);
    }
    for document in upserts {
        take_in(&transaction, document)?;
    }
    for id in removals {
        transaction.prepare_cached(REMOVE_WORDS)?.execute(params![id.as_str()])?;
        transaction.prepare_cached(REMOVE_DOCUMENT)?.execute(params![id.as_str()])?;
    }
    transaction.commit()?;
    Ok(true)
}

/// Where the index stands.
pub(crate) fn position(connection: &Connection) -> Result<Position, Fault> {
    let position: i64 = connection.prepare_cached(POSITION)?.query_row([], |row| row.get(0))?;
    u64::try_from(position).map(Position).map_err(|_| Fault::row("the position is negative"))
}

fn take_in(transaction: &Transaction<'_>, document: &Document) -> Result<(), Fault> {
    let category = document.category.as_ref().map(types::CategoryId::as_str);
    let about = params![document.id.as_str(), document.kind, category, document.at.millis()];
    let n: i64 = transaction.prepare_cached(PUT_DOCUMENT)?.query_row(about, |row| row.get(0))?;
    let words = params![n, plain(&document.title), plain(&document.text)];
    transaction.prepare_cached(CHANGE_WORDS)?.execute(words)?;
    transaction.prepare_cached(ADD_WORDS)?.execute(words)?;
    Ok(())
}

/// Without control characters. They separate words as a space does, but an excerpt would end at the
/// first zero byte, and its marks are control characters until it is shown.
fn plain(text: &str) -> Cow<'_, str> {
    let odd = |c: char| c.is_control() && c != '\n' && c != '\t';
    if text.contains(odd) { text.replace(odd, " ").into() } else { text.into() }
}

/// A position for SQL. Nothing counted here gets near 63 bits.
fn int(position: Position) -> i64 {
    i64::try_from(position.0).unwrap_or(i64::MAX)
}

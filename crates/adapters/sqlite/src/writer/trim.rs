//! Letting go of the beginning of the change log, and of what hangs on it.

use rusqlite::{OptionalExtension, params};
use types::Position;

use crate::fault::Fault;
use crate::rows::int;

use super::state::Writer;

pub(super) fn trim(writer: &Writer, up_to: Position) -> Result<(), Fault> {
    // This host's numbers go on from the last that is known, also when another's change is the newest.
    let sql = "SELECT position FROM change_log WHERE host = ?1 ORDER BY position DESC LIMIT 1";
    let mut statement = writer.connection.prepare_cached(sql)?;
    let last: Option<i64> =
        statement.query_row(params![writer.host.as_str()], |row| row.get(0)).optional()?;
    let Some(last) = last else { return Ok(()) };
    let up_to = int(up_to.0).min(last - 1);
    for sql in [
        "DELETE FROM change_tokens
         WHERE (token_key, position) IN (
           SELECT key_of(token.value), change.position
           FROM change_log AS change
           CROSS JOIN json_each(change.tokens) AS token
           WHERE change.position <= ?1
         )",
        "DELETE FROM sequence_log
         WHERE (host, counter) IN (SELECT host, counter FROM change_log WHERE position <= ?1)",
        "DELETE FROM outbox WHERE position <= ?1",
        "DELETE FROM change_log WHERE position <= ?1",
    ] {
        writer.connection.prepare_cached(sql)?.execute(params![up_to])?;
    }
    Ok(())
}

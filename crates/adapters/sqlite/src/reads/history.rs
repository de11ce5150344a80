//! Reads of what was done.

use rusqlite::params;
use types::{ChangeRecord, Operation, OperationId, Position, RunKey, Token};
use vfs::Connection;

use crate::fault::Fault;
use crate::rows::{self, int, limit, page};

use super::records::{all, first, one};

macro_rules! operation_columns {
    () => {
        "SELECT operation_id, verb, subject, run_key, author, at, position, result, pre_image
         FROM operations"
    };
}

pub(crate) fn operation(
    connection: &Connection,
    id: &OperationId,
) -> Result<Option<Operation>, Fault> {
    let sql = concat!(operation_columns!(), " WHERE key = digest_key(?1) AND operation_id = ?1");
    one(connection, sql, params![id.0.as_bytes()], rows::operation)
}

pub(crate) fn operations(
    connection: &Connection,
    before: Option<Position>,
    rows_max: usize,
) -> Result<Vec<Operation>, Fault> {
    let sql = concat!(
        operation_columns!(),
        " WHERE position < ?1
          ORDER BY position DESC
          LIMIT ?2"
    );
    let before = before.map_or(i64::MAX, |position| int(position.0));
    all(connection, sql, params![before, limit(rows_max)], rows::operation)
}

pub(crate) fn operations_at(
    connection: &Connection,
    positions: &[Position],
) -> Result<Vec<Operation>, Fault> {
    let sql = "SELECT o.operation_id, o.verb, o.subject, o.run_key, o.author, o.at, o.position,
                      o.result, o.pre_image
               FROM json_each(?1) AS wanted
               CROSS JOIN operations AS o ON o.position = wanted.value";
    let positions: Vec<u64> = positions.iter().map(|position| position.0).collect();
    let positions = serde_json::to_string(&positions).expect("numbers are JSON");
    all(connection, sql, params![positions], rows::operation)
}

pub(crate) fn operations_of_run(
    connection: &Connection,
    run: &RunKey,
) -> Result<Vec<Operation>, Fault> {
    let sql = concat!(
        operation_columns!(),
        " WHERE run_key = ?1
          ORDER BY position DESC"
    );
    first(connection, sql, params![run.0.as_bytes()], page(usize::MAX), rows::operation)
}

pub(crate) fn operations_starting(
    connection: &Connection,
    digits: &str,
    rows_max: usize,
) -> Result<Vec<Operation>, Fault> {
    // An id is 64 digits: the range from the shortest to the longest text that begins so.
    let padded = |with: char| {
        let text: String = digits.chars().chain(std::iter::repeat(with)).take(64).collect();
        text.parse::<OperationId>().ok()
    };
    let Some((lowest, highest)) = padded('0').zip(padded('f')) else { return Ok(vec![]) };
    let sql = concat!(
        operation_columns!(),
        " WHERE key BETWEEN digest_key(?1) AND digest_key(?2) AND operation_id BETWEEN ?1 AND ?2
          ORDER BY operation_id"
    );
    let params = params![lowest.0.as_bytes(), highest.0.as_bytes()];
    first(connection, sql, params, page(rows_max), rows::operation)
}

pub(crate) fn newest_changes(
    connection: &Connection,
    token: &Token,
    before: Option<Position>,
    rows_max: usize,
) -> Result<Vec<ChangeRecord>, Fault> {
    let sql = "SELECT c.position, c.host, c.counter, c.origin, c.author, c.at,
                      c.logical_change_key, c.tokens, c.images
               FROM change_tokens AS t
               CROSS JOIN change_log AS c ON c.position = t.position
               WHERE t.token_key = key_of(?1) AND t.position < ?2
                 AND instr(c.tokens, json_quote(?1)) > 0
               ORDER BY t.position DESC
               LIMIT ?3";
    let before = before.map_or(i64::MAX, |position| int(position.0));
    all(connection, sql, params![token.key(), before, limit(rows_max)], rows::change)
}

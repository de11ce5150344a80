//! What was put back, in words.

use serde_json::{Value, json};
use types::Record;

use crate::views::heading;

use super::steps::PutBack;

/// Each record with what becomes of it: it is as it was, it is there again, or it is gone again.
pub(super) fn told(records: &[PutBack], now: &[Record]) -> Value {
    let tell = |back: &PutBack| {
        let found = now.iter().find(|found| found.id == back.id);
        let lives = found.is_some_and(|found| found.deleted_at.is_none());
        let was = back.was.as_ref().filter(|was| was.deleted_at.is_none());
        let what = match (lives, was) {
            (true, Some(_)) => "restored",
            (false, Some(_)) => "brought back",
            (_, None) => "removed",
        };
        let named = was.or(found).map(|record| heading(&record.body));
        json!({ "id": back.id, "what": what, "name": named })
    };
    records.iter().map(tell).collect()
}

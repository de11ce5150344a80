//! Raw SQLite: the same tokens looked up in the same index with one prepared statement, on one
//! read-only connection with the same cache. Which tokens there are is worked out before the clock
//! starts. No ids are parsed, nothing is handed between threads.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use rusqlite::{Connection, OpenFlags, params};
use types::ChangeRecord;

/// A subscription and its agent.
type Listener = (String, String);

/// The tokens of a page of changes: all of them once, and by change as places in that list.
pub(super) struct Tokens {
    all: Vec<String>,
    by_change: Vec<Vec<usize>>,
}

pub(super) fn tokens(changes: &[ChangeRecord]) -> Tokens {
    let keys = |change: &ChangeRecord| -> Vec<String> {
        change.tokens.iter().map(|token| token.key().to_owned()).collect()
    };
    let all: BTreeSet<String> = changes.iter().flat_map(keys).collect();
    let all: Vec<String> = all.into_iter().collect();
    let places: HashMap<&String, usize> = all.iter().enumerate().map(|(n, key)| (key, n)).collect();
    let by_change =
        changes.iter().map(|change| keys(change).iter().map(|key| places[key]).collect()).collect();
    Tokens { all, by_change }
}

#[expect(clippy::disallowed_methods, reason = "the measure of the store goes around it")]
pub(super) fn open(path: &Path, cache_kib: u32) -> Connection {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    // The store has the file open, and only through the layer that it registered is the log to be found.
    let opened = Connection::open_with_flags_and_vfs(path, flags, "short-log");
    let connection = opened.expect("the file opens");
    let cache = -i64::from(cache_kib);
    connection.pragma_update(None, "cache_size", cache).expect("the pragma is taken");
    super::raw_wakes::stay_prepared(&connection);
    connection
}

/// Finds who listens; says how many hits there are, each subscription once per change.
pub(super) fn count_hits(connection: &Connection, tokens: &Tokens) -> usize {
    let listeners: Vec<Vec<Listener>> = find(connection, &tokens.all).expect("the index is read");
    let mut hits: Vec<(usize, &Listener)> = Vec::new();
    for (change, places) in tokens.by_change.iter().enumerate() {
        let heard: Vec<&Vec<Listener>> =
            places.iter().map(|place| &listeners[*place]).filter(|l| !l.is_empty()).collect();
        let mut seen = HashSet::new();
        for listener in heard.iter().copied().flatten() {
            if heard.len() < 2 || seen.insert(&listener.0) {
                hits.push((change, listener));
            }
        }
    }
    hits.len()
}

fn find(connection: &Connection, tokens: &[String]) -> rusqlite::Result<Vec<Vec<Listener>>> {
    let sql = "SELECT subscription_id, agent_id
               FROM listeners
               WHERE token = ?1
               ORDER BY subscription_id";
    let mut statement = connection.prepare_cached(sql)?;
    let mut found = Vec::with_capacity(tokens.len());
    for token in tokens {
        let mut rows = statement.query(params![token])?;
        let mut listeners = Vec::new();
        while let Some(row) = rows.next()? {
            listeners.push((row.get(0)?, row.get(1)?));
        }
        found.push(listeners);
    }
    Ok(found)
}

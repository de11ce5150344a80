//! The write-ahead log beside a file: short, given back at rest, and never taken for nothing.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use sqlite::{Config, Home};
use store::{ReadChanges, Store, StoreError, wait};
use testkit::TempHome;
use types::{AgentState, At, Author, Commit, Domain, Position, RecordDraft, RecordId, Task, Write};

fn task(name: &str) -> Commit {
    let body = Task::new(name, "category_home".parse().unwrap());
    let id: RecordId = format!("task_{name}").parse().unwrap();
    let writes = vec![Write::Record(RecordDraft::live(id, body))];
    Commit::new(Domain::Journal, Author::Operator, At::EPOCH, writes)
}

#[expect(clippy::disallowed_methods, reason = "the test goes behind the store's back")]
fn behind(home: &Path) -> Connection {
    Connection::open(home.join("journal.db")).unwrap()
}

fn length(home: &TempHome, name: &str) -> Option<u64> {
    fs::metadata(home.path().join(name)).ok().map(|file| file.len())
}

#[test]
fn what_was_committed_is_read_from_the_short_log() {
    let home = TempHome::new();
    let store = home.open(&Config { commits_until_rest: usize::MAX, ..Config::default() });
    for n in 0..50 {
        wait(store.commit(task(&format!("n{n}")))).unwrap();
    }
    let left = home.as_left();
    drop(store);
    assert_eq!(length(&home, "journal.db-log"), None, "a file that was closed is whole by itself");
    let (log, file) = (length(&left, "journal.db-log"), length(&left, "journal.db"));
    // SQLite's own log would be some seventeen pages a commit.
    assert!(log.unwrap() < 50 * 8 * 1_024, "{log:?}");
    assert_eq!(length(&left, "journal.db-wal"), None);
    let store = left.open(&Config::default());
    assert_eq!(wait(store.head(Domain::Journal)).unwrap(), Position(50));
    assert!(store.check().unwrap().iter().all(|report| report.findings.is_empty()));
    drop(store);
    assert!(length(&left, "journal.db") > file, "the log was folded into it");
}

#[test]
fn a_log_that_was_torn_is_read_up_to_there() {
    let home = TempHome::new();
    let store = home.open(&Config { commits_until_rest: usize::MAX, ..Config::default() });
    for name in ["a", "b", "c"] {
        wait(store.commit(task(name))).unwrap();
    }
    let left = home.as_left();
    let path = left.path().join("journal.db-log");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();
    let store = left.open(&Config::default());
    assert_eq!(wait(store.head(Domain::Journal)).unwrap(), Position(2));
    assert!(store.check_due());
    assert!(store.check().unwrap().iter().all(|report| report.findings.is_empty()));
}

#[test]
fn at_rest_a_log_takes_no_room() {
    let home = TempHome::new();
    let store = home.open(&Config { commits_until_rest: 1, ..Config::default() });
    let mut rested = store.rested();
    let state = AgentState::newborn("agent_a".parse().unwrap());
    let id: RecordId = "state_a".parse().unwrap();
    let writes = vec![Write::Record(RecordDraft::live(id, state))];
    wait(store.commit(Commit::new(Domain::Agent, Author::Runtime, At::EPOCH, writes))).unwrap();
    assert!(length(&home, "agent.db-log") > Some(0));
    wait(rested.changed()).unwrap();
    assert_eq!(length(&home, "agent.db-log"), Some(0));
}

#[test]
fn a_log_that_sqlite_wrote_by_itself_is_taken_over() {
    let home = TempHome::new();
    drop(home.open(&Config::default()));
    let old = behind(home.path());
    old.execute_batch("INSERT INTO meta (key, value) VALUES ('left', 'behind')").unwrap();
    let left = home.as_left();
    assert!(length(&left, "journal.db-wal") > Some(0));
    let store = left.open(&Config::default());
    assert!(store.check_due(), "whoever wrote it did not close it");
    wait(store.commit(task("a"))).unwrap();
    assert_eq!(length(&left, "journal.db-wal"), None);
    drop(store);
    let found: String = behind(left.path())
        .query_row("SELECT value FROM meta WHERE key = 'left'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(found, "behind");
}

#[test]
fn a_log_in_a_form_of_the_future_is_refused_and_left_alone() {
    let home = TempHome::new();
    drop(home.open(&Config::default()));
    let (path, log) = (home.path().join("journal.db-log"), b"dm-log\x00\x02 and what is in it");
    fs::write(&path, log).unwrap();
    let at = Home::at(home.path());
    let opened = at.open(at.lock().unwrap(), &"host_a".parse().unwrap(), &Config::default());
    assert!(matches!(opened.err(), Some(StoreError::Corrupt { .. })));
    assert_eq!(fs::read(&path).unwrap(), log);
}

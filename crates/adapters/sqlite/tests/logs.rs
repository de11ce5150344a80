//! The write-ahead log beside a file: short, given back at rest, and never taken for nothing.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod given;

use std::fs;
use std::path::Path;
use std::thread;

use rusqlite::Connection;
use sqlite::{Config, Home, SqliteStore};
use store::{ReadChanges, Store, StoreError, wait};
use testkit::powercut::PowerCut;
use testkit::{Random, TempHome};
use types::{At, Author, Commit, Domain, Position, RecordDraft, RecordId, Task, Write};

use given::newborn;

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
    fs::metadata(home.path().join(name)).ok().filter(fs::Metadata::is_file).map(|file| file.len())
}

/// A home on a disc that can be cut off, whose logs are put away after so many commits.
fn on_a_disc(name: &str, commits_until_rest: usize) -> (TempHome, PowerCut, SqliteStore) {
    let (home, disc) = (TempHome::new(), PowerCut::install(name));
    let vfs = Some(disc.name().to_owned());
    let store = home.open(&Config { vfs, commits_until_rest, ..Config::default() });
    (home, disc, store)
}

/// Whether a log holds something.
fn is_in_use(home: &TempHome, name: &str) -> bool {
    fs::read(home.path().join(name)).is_ok_and(|log| log.starts_with(b"dm-log\x00\x02"))
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
fn a_log_that_was_damaged_in_its_middle_is_refused_and_left_alone() {
    let home = TempHome::new();
    let store = home.open(&Config { commits_until_rest: usize::MAX, ..Config::default() });
    for name in ["a", "b", "c", "d", "e", "f"] {
        wait(store.commit(task(name))).unwrap();
    }
    let left = home.as_left();
    let path = left.path().join("journal.db-log");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let at = Home::at(left.path());
    let opened = at.open(at.lock().unwrap(), &"host_a".parse().unwrap(), &Config::default());
    assert!(matches!(opened.err(), Some(StoreError::Corrupt { file, .. }) if file == path));
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn at_rest_a_log_holds_nothing_and_keeps_its_room() {
    let home = TempHome::new();
    let store = home.open(&Config { commits_until_rest: 1, ..Config::default() });
    let rests = store.rests();
    wait(store.commit(task("a"))).unwrap();
    wait(store.commit(newborn("a").1)).unwrap();
    assert!(is_in_use(&home, "agent.db-log"));
    let room = length(&home, "agent.db-log");
    for mut rested in rests {
        wait(rested.changed()).unwrap();
    }
    assert!(!is_in_use(&home, "agent.db-log"));
    assert_eq!(length(&home, "agent.db-log"), room);
    // Whoever dies asleep has left nothing unfinished.
    let left = home.as_left();
    let again = left.open(&Config::default());
    assert!(!again.check_due());
    assert_eq!(wait(again.head(Domain::Agent)).unwrap(), Position(1));
    drop(again);
    // What is written over the room is read from there, and nothing that lay behind it.
    wait(store.commit(newborn("b").1)).unwrap();
    let left = home.as_left();
    let again = left.open(&Config::default());
    assert!(again.check_due());
    assert_eq!(wait(again.head(Domain::Agent)).unwrap(), Position(2));
    assert!(again.check().unwrap().iter().all(|report| report.findings.is_empty()));
}

#[test]
fn a_log_that_was_long_keeps_little_room() {
    let home = TempHome::new();
    let store = home.open(&Config { commits_until_rest: 1_000, ..Config::default() });
    let [mut rested, _] = store.rests();
    for n in 0..1_000 {
        wait(store.commit(task(&format!("n{n}")).soon())).unwrap();
    }
    wait(rested.changed()).unwrap();
    assert_eq!(length(&home, "journal.db-log"), Some(1 << 20));
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
    let (path, log) = (home.path().join("journal.db-log"), b"dm-log\x00\x03 and what is in it");
    fs::write(&path, log).unwrap();
    let at = Home::at(home.path());
    let opened = at.open(at.lock().unwrap(), &"host_a".parse().unwrap(), &Config::default());
    let newer = StoreError::Newer { file: path.clone(), found: 3, known: 2 };
    assert_eq!(opened.err().unwrap().to_string(), newer.to_string());
    assert_eq!(fs::read(&path).unwrap(), log);
}

#[test]
fn other_programs_are_kept_out_while_the_log_is_one_that_they_do_not_know() {
    let count = |home: &Path| {
        let meta = "SELECT COUNT(*) FROM meta";
        behind(home).query_row(meta, [], |row| row.get::<_, i64>(0))
    };
    let writes = |home: &Path| behind(home).execute_batch("INSERT INTO meta VALUES ('a', 'b')");
    let home = TempHome::new();
    let store = home.open(&Config { commits_until_rest: usize::MAX, ..Config::default() });
    wait(store.commit(task("a"))).unwrap();
    assert!(count(home.path()).is_err() && writes(home.path()).is_err(), "while it is used");
    wait(store.commit(task("b"))).unwrap();
    assert!(store.check().unwrap().iter().all(|report| report.findings.is_empty()));
    let left = home.as_left();
    assert!(count(left.path()).is_err() && writes(left.path()).is_err(), "and after a death");
    drop(store);
    assert!(count(home.path()).unwrap() > 0, "a file that was closed is anybody's to read");
    let store = left.open(&Config::default());
    assert_eq!(wait(store.head(Domain::Journal)).unwrap(), Position(2));
    drop(store);
    assert!(count(left.path()).unwrap() > 0);
}

#[test]
fn a_log_lies_beside_the_file_also_where_that_is_only_linked_to() {
    let (home, elsewhere) = (TempHome::new(), TempHome::new());
    drop(home.open(&Config::default()));
    let [here, there] = [home.path(), elsewhere.path()].map(|folder| folder.join("journal.db"));
    fs::rename(&here, &there).unwrap();
    std::os::unix::fs::symlink(&there, &here).unwrap();
    let old = behind(elsewhere.path());
    old.execute_batch("INSERT INTO meta (key, value) VALUES ('left', 'behind')").unwrap();
    let kept = ["journal.db", "journal.db-wal"].map(|name| {
        let path = elsewhere.path().join(name);
        (path.clone(), fs::read(path).unwrap())
    });
    drop(old);
    for (path, bytes) in kept {
        fs::write(path, bytes).unwrap();
    }
    let store = home.open(&Config::default());
    assert!(store.check_due(), "somebody died and left it");
    drop(store);
    let left = "SELECT value FROM meta WHERE key = 'left'";
    let found: String = behind(home.path()).query_row(left, [], |row| row.get(0)).unwrap();
    assert_eq!(found, "behind");
}

#[test]
fn what_a_full_disc_refused_is_not_written_later() {
    let (home, disc) = (TempHome::new(), PowerCut::install("refused"));
    let vfs = Some(disc.name().to_owned());
    let store = home.open(&Config { vfs, commits_until_rest: 2, ..Config::default() });
    wait(store.commit(task("a"))).unwrap();
    let before = length(&home, "journal.db-log");
    disc.fill_after(0);
    assert!(matches!(wait(store.commit(task("b"))), Err(StoreError::DiskFull { .. })));
    assert_eq!(length(&home, "journal.db-log"), before);
    disc.free_space();
    // The log is folded when nobody wants anything, and put down before.
    while is_in_use(&home, "journal.db-log") {
        assert!(length(&home, "journal.db-log") <= before);
        thread::yield_now();
    }
    wait(store.commit(task("c"))).unwrap();
    assert_eq!(wait(store.head(Domain::Journal)).unwrap(), Position(2), "a and c");
}

#[test]
fn what_is_acknowledged_after_a_rest_outlives_a_cut_over_the_room_that_was_kept() {
    for seed in 0..24 {
        let mut random = Random::seeded(seed);
        let (_home, disc, store) = on_a_disc(&format!("rested-{seed}"), 1);
        let [mut rested, _] = store.rests();
        for n in 0..20 {
            wait(store.commit(task(&format!("n{n}")))).unwrap();
        }
        wait(rested.changed()).unwrap();
        disc.cut_at(disc.operations() + random.below(12));
        let late = (0..6).take_while(|n| wait(store.commit(task(&format!("late{n}")))).is_ok());
        let acknowledged = 20 + late.count() as u64;
        disc.cut_now();
        drop(store);
        let left = TempHome::new();
        disc.survivors(&mut random, left.path()).unwrap();
        let store = left.open(&Config::default());
        let head = wait(store.head(Domain::Journal)).unwrap();
        assert!(head >= Position(acknowledged), "seed {seed}: {head:?} of {acknowledged}");
        assert!(store.check().unwrap().iter().all(|report| report.findings.is_empty()));
    }
}

#[test]
fn after_a_sync_that_failed_closing_folds_nothing_that_may_be_lost() {
    for seed in 0..24 {
        let mut random = Random::seeded(seed);
        let (home, disc, store) = on_a_disc(&format!("doubt-{seed}"), 16);
        for n in 0..20 {
            wait(store.commit(task(&format!("n{n}")))).unwrap();
        }
        while is_in_use(&home, "journal.db-log") {
            thread::yield_now();
        }
        for n in 0..10 {
            wait(store.commit(task(&format!("late{n}")).soon())).unwrap();
        }
        disc.fail_next_sync();
        assert!(wait(store.commit(task("b"))).is_err());
        disc.cut_at(disc.operations() + random.below(60));
        drop(store);
        disc.cut_now();
        let left = TempHome::new();
        disc.survivors(&mut random, left.path()).unwrap();
        let store = left.open(&Config::default());
        assert!(wait(store.head(Domain::Journal)).unwrap() >= Position(20), "seed {seed}");
        assert!(store.check().unwrap().iter().all(|report| report.findings.is_empty()));
    }
}

//! Who writes: whoever comes alone on its own thread, and a thread of the file for a crowd.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod given;

use std::fs;
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use sqlite::{Config, SqliteStore};
use store::{ReadChanges, ReadRecords, Store, wait};
use testkit::{Random, TempHome};
use types::{At, Author, Commit, Domain, Outcome, Position};
use vfs::{Beneath, Code, Door, File, Layer, Wanted};

use given::newborn;

fn put(store: &SqliteStore, name: &str) {
    assert!(matches!(wait(store.commit(newborn(name).1)), Ok(Outcome::Applied(_))), "{name}");
}

/// Whoever has synced something, in order.
static SYNCED_BY: Mutex<Vec<ThreadId>> = Mutex::new(vec![]);

/// A disc that notes it.
struct Noting;

impl Layer for Noting {
    fn open(&self, _wanted: &Wanted<'_>, door: Door<'_>) -> Result<Box<dyn File>, Code> {
        door.open()?;
        Ok(Box::new(Noting))
    }
}

impl File for Noting {
    fn sync(&self, beneath: &Beneath<'_>) -> Result<(), Code> {
        SYNCED_BY.lock().unwrap().push(thread::current().id());
        beneath.sync()
    }
}

#[test]
fn one_who_has_been_alone_for_a_while_writes_what_is_small_on_its_own_thread() {
    vfs::register("noting", None, Noting).unwrap();
    let (home, vfs) = (TempHome::new(), Some("noting".to_owned()));
    let store = home.open(&Config { vfs, ..Config::default() });
    SYNCED_BY.lock().unwrap().clear();
    let me = thread::current().id();
    let mine = (0..1_000).position(|number| {
        put(&store, &number.to_string());
        SYNCED_BY.lock().unwrap().last() == Some(&me)
    });
    // The thread may not have left the desk when it comes the first time.
    assert!(mine.is_some_and(|first| first >= 8), "{mine:?}");
    let writes = (0..65).flat_map(|number| newborn(&format!("many-{number}")).1.writes).collect();
    let many = Commit::new(Domain::Agent, Author::Runtime, At::EPOCH, writes);
    assert!(matches!(wait(store.commit(many)), Ok(Outcome::Applied(_))));
    assert_ne!(SYNCED_BY.lock().unwrap().last(), Some(&me), "a large one is for the thread");
}

#[test]
fn what_those_write_who_come_alone_is_folded_and_memory_given_back_all_the_same() {
    let home = TempHome::new();
    let store = home.open(&Config { commits_until_rest: 20, ..Config::default() });
    let [_, mut rested] = store.rests();
    for round in 0..2 {
        for number in 0..40 {
            put(&store, &format!("{round}-{number}"));
        }
        wait(rested.changed()).unwrap();
    }
}

#[test]
fn a_log_that_was_long_when_the_last_came_is_folded_once_and_then_it_is_quiet() {
    let home = TempHome::new();
    let store = home.open(&Config { checkpoint_pages: 1, ..Config::default() });
    let [_, mut rested] = store.rests();
    put(&store, "last");
    wait(rested.changed()).unwrap();
    let after_the_first = *rested.borrow_and_update();
    thread::park_timeout(Duration::from_millis(200));
    assert_eq!(*rested.borrow(), after_the_first, "nobody wants anything, and it does not rest");
}

#[test]
fn a_few_large_commits_leave_no_long_log_at_rest() {
    let home = TempHome::new();
    let store = home.open(&Config::default());
    let [_, mut rested] = store.rests();
    for round in 0..4 {
        let name = |number| format!("{round}-{number}");
        let writes = (0..1_500).flat_map(|number| newborn(&name(number)).1.writes).collect();
        let many = Commit::new(Domain::Agent, Author::Runtime, At::EPOCH, writes);
        assert!(matches!(wait(store.commit(many)), Ok(Outcome::Applied(_))));
    }
    let length = || fs::metadata(home.path().join("agent.db")).unwrap().len();
    let before = length();
    wait(rested.changed()).unwrap();
    assert!(length() > before + 500_000, "{} after {before}", length());
}

#[test]
fn memory_is_given_back_when_a_backup_or_a_check_holds_the_log_no_more() {
    let home = TempHome::new();
    let store = home.open(&Config::default());
    let [_, mut rested] = store.rests();
    store.backup(&home.path().join("copy")).unwrap();
    wait(rested.changed()).unwrap();
    store.check_in_background(|reports| assert!(reports.is_ok()));
    wait(rested.changed()).unwrap();
}

#[test]
fn a_log_that_one_alone_makes_too_long_is_folded_without_waiting_for_rest() {
    let home = TempHome::new();
    let rare = usize::MAX;
    let config = Config { checkpoint_pages: 30, commits_until_rest: rare, ..Config::default() };
    let store = home.open(&config);
    let length = || fs::metadata(home.path().join("agent.db")).unwrap().len();
    let before = length();
    // Each writes some pages, and the thread folds them when it comes to it.
    let folded = (0..10_000).any(|number| {
        put(&store, &number.to_string());
        length() > before
    });
    assert!(folded);
}

#[test]
fn whoever_writes_each_commit_is_written_once_and_answered() {
    const THREADS: usize = 4;
    const COMMITS: usize = 120;
    let home = TempHome::new();
    let store = Arc::new(home.open(&Config { commits_until_rest: 8, ..Config::default() }));
    let write = |name: usize| {
        let store = Arc::clone(&store);
        thread::spawn(move || {
            let mut random = Random::seeded(name as u64);
            for number in 0..COMMITS {
                put(&store, &format!("{name}-{number}"));
                // Now alone, now in a crowd.
                if random.chance(1, 10) {
                    thread::park_timeout(Duration::from_millis(random.below(12)));
                }
            }
        })
    };
    let threads: Vec<_> = (0..THREADS).map(write).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let all = THREADS * COMMITS;
    let changes = wait(store.changes(Domain::Agent, Position(0), 1_000)).unwrap();
    let places: Vec<u64> = changes.iter().map(|change| change.position.0).collect();
    assert_eq!(places, (1..=all as u64).collect::<Vec<_>>());
    for name in ["0-0", "3-119"] {
        let id = format!("state_{name}").parse().unwrap();
        assert_eq!(wait(store.record(Domain::Agent, id)).unwrap().unwrap().revision, 1);
    }
    drop(store);
    let findings = home.open(&Config::default()).check().unwrap();
    assert!(findings.iter().all(|report| report.findings.is_empty()), "{findings:?}");
}

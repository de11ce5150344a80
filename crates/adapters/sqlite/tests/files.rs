//! What only files have: tables that defend themselves, records of a newer version, copies, a
//! writer that the caller moves, and a disc that fills up.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod given;

use std::pin::pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};
use std::thread::{self, ThreadId};
use std::time::Duration;

use rusqlite::Connection;
use sqlite::{Config, Drive, Home, Way};
use store::{ReadChanges, ReadRecords, Store, StoreError, wait};
use testkit::TempHome;
use testkit::powercut::PowerCut;
use types::{
    At, AuditDraft, Author, Body, Commit, Domain, Outcome, Position, RecordDraft, RecordId, Task,
    Write,
};

use given::newborn;

fn task(name: &str) -> Commit {
    let body = Task::new(name, "category_home".parse().unwrap());
    let id: RecordId = format!("task_{name}").parse().unwrap();
    let audit = AuditDraft { action: "case", subject: name.to_owned(), detail: String::new() };
    let writes = vec![Write::Record(RecordDraft::live(id, body))];
    let commit = Commit::new(Domain::Journal, Author::Operator, At::EPOCH, writes);
    Commit { audit: vec![audit], ..commit }
}

#[expect(clippy::disallowed_methods, reason = "the test goes behind the store's back")]
fn behind(home: &TempHome) -> Connection {
    Connection::open(home.path().join("journal.db")).unwrap()
}

#[test]
fn sql_itself_refuses_to_change_or_remove_an_audit_entry() {
    let home = TempHome::new();
    let store = home.open(&Config::default());
    wait(store.commit(task("a"))).unwrap();
    drop(store);
    for sql in [
        "UPDATE audit SET subject = 'x'",
        "DELETE FROM audit",
        "REPLACE INTO audit SELECT * FROM audit",
    ] {
        let refused = behind(&home).execute_batch(sql).unwrap_err().to_string();
        assert!(refused.contains("audit entries are never"), "{sql}: {refused}");
    }
}

#[test]
fn a_change_that_tells_of_a_record_that_it_did_not_write_is_found() {
    let home = TempHome::new();
    let store = home.open(&Config::default());
    wait(store.commit(task("a"))).unwrap();
    drop(store);
    let found = || {
        let reports = home.open(&Config::default()).check().unwrap();
        reports.into_iter().flat_map(|report| report.findings).collect::<Vec<String>>()
    };
    assert_eq!(found(), Vec::<String>::new());
    let connection = behind(&home);
    sqlite::teach(&connection).unwrap();
    let sql = "UPDATE change_log SET images = replace(unpacked(images), 'task_a', 'task_b')";
    assert_eq!(connection.execute(sql, []).unwrap(), 1);
    drop(connection);
    let [told] = &found()[..] else { panic!("{:?}", found()) };
    assert!(told.contains("a record that it did not write"), "{told}");
}

#[test]
fn a_file_that_has_come_to_rest_says_so_and_works_on_when_it_is_asked() {
    let home = TempHome::new();
    let store = home.open(&Config { commits_until_rest: 1, ..Config::default() });
    let [_, mut rested] = store.rests();
    for name in ["a", "b"] {
        let (id, commit) = newborn(name);
        assert!(matches!(wait(store.commit(commit)).unwrap(), Outcome::Applied(_)));
        wait(rested.changed()).unwrap();
        assert!(wait(store.record(Domain::Agent, id)).unwrap().is_some(), "{name}");
    }
}

/// Threads that have tidied up.
static TIDIED: Mutex<Vec<ThreadId>> = Mutex::new(vec![]);

fn tidy() {
    TIDIED.lock().unwrap().push(thread::current().id());
}

#[test]
fn a_writers_thread_tidies_up_before_it_says_that_it_rests() {
    let home = TempHome::new();
    let store = home.open(&Config { commits_until_rest: 1, tidy, ..Config::default() });
    let [_, mut rested] = store.rests();
    wait(store.commit(newborn("a").1)).unwrap();
    wait(rested.changed()).unwrap();
    let tidied = TIDIED.lock().unwrap();
    assert!(!tidied.is_empty() && !tidied.contains(&thread::current().id()), "{tidied:?}");
}

#[test]
fn while_another_has_the_home_any_other_way_in_is_taken() {
    let folder = TempHome::new();
    let home = Home::at(folder.path());
    let lock = home.lock().unwrap();
    assert_eq!(home.holder(), Some(std::process::id()));
    let long = Duration::from_secs(600);
    let (mut said, mut asked) = (0, 0);
    let way = home.lock_unless(
        long,
        |_| said += 1,
        || {
            asked += 1;
            (asked == 4).then_some("the socket")
        },
    );
    assert!(matches!(way, Ok(Way::Instead("the socket"))), "{way:?}");
    assert_eq!((said, asked), (1, 4), "it is said once that somebody has to wait");
    let brief = Duration::from_millis(1);
    let in_vain = home.lock_unless(brief, |_| (), || None::<()>).unwrap_err();
    assert!(matches!(in_vain, StoreError::Locked { .. }));
    drop(lock);
    assert!(matches!(home.lock_unless(long, |_| (), || None::<()>), Ok(Way::Locked(_))));
}

#[test]
fn a_record_of_a_newer_version_is_kept_as_it_is_and_not_overwritten() {
    let home = TempHome::new();
    let store = home.open(&Config::default());
    wait(store.commit(task("a"))).unwrap();
    drop(store);
    let newer = r#"{"title":"a","mood":  "calm"}"#;
    behind(&home).execute("UPDATE entities SET body = ?1, schema_version = 7", [newer]).unwrap();
    let store = home.open(&Config::default());
    let id: RecordId = "task_a".parse().unwrap();
    let record = wait(store.record(Domain::Journal, id.clone())).unwrap().unwrap();
    assert_eq!(record.body, Body::Unknown { kind: "task".to_owned(), raw: newer.to_owned() });
    assert_eq!(record.schema_version, 7);
    assert!(matches!(wait(store.commit(task("a"))), Err(StoreError::Invalid(_))));
    assert_eq!(wait(store.record(Domain::Journal, id)).unwrap().unwrap(), record);
}

#[test]
fn a_caller_that_moves_the_writer_decides_when_commits_happen() {
    let home = TempHome::new();
    let store = home.open(&Config { drive: Drive::Caller, ..Config::default() });
    let mut first = pin!(store.commit(task("a")));
    let mut second = pin!(store.commit(task("b")));
    let mut context = Context::from_waker(Waker::noop());
    assert!(first.as_mut().poll(&mut context).is_pending());
    assert_eq!(wait(store.head(Domain::Journal)).unwrap(), Position(0));
    assert_eq!(store.drain(Domain::Journal), 2, "what waits is one group");
    for answer in [first.as_mut(), second.as_mut()] {
        let mut answer = answer;
        let Poll::Ready(Ok(Outcome::Applied(_))) = answer.as_mut().poll(&mut context) else {
            panic!("the commit was not applied")
        };
    }
    assert_eq!(store.drain(Domain::Journal), 0);
    assert_eq!(wait(store.head(Domain::Journal)).unwrap(), Position(2));
}

#[test]
fn a_backup_of_an_open_store_restores_whole_under_a_new_host() {
    let (home, other) = (TempHome::new(), TempHome::new());
    let store = home.open(&Config::default());
    wait(store.commit(task("a"))).unwrap();
    let folder = other.path().join("backup");
    store.backup(&folder).unwrap();
    wait(store.commit(task("b"))).unwrap();
    assert!(matches!(store.backup(&folder), Err(StoreError::Exists { .. })));
    let restored = Home::at(&other.path().join("home"));
    let lock = restored.lock().unwrap();
    let host = "host_new".parse().unwrap();
    let reports = restored.restore(&lock, &folder, &host, &Config::default()).unwrap();
    assert!(reports.iter().all(|report| report.findings.is_empty()), "{reports:?}");
    let restored =
        restored.open(lock, &"host_unused".parse().unwrap(), &Config::default()).unwrap();
    assert_eq!(restored.host(), &host);
    assert_eq!(wait(restored.head(Domain::Journal)).unwrap(), Position(1));
    // The new name starts a stream of its own.
    let Outcome::Applied(applied) = wait(restored.commit(task("c"))).unwrap() else {
        panic!("the restored store does not go on")
    };
    assert_eq!(applied.change.unwrap().1.0, 1);
    assert!(restored.check().unwrap().iter().all(|report| report.findings.is_empty()));
}

#[test]
fn a_full_disc_refuses_commits_and_takes_them_again_once_there_is_room() {
    let home = TempHome::new();
    let disc = PowerCut::install("full-disc");
    let vfs = Some(disc.name().to_owned());
    let store = home.open(&Config { vfs, ..Config::default() });
    wait(store.commit(task("a"))).unwrap();
    disc.fill_after(0);
    for _ in 0..3 {
        let refused = wait(store.commit(task("b"))).unwrap_err();
        let StoreError::DiskFull { file } = refused else { panic!("{refused:?}") };
        assert!(file.ends_with("journal.db"));
    }
    disc.free_space();
    assert!(matches!(wait(store.commit(task("b"))), Ok(Outcome::Applied(_))));
    assert!(store.check().unwrap().iter().all(|report| report.findings.is_empty()));
    assert_eq!(wait(store.head(Domain::Journal)).unwrap(), Position(2));
}

#[test]
fn after_a_failed_sync_the_writer_stops_until_the_file_is_opened_anew() {
    let home = TempHome::new();
    let disc = PowerCut::install("failed-sync");
    let vfs = Some(disc.name().to_owned());
    let store = home.open(&Config { vfs, ..Config::default() });
    let [journal, agent] = store.stops();
    wait(store.commit(task("a"))).unwrap();
    assert!(journal.borrow().is_none());
    disc.cut_now();
    for name in ["b", "c"] {
        assert!(matches!(wait(store.commit(task(name))), Err(StoreError::Io { .. })));
        assert!(matches!(*journal.borrow(), Some(StoreError::Io { .. })), "it says so");
    }
    assert!(agent.borrow().is_none(), "the other file goes on");
}

/// A commit that need not wait is on the disk when the log is folded. If that fails, later commits would
/// rest on what is not there.
#[test]
fn after_a_fold_that_failed_the_writer_stops_too() {
    let (home, disc) = (TempHome::new(), PowerCut::install("failed-fold"));
    let vfs = Some(disc.name().to_owned());
    let store = home.open(&Config { vfs, commits_until_rest: 1, ..Config::default() });
    wait(store.commit(task("a"))).unwrap();
    let [mut stopped, _] = store.stops();
    disc.fail_next_sync();
    // Nobody has to come and be refused before it is known.
    let why = wait(stopped.wait_for(Option::is_some)).unwrap().clone();
    assert!(matches!(why, Some(StoreError::Io { .. })), "{why:?}");
    assert!(matches!(wait(store.commit(task("b"))), Err(StoreError::Io { .. })));
}

fn break_off() {
    panic!("the writer's thread breaks off when it tidies up")
}

#[test]
fn a_writer_that_panicked_says_that_it_takes_nothing_more() {
    let home = TempHome::new();
    let tidy = break_off;
    let store = home.open(&Config { commits_until_rest: 1, tidy, ..Config::default() });
    let [_, mut stopped] = store.stops();
    wait(store.commit(newborn("a").1)).unwrap();
    let why = wait(stopped.wait_for(Option::is_some)).unwrap().clone();
    assert_eq!(why, Some(StoreError::Closed));
    assert!(matches!(wait(store.commit(newborn("b").1)), Err(StoreError::Closed)));
}

#[test]
fn after_a_fold_of_a_log_that_was_too_long_to_wait_failed_the_writer_stops_too() {
    let (home, disc) = (TempHome::new(), PowerCut::install("failed-long-log"));
    let vfs = Some(disc.name().to_owned());
    let store = home.open(&Config {
        vfs,
        checkpoint_pages: 1,
        commits_until_rest: usize::MAX,
        ..Config::default()
    });
    wait(store.commit(task("a"))).unwrap();
    disc.fail_next_sync();
    // It is not on the disk before the fold, and was not said to be.
    let _ = wait(store.commit(task("b").soon()));
    while disc.will_fail() {
        std::thread::yield_now();
    }
    assert!(matches!(wait(store.commit(task("c"))), Err(StoreError::Io { .. })));
}

#[test]
fn an_unclean_stop_makes_a_check_due_until_one_has_passed() {
    let home = TempHome::new();
    let store = home.open(&Config::default());
    wait(store.commit(task("a"))).unwrap();
    assert!(!store.check_due());
    let left = home.as_left();
    let store = left.open(&Config::default());
    assert!(store.check_due());
    drop(store);
    let store = left.open(&Config::default());
    assert!(store.check_due(), "closing cleanly is no check");
    let (send, receive) = std::sync::mpsc::channel();
    store.check_in_background(move |found| send.send(found).unwrap());
    let reports = receive.recv().unwrap().unwrap();
    assert!(reports.iter().all(|report| report.findings.is_empty()), "{reports:?}");
    drop(store);
    assert!(!left.open(&Config::default()).check_due());
}

fn open_as(home: &TempHome, host: &str) -> sqlite::SqliteStore {
    let at = Home::at(home.path());
    let lock = at.lock().unwrap();
    at.open(lock, &host.parse().unwrap(), &Config::default()).unwrap()
}

#[test]
fn an_opening_that_died_between_the_two_files_leaves_one_home() {
    let home = TempHome::new();
    drop(open_as(&home, "host_one"));
    // As if the process had died before the second file was made.
    std::fs::remove_file(home.path().join("agent.db")).unwrap();
    let store = open_as(&home, "host_two");
    assert_eq!(store.host().as_str(), "host_one");
    wait(store.commit(task("a"))).unwrap();
    drop(store);
    assert_eq!(open_as(&home, "host_three").host().as_str(), "host_one");
}

#[test]
fn both_files_stand_behind_the_same_fence_after_an_opening_that_failed() {
    use types::{Epoch, FenceScope};
    let home = TempHome::new();
    let early = open_as(&home, "host_one").epoch();
    // The journal alone is opened once more: its fence is ahead of the agents'.
    behind(&home).execute_batch("UPDATE fences SET boot = boot + 5").unwrap();
    let store = open_as(&home, "host_one");
    assert!(store.epoch() > Epoch { boot: early.boot + 5, attempt: 0 });
    for domain in Domain::ALL {
        let fence = wait(store.fence(domain, FenceScope::Global)).unwrap();
        assert_eq!(fence.epoch, store.epoch(), "{domain}");
    }
}

#[test]
fn the_same_content_from_two_sources_is_trusted_as_the_lesser() {
    use types::{Label, Trust};
    let home = TempHome::new();
    let store = home.open(&Config::default());
    let keep = |label| rules::content::keep("task_a".parse().unwrap(), label, b"same".to_vec());
    for label in [Label::operator(), Label::untrusted(), Label::operator()] {
        let writes = vec![keep(label).0];
        let commit = Commit::new(Domain::Journal, Author::Operator, At::EPOCH, writes);
        wait(store.commit(commit)).unwrap();
    }
    let (_, at) = keep(Label::operator());
    let kept = wait(store.content(Domain::Journal, at)).unwrap().unwrap();
    assert_eq!(kept.label.trust, Trust::Untrusted);
    assert_eq!(kept.label.sources.len(), 2);
}

#[test]
fn a_number_beyond_all_counting_finds_nothing_and_stops_nobody() {
    let home = TempHome::new();
    let store = home.open(&Config::default());
    wait(store.commit(task("a"))).unwrap();
    for _ in 0..4 {
        assert!(wait(store.audit(Domain::Journal, u64::MAX, 10)).unwrap().is_empty());
    }
    assert_eq!(wait(store.audit(Domain::Journal, 0, 10)).unwrap().len(), 1);
}

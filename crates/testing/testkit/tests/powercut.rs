//! The power-cut VFS under real SQLite: an honest disc loses nothing that was acknowledged, and a
//! lying one is found out.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};
use tempfile::TempDir;
use testkit::Random;
use testkit::powercut::{Plant, PowerCut};

/// Enough cuts to land in commits, checkpoints and WAL restarts alike.
const SEEDS: u64 = 40;

/// Commits tried per run; every armed cut falls inside them.
const COMMITS: u64 = 60;

/// A database on a disc that can lose its power.
struct Disc {
    power: PowerCut,
    directory: TempDir,
}

impl Disc {
    fn new() -> Disc {
        // The tests of this program run in one process, and a VFS name is for ever.
        static DISCS: AtomicU64 = AtomicU64::new(0);
        let number = DISCS.fetch_add(1, Ordering::Relaxed);
        let power = PowerCut::install(&format!("powercut-test-{number}"));
        Disc { power, directory: directory() }
    }

    /// A connection as the first user makes it: journal mode set, table there.
    fn connect(&self, pragmas: &str) -> rusqlite::Result<Connection> {
        let connection = open(&self.file(), self.power.name())?;
        connection.busy_timeout(Duration::from_secs(20))?;
        connection.execute_batch(pragmas)?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS mail (number INTEGER PRIMARY KEY, body BLOB NOT NULL)",
        )?;
        Ok(connection)
    }

    fn file(&self) -> PathBuf {
        self.directory.path().join("db")
    }

    /// What the machine finds when the power returns.
    fn survivors(&self, seed: u64) -> TempDir {
        let into = directory();
        self.power
            .survivors(&mut Random::seeded(seed), into.path())
            .expect("survivors are written");
        into
    }
}

const WAL_FULL: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;";
const WAL_FULL_CHECKPOINTS: &str =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 5;";
const DELETE_EXTRA: &str = "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA;";

fn directory() -> TempDir {
    tempfile::tempdir().expect("a temporary directory is made")
}

#[expect(clippy::disallowed_methods, reason = "the power-cut VFS is tested below the store")]
fn open(file: &Path, vfs: &str) -> rusqlite::Result<Connection> {
    Connection::open_with_flags_and_vfs(file, OpenFlags::default(), vfs)
}

#[expect(clippy::disallowed_methods, reason = "the power-cut VFS is tested below the store")]
fn open_plain(directory: &Path) -> rusqlite::Result<Connection> {
    Connection::open(directory.join("db"))
}

/// A body that only its own number has, long enough to spill over pages now and then.
fn body(number: u64) -> Vec<u8> {
    let mut random = Random::seeded(number);
    let length = if random.chance(1, 8) { 9000 } else { 100 + random.below(900) };
    let mut bytes = vec![0; usize::try_from(length).expect("a body is short")];
    random.fill(&mut bytes);
    bytes
}

fn insert(connection: &Connection, number: u64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO mail (number, body) VALUES (?1, ?2)")?
        .execute((number.cast_signed(), body(number)))
        .map(drop)
}

/// Inserts numbers in turn until the power goes; answers those that were acknowledged.
fn insert_until_cut(connections: &[&Connection], numbers: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut acknowledged = Vec::new();
    for (number, connection) in numbers.zip(connections.iter().cycle()) {
        if insert(connection, number).is_err() {
            break;
        }
        acknowledged.push(number);
    }
    acknowledged
}

/// Judges a directory after the cut: the database is whole, and nothing acknowledged is missing.
fn judge(connection: &Connection, acknowledged: &[u64]) -> Result<(), String> {
    let text = |error: rusqlite::Error| error.to_string();
    let verdict: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).map_err(text)?;
    if verdict != "ok" {
        return Err(verdict);
    }
    let mut find = connection.prepare("SELECT body FROM mail WHERE number = ?1").map_err(text)?;
    for &number in acknowledged {
        let found: Vec<u8> = find
            .query_row([number.cast_signed()], |row| row.get(0))
            .map_err(|error| format!("mail {number}: {error}"))?;
        if found != body(number) {
            return Err(format!("mail {number} has another body"));
        }
    }
    Ok(())
}

fn judge_directory(directory: &Path, acknowledged: &[u64]) -> Result<(), String> {
    let connection = open_plain(directory).map_err(|error| error.to_string())?;
    judge(&connection, acknowledged)
}

/// One run: two connections in turn, a cut inside it, a verdict. The same seed gives the same run.
fn run(seed: u64, pragmas: &str, spoil: impl FnOnce(&Disc, &[Connection])) -> Result<(), String> {
    let mut random = Random::seeded(seed);
    let disc = Disc::new();
    let connections =
        [disc.connect(pragmas).expect("set up"), disc.connect(pragmas).expect("set up")];
    spoil(&disc, &connections);
    // A commit is at least two writes, so the cut falls before the last of them.
    disc.power.cut_at(disc.power.operations() + random.below(2 * COMMITS));
    let [first, second] = &connections;
    let acknowledged = insert_until_cut(&[first, second], 1..=COMMITS);
    assert!(disc.power.is_cut(), "seed {seed}: the cut falls inside the run");
    drop(connections);
    judge_directory(disc.survivors(seed).path(), &acknowledged)
}

fn honest(pragmas: &str) {
    for seed in 0..SEEDS {
        let verdict = run(seed, pragmas, |_, _| {});
        assert_eq!(verdict, Ok(()), "seed {seed}, {pragmas}");
    }
}

/// How many seeds find the fault.
fn found(pragmas: &str, spoil: impl Fn(&Disc, &[Connection])) -> usize {
    (0..SEEDS).filter(|&seed| run(seed, pragmas, &spoil).is_err()).count()
}

#[test]
fn a_full_sync_wal_keeps_every_acknowledged_row() {
    honest(WAL_FULL);
}

#[test]
fn cuts_inside_checkpoints_lose_nothing() {
    honest(WAL_FULL_CHECKPOINTS);
}

#[test]
fn a_rollback_journal_with_extra_sync_keeps_every_acknowledged_row() {
    honest(DELETE_EXTRA);
    honest("PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL;");
}

/// Some seed loses an acknowledged row, and none loses more than rows.
fn forgets_but_stays_whole(pragmas: &str, spoil: impl Fn(&Disc, &[Connection])) {
    let verdicts = (0..SEEDS).filter_map(|seed| run(seed, pragmas, &spoil).err());
    let verdicts: Vec<String> = verdicts.collect();
    assert!(!verdicts.is_empty(), "{pragmas}");
    let damage = verdicts.iter().find(|verdict| !verdict.contains(NO_ROW));
    assert_eq!(damage, None, "{pragmas}");
}

/// How rusqlite says that a row is not there.
const NO_ROW: &str = "Query returned no rows";

/// Leaves syncs out after an honest set-up.
fn synchronous(level: &str) -> impl Fn(&Disc, &[Connection]) {
    move |_, connections| {
        for connection in connections {
            connection.pragma_update(None, "synchronous", level).expect("the pragma is taken");
        }
    }
}

#[test]
fn a_normal_sync_wal_may_forget_but_stays_whole() {
    forgets_but_stays_whole(WAL_FULL, synchronous("NORMAL"));
    forgets_but_stays_whole(WAL_FULL_CHECKPOINTS, synchronous("NORMAL"));
}

#[test]
fn a_journal_deleted_without_its_directory_may_come_back() {
    // SQLite says so of FULL in DELETE mode: EXTRA is there for this.
    forgets_but_stays_whole(DELETE_EXTRA, synchronous("FULL"));
}

#[test]
fn a_planted_fault_is_found() {
    let planted = |fault| move |disc: &Disc, _: &[Connection]| disc.power.plant(fault);
    assert!(found(WAL_FULL, planted(Plant::SkipWalSync)) > 0);
    assert!(found(WAL_FULL_CHECKPOINTS, planted(Plant::SkipWalSync)) > 0);
    assert!(found(WAL_FULL_CHECKPOINTS, planted(Plant::SkipEverySync)) > 0);
}

#[test]
fn a_store_that_does_not_sync_is_found() {
    assert!(found(WAL_FULL, synchronous("OFF")) > 0);
    assert!(found(WAL_FULL_CHECKPOINTS, synchronous("OFF")) > 0);
}

#[test]
fn two_threads_lose_nothing_and_both_see_the_end() {
    for seed in 0..SEEDS {
        let disc = Disc::new();
        let mut acknowledged = Vec::new();
        disc.connect(WAL_FULL_CHECKPOINTS).expect("set up");
        let pair = [0, 1].map(|_| disc.connect(WAL_FULL_CHECKPOINTS).expect("set up"));
        let after = disc.power.operations() + Random::seeded(seed).below(2 * COMMITS);
        disc.power.cut_at(after);
        std::thread::scope(|scope| {
            let writers = [1, 2].into_iter().zip(pair).map(|(first, connection)| {
                let numbers = (first..=COMMITS).step_by(2);
                scope.spawn(move || insert_until_cut(&[&connection], numbers))
            });
            let writers: Vec<_> = writers.collect();
            assert!(disc.power.wait_until_cut(Duration::from_secs(60)));
            for writer in writers {
                acknowledged.extend(writer.join().expect("a writer ends by itself"));
            }
        });
        assert_eq!(disc.power.operations(), after);
        let verdict = judge_directory(disc.survivors(seed).path(), &acknowledged);
        assert_eq!(verdict, Ok(()), "seed {seed}");
    }
}

#[test]
fn a_second_cut_during_recovery_loses_nothing() {
    for seed in 0..SEEDS {
        let first = Disc::new();
        let connection = first.connect(WAL_FULL).expect("set up");
        first.power.cut_at(first.power.operations() + 50 + seed % 100);
        let acknowledged = insert_until_cut(&[&connection], 1..=COMMITS);
        drop(connection);

        // The survivors become the disc of a second world, which is cut early: in the checkpoint
        // of a recovered WAL, or before anybody has looked at it.
        let second = Disc { directory: first.survivors(seed), ..Disc::new() };
        second.power.cut_at(seed % 10);
        let recovered = second.connect(WAL_FULL).and_then(|connection| {
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        });
        second.power.cut_now();
        let verdict = judge_directory(second.survivors(seed + 1).path(), &acknowledged);
        assert_eq!(verdict, Ok(()), "seed {seed}, recovery: {recovered:?}");
    }
}

#[test]
fn a_world_cut_before_anybody_looked_keeps_the_wal() {
    let first = Disc::new();
    let connection = first.connect(WAL_FULL).unwrap();
    let acknowledged = insert_until_cut(&[&connection], 1..=5);
    first.power.cut_now();
    drop(connection);

    let second = Disc { directory: first.survivors(0), ..Disc::new() };
    let unread = open(&second.file(), second.power.name()).unwrap();
    second.power.cut_now();
    drop(unread);
    let left = second.survivors(0);
    assert!(left.path().join("db-wal").exists());
    assert_eq!(judge_directory(left.path(), &acknowledged), Ok(()));
}

#[test]
fn a_full_disc_refuses_and_recovers_with_nothing_lost() {
    for pragmas in [WAL_FULL, WAL_FULL_CHECKPOINTS] {
        let disc = Disc::new();
        let connection = disc.connect(pragmas).unwrap();
        disc.power.fill_after(50_000);
        let mut acknowledged = insert_until_cut(&[&connection], 1..=COMMITS);
        assert!(!acknowledged.is_empty());
        let refused = COMMITS + 1;
        let error = insert(&connection, refused).unwrap_err();
        assert_eq!(error.sqlite_error_code(), Some(ErrorCode::DiskFull), "{error}");
        assert!(!disc.power.is_cut());

        disc.power.free_space();
        for number in 100..110 {
            insert(&connection, number).unwrap();
            acknowledged.push(number);
        }
        assert_eq!(judge(&connection, &acknowledged), Ok(()));
        disc.power.cut_now();
        assert_eq!(judge_directory(disc.survivors(3).path(), &acknowledged), Ok(()));
    }
}

#[test]
fn after_the_cut_everything_fails_with_an_io_error() {
    let disc = Disc::new();
    let connection = disc.connect(WAL_FULL).unwrap();
    insert(&connection, 1).unwrap();
    let before = disc.power.operations();
    disc.power.cut_now();
    let code = |error: rusqlite::Error| error.sqlite_error_code();
    assert_eq!(insert(&connection, 2).map_err(code), Err(Some(ErrorCode::SystemIoFailure)));
    let again = disc.connect(WAL_FULL).map(drop).map_err(code);
    assert_eq!(again, Err(Some(ErrorCode::SystemIoFailure)));
    drop(connection);
    assert_eq!(disc.power.operations(), before);
}

#[test]
fn survivors_need_a_cut_and_an_empty_directory_and_hold_no_shared_memory() {
    let disc = Disc::new();
    let connection = disc.connect(WAL_FULL).unwrap();
    insert(&connection, 1).unwrap();
    assert!(disc.directory.path().join("db-shm").exists());
    let mut random = Random::seeded(0);
    let into = directory();
    assert!(disc.power.survivors(&mut random, into.path()).is_err());
    assert!(!disc.power.wait_until_cut(Duration::from_millis(1)));

    disc.power.cut_now();
    disc.power.survivors(&mut random, into.path()).unwrap();
    let mut names: Vec<_> =
        std::fs::read_dir(into.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["db", "db-wal"]);
    assert!(disc.power.survivors(&mut random, into.path()).is_err());
}

#[test]
fn the_same_seed_leaves_the_same_files() {
    let disc = Disc::new();
    let connection = disc.connect("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;").unwrap();
    insert_until_cut(&[&connection], 1..=10);
    disc.power.cut_now();
    for seed in 0..10 {
        let read = || {
            let left = disc.survivors(seed);
            ["db", "db-wal"].map(|name| std::fs::read(left.path().join(name)).ok())
        };
        assert_eq!(read(), read(), "seed {seed}");
    }
}

#[test]
#[should_panic(expected = "already registered")]
fn a_name_is_taken_once() {
    let disc = Disc::new();
    let _second = PowerCut::install(disc.power.name());
}

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use store::StoreError;
use testkit::Random;
use testkit::powercut::PowerCut;
use vfs::{Beneath, Code, Door, File, Layer, Wanted};

use super::*;

const ROWS: Range<i64> = 0..400;

/// A file whose rows lie on a few hundred pages, with its writer.
fn written(folder: &Path, config: &Config) -> Connection {
    let path = folder.join("a.db");
    let writer = open_rewriter(&path, config).unwrap();
    writer.pragma_update(None, "page_size", 1_024).unwrap();
    use_wal(&writer).unwrap();
    let sql = "CREATE TABLE a (b INTEGER PRIMARY KEY, c INTEGER, d TEXT); CREATE INDEX e ON a (c)";
    writer.execute_batch(sql).unwrap();
    for row in ROWS {
        let sql = "INSERT INTO a VALUES (?1, ?1, hex(zeroblob(150)))";
        writer.execute(sql, [row]).unwrap();
    }
    fold(&writer).unwrap();
    drop(writer);
    open_writer(&path, config).unwrap()
}

/// All rows, found in two ways.
fn rows(reader: &Connection) -> BTreeMap<i64, i64> {
    let all = |sql: &'static str| {
        let mut statement = reader.prepare_cached(sql).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.collect::<rusqlite::Result<BTreeMap<i64, i64>>>().unwrap()
    };
    let found = all("SELECT b, c FROM a ORDER BY b");
    assert_eq!(found, all("SELECT b, c FROM a INDEXED BY e ORDER BY c"));
    found
}

#[test]
fn a_log_that_somebody_reads_is_said_to_be_held_and_not_to_be_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let (path, config) = (folder.path().join("a.db"), Config::default());
    let writer = open_rewriter(&path, &config).unwrap();
    use_wal(&writer).unwrap();
    writer.execute_batch("CREATE TABLE a (b)").unwrap();
    let reader = open(&path, OpenFlags::SQLITE_OPEN_READ_ONLY, None).unwrap();
    reader.execute_batch("BEGIN; SELECT * FROM a").unwrap();
    writer.execute_batch("INSERT INTO a VALUES (1)").unwrap();
    writer.busy_timeout(Duration::ZERO).unwrap();
    let fault = fold(&writer).unwrap_err();
    assert!(matches!(fault.at(&path, "opening"), StoreError::Locked { .. }), "{fault}");
    drop(reader);
    fold(&writer).unwrap();
}

/// A reader, and what it has to see while it stays where it is.
struct Reading {
    connection: Connection,
    since: Option<BTreeMap<i64, i64>>,
}

impl Reading {
    fn look(&mut self, now: &BTreeMap<i64, i64>, random: &mut Random) {
        match &self.since {
            Some(then) => {
                assert_eq!(&rows(&self.connection), then, "it sees nothing that came later");
                if random.below(2) == 0 {
                    self.connection.execute_batch("COMMIT").unwrap();
                    self.since = None;
                }
            }
            None if random.below(4) == 0 => {
                self.connection.execute_batch("BEGIN").unwrap();
                assert_eq!(&rows(&self.connection), now);
                self.since = Some(now.clone());
            }
            None => assert_eq!(&rows(&self.connection), now, "it sees all that was written"),
        }
    }
}

#[test]
fn a_reader_that_keeps_pages_sees_what_was_written_at_every_moment() {
    for seed in 0..8 {
        let (folder, mut random) = (tempfile::tempdir().unwrap(), Random::seeded(seed));
        // Less than the rows take, so that pages come and go.
        let config = Config { reader_cache_kib: 100, cache_kib: 60, ..Config::default() };
        let writer = written(folder.path(), &config);
        writer.busy_timeout(Duration::ZERO).unwrap();
        let reader = || {
            let connection = open_reader(&folder.path().join("a.db"), &config).unwrap();
            Reading { connection, since: None }
        };
        let mut readers = [reader(), reader(), reader()];
        let mut now = rows(&writer);
        for _ in 0..300 {
            writer.execute_batch("BEGIN IMMEDIATE").unwrap();
            let before = now.clone();
            for _ in 0..random.below(20) {
                let row = random.below(500).cast_signed();
                let value = random.below(1_000_000).cast_signed();
                let sql = "INSERT INTO a VALUES (?1, ?2, hex(zeroblob(?2 % 300)))
                           ON CONFLICT DO UPDATE SET c = ?2, d = excluded.d";
                writer.execute(sql, [row, value]).unwrap();
                now.insert(row, value);
            }
            if random.below(5) == 0 {
                writer.execute_batch("ROLLBACK").unwrap();
                now = before;
            } else {
                writer.execute_batch("COMMIT").unwrap();
            }
            match random.below(20) {
                0 => fold_what_nobody_reads(&writer).unwrap(),
                1 => drop(empty_log(&writer).unwrap()),
                2 => rest(&readers[0].connection),
                3 => readers[2] = reader(),
                _ => {}
            }
            for reading in &mut readers {
                if random.below(3) == 0 {
                    reading.look(&now, &mut random);
                }
            }
        }
    }
}

#[test]
fn readers_on_other_threads_see_each_transaction_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (path, config) = (folder.path().join("a.db"), Config::default());
    let writer = written(folder.path(), &config);
    let (sum, last) = (ROWS.sum::<i64>(), OnceLock::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let reader = open_reader(&path, &config).unwrap();
                let mut looks = 0;
                while looks < 5 || last.get().is_none() {
                    reader.execute_batch("BEGIN").unwrap();
                    assert_eq!(rows(&reader).values().sum::<i64>(), sum);
                    reader.execute_batch("COMMIT").unwrap();
                    looks += 1;
                }
                assert_eq!(Some(&rows(&reader)), last.get());
            });
        }
        let mut random = Random::seeded(7);
        for number in 0..2_000 {
            let [from, to] = [0, 1].map(|_| random.below(400).cast_signed());
            writer.execute_batch("BEGIN IMMEDIATE").unwrap();
            writer.execute("UPDATE a SET c = c - 1 WHERE b = ?1", [from]).unwrap();
            writer.execute("UPDATE a SET c = c + 1 WHERE b = ?1", [to]).unwrap();
            writer.execute_batch("COMMIT").unwrap();
            if number % 100 == 0 {
                fold_what_nobody_reads(&writer).unwrap();
            }
        }
        last.set(rows(&writer)).unwrap();
    });
}

/// What was read of databases.
static READS: AtomicU64 = AtomicU64::new(0);

/// A disc that counts it.
struct Counting;

struct Counted(bool);

impl Layer for Counting {
    fn open(&self, wanted: &Wanted<'_>, door: Door<'_>) -> Result<Box<dyn File>, Code> {
        door.open()?;
        Ok(Box::new(Counted(wanted.is_database())))
    }
}

impl File for Counted {
    fn read(&self, beneath: &Beneath<'_>, into: &mut [u8], at: u64) -> Result<(), Code> {
        READS.fetch_add(u64::from(self.0), Ordering::Relaxed);
        beneath.read(into, at)
    }
}

#[test]
fn what_was_not_written_is_not_read_again() {
    vfs::register("counting", None, Counting).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let config = Config { vfs: Some("counting".to_owned()), ..Config::default() };
    let writer = written(folder.path(), &config);
    let reader = open_reader(&folder.path().join("a.db"), &config).unwrap();
    let look = || {
        let before = READS.load(Ordering::Relaxed);
        rows(&reader);
        READS.load(Ordering::Relaxed) - before
    };
    let change = || writer.execute("UPDATE a SET c = c + 1 WHERE b = 9", []).unwrap();
    change();
    assert!(look() > 100, "it has seen nothing before");
    change();
    assert_eq!(look(), 0, "what was written lies in the log");
    fold_what_nobody_reads(&writer).unwrap();
    // The log begins anew with this.
    change();
    assert!(look() < 5, "what it knew until then, it still knows");
}

/// A file on a disc that forgets what is not synced, with a writer that keeps few pages in memory.
fn forgetful(name: &str) -> (tempfile::TempDir, PowerCut, Config, Connection) {
    let (folder, disc) = (tempfile::tempdir().unwrap(), PowerCut::install(name));
    let vfs = Some(disc.name().to_owned());
    let config = Config { vfs, cache_kib: 60, ..Config::default() };
    let writer = written(folder.path(), &config);
    (folder, disc, config, writer)
}

/// What is left of a file after a power cut, as whoever opens it then finds it.
fn survived(disc: &PowerCut) -> BTreeMap<i64, i64> {
    disc.cut_now();
    let left = tempfile::tempdir().unwrap();
    disc.survivors(&mut Random::seeded(1), left.path()).unwrap();
    let config = Config::default();
    rows(&open_writer(&left.path().join("a.db"), &config).unwrap())
}

#[test]
fn a_fold_that_finds_no_room_takes_nothing_from_a_transaction_under_way() {
    let (folder, disc, config, writer) = forgetful("full-in-a-fold");
    let folds = open_writer(&folder.path().join("a.db"), &config).unwrap();
    writer.execute("INSERT INTO a VALUES (1000, 1000, '')", []).unwrap();
    // More pages than it may keep: what does not fit is noted in the log before the end.
    writer.execute_batch("BEGIN IMMEDIATE; UPDATE a SET c = c + 1, d = d || 'x'").unwrap();
    disc.fill_after(0);
    assert!(fold_what_nobody_reads(&folds).is_err(), "there was something to be written");
    disc.free_space();
    writer.execute_batch("COMMIT").unwrap();
    let now = rows(&writer);
    assert_eq!(now[&1000], 1001);
    assert_eq!(survived(&disc), now);
}

#[test]
fn after_a_sync_that_failed_for_another_nothing_more_is_logged_or_folded() {
    let (folder, disc, config, writer) = forgetful("failed-in-a-fold");
    let folds = open_writer(&folder.path().join("a.db"), &config).unwrap();
    writer.execute("INSERT INTO a VALUES (1000, 1000, '')", []).unwrap();
    disc.fail_next_sync();
    assert!(fold_what_nobody_reads(&folds).is_err());
    assert!(!disc.will_fail(), "it was the log's");
    assert!(writer.execute("INSERT INTO a VALUES (1001, 1001, '')", []).is_err());
    assert!(fold_what_nobody_reads(&folds).is_err(), "the disc would say that all is well");
    drop((folds, writer));
    let again = open_writer(&folder.path().join("a.db"), &config).unwrap();
    again.execute("INSERT INTO a VALUES (1002, 1002, '')", []).unwrap();
    let now = rows(&again);
    assert!(now.contains_key(&1000) && !now.contains_key(&1001));
    assert_eq!(survived(&disc), now);
}

//! What only a file has: it can be missing, somebody else's, torn, readable by others, or full.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::fs;
use std::path::{Path, PathBuf};

use index::{Document, Index, IndexError, Query};
use index_sqlite::{Config, FILE_NAME, SqliteIndex};
use rusqlite::Connection;
use tempfile::TempDir;
use testkit::powercut::PowerCut;
use types::{At, Position};

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn open(folder: &Path) -> SqliteIndex {
    open_as(folder, "host_case")
}

fn open_as(folder: &Path, host: &str) -> SqliteIndex {
    SqliteIndex::open(folder, &host.parse().unwrap(), &Config::default()).unwrap()
}

fn file(folder: &Path) -> PathBuf {
    folder.join(FILE_NAME)
}

#[expect(clippy::disallowed_methods, reason = "the test goes behind the index's back")]
fn behind(folder: &Path) -> Connection {
    Connection::open(file(folder)).unwrap()
}

fn note(name: &str, text: &str) -> Document {
    Document {
        id: format!("note_{name}").parse().unwrap(),
        kind: "note".to_owned(),
        category: None,
        title: name.to_owned(),
        text: text.to_owned(),
        at: At::EPOCH,
    }
}

/// Moves on by one position.
fn put(index: &SqliteIndex, documents: Vec<Document>) -> Result<bool, IndexError> {
    let from = index.position()?;
    index.put(documents, vec![], from, Position(from.0 + 1))
}

fn query(text: &str) -> Query {
    Query { text: text.to_owned(), kinds: vec![], categories: None, limit: 10 }
}

fn total(index: &SqliteIndex, text: &str) -> usize {
    index.search(&query(text)).unwrap().total
}

/// A folder with an index that holds one note, at position 1.
fn fed() -> TempDir {
    let folder = folder();
    put(&open(folder.path()), vec![note("a", "milk")]).unwrap();
    folder
}

/// An index that knows nothing, and can be fed.
fn check_empty(folder: &Path, why: &str) {
    let index = open(folder);
    assert_eq!(index.position(), Ok(Position(0)), "{why}");
    assert_eq!(total(&index, "milk"), 0, "{why}");
    assert_eq!(put(&index, vec![note("b", "milk")]), Ok(true), "{why}");
    drop(index);
    assert_eq!(total(&open(folder), "milk"), 1, "{why}");
}

#[test]
fn a_deleted_file_comes_back_empty_at_position_zero() {
    let folder = fed();
    assert_eq!(open(folder.path()).position(), Ok(Position(1)));
    fs::remove_file(file(folder.path())).unwrap();
    check_empty(folder.path(), "deleted");
}

#[test]
fn a_file_deleted_without_its_log_comes_back_empty() {
    let (folder, killed) = (fed(), self::folder());
    let index = open(folder.path());
    put(&index, vec![note("b", "milk")]).unwrap();
    let log = format!("{FILE_NAME}-wal");
    fs::copy(folder.path().join(&log), killed.path().join(&log)).unwrap();
    check_empty(killed.path(), "only the log was left");
}

#[test]
fn what_is_no_index_of_ours_is_replaced() {
    for (why, bytes) in [
        ("garbage", &b"this is not the file you are looking for"[..]),
        ("an empty file", b""),
        ("a header alone", b"SQLite format 3\0"),
    ] {
        let folder = fed();
        fs::write(file(folder.path()), bytes).unwrap();
        check_empty(folder.path(), why);
    }
    for (why, sql) in [
        ("another version", "PRAGMA user_version = 99"),
        ("another program's", "PRAGMA application_id = 7"),
        ("no words", "DROP TABLE words"),
        ("no documents", "DROP TABLE documents"),
        ("no position", "DELETE FROM state"),
        ("another's words", "UPDATE state SET host = 'host_other'"),
    ] {
        let folder = fed();
        behind(folder.path()).execute_batch(sql).unwrap();
        check_empty(folder.path(), why);
    }
}

#[test]
fn a_file_cut_short_or_overwritten_is_replaced_at_the_latest_when_it_is_used() {
    let whole = fs::read(file(fed().path())).unwrap();
    for from in (0..whole.len()).step_by(1_024) {
        for cut in [true, false] {
            let mut bytes = whole.clone();
            if cut {
                bytes.truncate(from);
            } else {
                bytes[from..(from + 1_024).min(whole.len())].fill(0xA5);
            }
            let folder = self::folder();
            fs::write(file(folder.path()), bytes).unwrap();
            // It may be told once, or some of the bytes may never matter.
            let used = || {
                let index = open(folder.path());
                let added = put(&index, vec![note("b", "milk bread")])?;
                index.search(&query("bread")).map(|found| (added, found.total))
            };
            let answer = used().or_else(|error| {
                assert!(matches!(error, IndexError::Corrupt { .. }), "{from} {cut}: {error}");
                used()
            });
            assert_eq!(answer, Ok((true, 1)), "{from} {cut}");
        }
    }
}

#[test]
fn damage_that_a_search_finds_is_told_once_and_then_forgotten() {
    let folder = fed();
    let torn = "UPDATE words_data SET block = x'0102030405060708' WHERE id > 10";
    assert!(behind(folder.path()).execute(torn, []).unwrap() > 0);
    let index = open(folder.path());
    let told = index.search(&query("milk")).unwrap_err();
    assert!(matches!(&told, IndexError::Corrupt { file, .. } if file.ends_with(FILE_NAME)));
    assert_eq!(index.position(), Ok(Position(0)));
    assert_eq!(put(&index, vec![note("a", "milk")]), Ok(true));
    assert_eq!(total(&index, "milk"), 1);
}

#[test]
fn a_restored_home_does_not_find_the_words_of_another() {
    let folder = fed();
    let other = open_as(folder.path(), "host_restored");
    assert_eq!((other.position(), total(&other, "milk")), (Ok(Position(0)), 0));
}

#[test]
fn what_cannot_be_replaced_is_told() {
    let folder = folder();
    let missing = folder.path().join("missing");
    fs::create_dir(file(folder.path())).unwrap();
    for at in [missing.as_path(), folder.path()] {
        let told = SqliteIndex::open(at, &"host_case".parse().unwrap(), &Config::default());
        let Err(IndexError::Inaccessible { path, .. }) = told else { panic!("{at:?}") };
        assert!(path.ends_with(FILE_NAME));
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_replaced_and_what_it_leads_to_is_left_alone() {
    let (folder, elsewhere) = (folder(), fed());
    let before = fs::read(file(elsewhere.path())).unwrap();
    std::os::unix::fs::symlink(file(elsewhere.path()), file(folder.path())).unwrap();
    check_empty(folder.path(), "a link");
    assert!(fs::symlink_metadata(file(folder.path())).unwrap().is_file());
    assert_eq!(fs::read(file(elsewhere.path())).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let check_private = |index: &SqliteIndex| {
        put(index, vec![note("a", "milk")]).unwrap();
        let mut seen = Vec::new();
        for entry in fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{:?}", entry.file_name());
            seen.push(entry.file_name().into_string().unwrap());
        }
        seen.sort();
        assert_eq!(seen, ["", "-shm", "-wal"].map(|suffix| format!("{FILE_NAME}{suffix}")));
    };
    check_private(&open(folder.path()));
    fs::set_permissions(file(folder.path()), fs::Permissions::from_mode(0o644)).unwrap();
    check_private(&open(folder.path()));
}

#[test]
fn what_was_cleared_is_in_none_of_the_files_any_more() {
    let folder = folder();
    let index = open(folder.path());
    let holds = |word: &str| {
        let entries = fs::read_dir(folder.path()).unwrap().map(Result::unwrap);
        let texts: Vec<Vec<u8>> = entries.map(|entry| fs::read(entry.path()).unwrap()).collect();
        texts.iter().any(|text| text.windows(word.len()).any(|at| at == word.as_bytes()))
    };
    put(&index, vec![note("a", "xylophonist"), note("b", "milk")]).unwrap();
    assert!(holds("xylophonist"));
    index.clear().unwrap();
    put(&index, vec![note("b", "milk")]).unwrap();
    assert!(holds("milk") && !holds("xylo"));
}

#[test]
fn searching_and_feeding_do_not_wait_for_each_other() {
    let folder = fed();
    let index = open(folder.path());
    let other = behind(folder.path());
    other.execute_batch("BEGIN IMMEDIATE; UPDATE state SET position = 9;").unwrap();
    assert_eq!((index.position(), total(&index, "milk")), (Ok(Position(1)), 1));
    other.execute_batch("ROLLBACK; BEGIN; SELECT position FROM state;").unwrap();
    assert_eq!(put(&index, vec![note("b", "milk")]), Ok(true));
    let seen: i64 = other.query_row("SELECT position FROM state", [], |row| row.get(0)).unwrap();
    assert_eq!((seen, total(&index, "milk")), (1, 2));
}

#[test]
fn a_killed_process_leaves_all_that_it_put() {
    let (folder, left) = (fed(), self::folder());
    let index = open(folder.path());
    put(&index, vec![note("b", "milk")]).unwrap();
    // A second look at the files as they are now is what a killed process leaves.
    for entry in fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), left.path().join(entry.file_name())).unwrap();
    }
    let again = open(left.path());
    assert_eq!((again.position(), total(&again, "milk")), (Ok(Position(2)), 2));
}

#[test]
fn a_full_disc_refuses_a_put_and_takes_it_once_there_is_room() {
    let folder = folder();
    let disc = PowerCut::install("index-full-disc");
    let config = Config { vfs: Some(disc.name().to_owned()), ..Config::default() };
    let index = SqliteIndex::open(folder.path(), &"host_case".parse().unwrap(), &config).unwrap();
    put(&index, vec![note("a", "milk")]).unwrap();
    disc.fill_after(0);
    for _ in 0..3 {
        let refused = put(&index, vec![note("b", "milk")]);
        assert!(matches!(refused, Err(IndexError::DiskFull { .. })), "{refused:?}");
        assert_eq!((index.position(), total(&index, "milk")), (Ok(Position(1)), 1));
    }
    disc.free_space();
    assert_eq!(put(&index, vec![note("b", "milk")]), Ok(true));
    assert_eq!((index.position(), total(&index, "milk")), (Ok(Position(2)), 2));
}

//! Power cuts: whenever the power goes, what is left is the index as it was after some put.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::BTreeSet;
use std::path::Path;

use index::{Document, Index, IndexError, Query};
use index_sqlite::{Config, FILE_NAME, SqliteIndex};
use rusqlite::Connection;
use testkit::Random;
use testkit::powercut::PowerCut;
use types::{At, Position};

/// Puts of one life; after every second one the file is closed, and its log folded into it.
const PUTS: u64 = 6;

/// Cuts, spread evenly over a life.
const CUTS: u64 = 30;

/// Documents that every put replaces.
const DOCUMENTS: u64 = 8;

fn open(folder: &Path, vfs: Option<&str>) -> Result<SqliteIndex, IndexError> {
    let config = Config { vfs: vfs.map(str::to_owned), ..Config::default() };
    SqliteIndex::open(folder, &"host_case".parse().unwrap(), &config)
}

/// Only this round has its word; the rest spreads over pages.
fn document(n: u64, round: u64) -> Document {
    let filling: String = (0..200).map(|word| format!("w{}x{word} ", n * round)).collect();
    Document {
        id: format!("note_{n}").parse().unwrap(),
        kind: "note".to_owned(),
        category: None,
        title: format!("note {n}"),
        text: format!("round{round} {filling}"),
        at: At::EPOCH,
    }
}

/// Feeds until the end or the cut; says up to where it was told that it is done.
fn feed(folder: &Path, vfs: &str) -> u64 {
    let mut done = 0;
    while done < PUTS {
        let Ok(index) = open(folder, Some(vfs)) else { return done };
        for round in [done + 1, done + 2] {
            // Each put leaves one document out and takes the one before it in again.
            let documents = (0..DOCUMENTS).map(|n| document(n, round)).collect();
            let gone = vec![format!("note_{}", round % DOCUMENTS).parse().unwrap()];
            match index.put(documents, gone, Position(round - 1), Position(round)) {
                Ok(moved) => assert!(moved, "nobody else feeds it"),
                Err(_) => return done,
            }
            done = round;
        }
    }
    done
}

#[expect(clippy::disallowed_methods, reason = "an index that heals itself would hide the damage")]
fn check_whole(folder: &Path) {
    if !folder.join(FILE_NAME).exists() {
        return;
    }
    let connection = Connection::open(folder.join(FILE_NAME)).unwrap();
    let verdict: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
    let made: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    if made > 0 {
        let sql = "INSERT INTO words (words, rank) VALUES ('integrity-check', 1)";
        connection.execute(sql, []).unwrap();
    }
}

/// All documents of the round at which the index stands, and of no other. Says where it stands.
fn check_round(folder: &Path, done: u64) -> u64 {
    let index = open(folder, None).unwrap();
    let position = index.position().unwrap().0;
    assert!(position <= done + 1, "it stands at {position} and was fed up to {done}");
    for round in 1..=PUTS {
        let text = format!("\"round{round}\"");
        let query = Query { text, kinds: vec![], categories: None, limit: 20 };
        let expected = if round == position { DOCUMENTS - 1 } else { 0 };
        let total = index.search(&query).unwrap().total as u64;
        assert_eq!(total, expected, "round {round} at position {position}");
    }
    position
}

#[test]
fn a_power_cut_leaves_the_index_as_it_was_after_some_put() {
    let whole = PowerCut::install("index-no-cut");
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(feed(folder.path(), whole.name()), PUTS);
    let operations = whole.operations();
    assert!(operations > 50, "a life has {operations} operations");
    let mut seen = BTreeSet::new();
    for number in 0..CUTS {
        let disc = PowerCut::install(&format!("index-cut-{number}"));
        disc.cut_at(operations * number / CUTS);
        let folder = tempfile::tempdir().unwrap();
        let done = feed(folder.path(), disc.name());
        assert!(disc.is_cut(), "the power went in the middle");
        for seed in 0..2 {
            let left = tempfile::tempdir().unwrap();
            disc.survivors(&mut Random::seeded(number * 100 + seed), left.path()).unwrap();
            check_whole(left.path());
            seen.insert(check_round(left.path(), done));
        }
    }
    assert!(seen.len() > 3, "cuts left only the positions {seen:?}");
}

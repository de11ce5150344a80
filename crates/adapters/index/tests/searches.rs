//! Searches that nobody thought of.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::{BTreeMap, BTreeSet};

use index::{Document, Index, IndexError, Query};
use index_sqlite::{Config, FILE_NAME, SqliteIndex};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use rusqlite::Connection;
use tempfile::TempDir;
use types::{At, Position};

const VOCABULARY: [&str; 6] = ["milk", "milky", "oat", "oats", "and", "near"];

/// Words and beginnings of words that are typed.
const TYPED: [&str; 8] = ["milk", "mil", "oat", "oats", "and", "near", "n", "cheese"];

/// What means something to FTS5, to SQL or to us, and what means nothing to anybody.
const FRAGMENTS: [&str; 40] = [
    "milk", "oat", "m", "AND", "OR", "NOT", "NEAR", "NEAR(", "title", "words", "rank", " ", " ",
    " ", "\"", "\"", "'", "“", "-", "-", "*", "*", "(", ")", "{", "}", ":", "^", "+", ",", ";",
    "--", "\0", "\n", "🎉", "Ⓐ", "\u{301}", "ß", "日本", "\u{e000}",
];

fn open() -> (TempDir, SqliteIndex) {
    let folder = tempfile::tempdir().unwrap();
    let host = "host_case".parse().unwrap();
    let index = SqliteIndex::open(folder.path(), &host, &Config::default()).unwrap();
    (folder, index)
}

fn note(name: usize, title: &[&str], text: &[&str]) -> Document {
    Document {
        id: format!("note_{name}").parse().unwrap(),
        kind: "note".to_owned(),
        category: None,
        title: title.join(" "),
        text: text.join(", "),
        at: At::EPOCH,
    }
}

fn all(text: String) -> Query {
    Query { text, kinds: vec![], categories: None, limit: 1_000 }
}

#[test]
fn whatever_is_typed_is_a_search() {
    let (_folder, index) = open();
    let documents =
        (0..20).map(|n| note(n, &["milk", "and"], &VOCABULARY[n % 6..])).collect::<Vec<_>>();
    index.put(documents, vec![], Position(0), Position(1)).unwrap();
    let typed = prop_oneof![
        any::<String>(),
        vec(select(&FRAGMENTS[..]), 0..12).prop_map(|parts| parts.concat()),
        vec(prop_oneof![select(&FRAGMENTS[..]).prop_map(str::to_owned), any::<String>()], 0..6)
            .prop_map(|parts| parts.concat()),
    ];
    let mut runner = TestRunner::new(ProptestConfig::with_cases(3_000));
    let answered = runner.run(&typed, |text| {
        match index.search(&all(text)) {
            Ok(found) => {
                prop_assert_eq!((found.hits.len(), found.more), (found.total, false));
                let marked = |hit: &index::Hit| hit.excerpt.contains('«');
                prop_assert!(found.hits.iter().all(marked), "{:?}", found.hits);
            }
            Err(IndexError::EmptyQuery | IndexError::QueryTooLong { .. }) => {}
            Err(error) => prop_assert!(false, "{error:?}"),
        }
        Ok(())
    });
    answered.unwrap();
}

/// One part of a search, as whoever types it means it.
#[derive(Debug, Clone)]
struct Part {
    wanted: bool,
    words: Vec<&'static str>,
    quoted: bool,
    star: bool,
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let words = vec(select(&TYPED[..]), 1..3);
    let part = (prop::bool::weighted(0.8), words, any::<bool>(), prop::bool::weighted(0.3));
    vec(part, 1..4).prop_map(|parts| {
        let part = |(wanted, words, quoted, star): (bool, Vec<&'static str>, bool, bool)| {
            let words = if quoted { words } else { words[..1].to_vec() };
            Part { wanted, words, quoted, star }
        };
        parts.into_iter().map(part).collect()
    })
}

impl Part {
    fn typed(&self) -> String {
        let quote = if self.quoted { "\"" } else { "" };
        let (minus, star) = (if self.wanted { "" } else { "-" }, if self.star { "*" } else { "" });
        format!("{minus}{quote}{}{quote}{star}", self.words.join(" "))
    }

    /// Whether a list of words has it; `last` is whether it ends the search.
    fn is_in(&self, words: &[&str], last: bool) -> bool {
        let open = self.star || last && self.wanted && !self.quoted;
        words.windows(self.words.len()).any(|at| {
            let end = self.words.len() - 1;
            let fits = |n: usize| {
                if n == end && open {
                    at[n].starts_with(self.words[n])
                } else {
                    at[n] == self.words[n]
                }
            };
            (0..=end).all(fits)
        })
    }
}

/// The naive answer: every document is read whole.
fn expected(shelf: &BTreeMap<usize, Words>, parts: &[Part]) -> BTreeSet<usize> {
    let fits = |(title, text): &Words| {
        parts.iter().enumerate().all(|(n, part)| {
            let last = n + 1 == parts.len();
            let has = part.is_in(title, last) || part.is_in(text, last);
            has == part.wanted
        })
    };
    shelf.iter().filter(|(_, words)| fits(words)).map(|(name, _)| *name).collect()
}

/// Title and text.
type Words = (Vec<&'static str>, Vec<&'static str>);

/// Changes of one put: a document by name with its words, or without any to leave it out.
fn changes() -> impl Strategy<Value = Vec<(usize, Option<Words>)>> {
    let word = || select(&VOCABULARY[..]);
    let words = (vec(word(), 0..3), vec(word(), 0..6));
    vec((0..12_usize, prop::option::weighted(0.7, words)), 0..12)
}

/// Puts the last change of each document, and does the same to the shelf.
fn put(
    index: &SqliteIndex,
    shelf: &mut BTreeMap<usize, Words>,
    changes: Vec<(usize, Option<Words>)>,
) {
    let changes: BTreeMap<usize, Option<Words>> = changes.into_iter().collect();
    let (mut upserts, mut removals) = (Vec::new(), Vec::new());
    for (name, words) in changes {
        match words {
            Some(words) => {
                upserts.push(note(name, &words.0, &words.1));
                shelf.insert(name, words);
            }
            None => {
                removals.push(format!("note_{name}").parse().unwrap());
                shelf.remove(&name);
            }
        }
    }
    let from = index.position().unwrap();
    assert!(index.put(upserts, removals, from, Position(from.0 + 1)).unwrap());
}

#[expect(clippy::disallowed_methods, reason = "FTS5 checks its own tables")]
fn check_whole(folder: &TempDir) {
    let connection = Connection::open(folder.path().join(FILE_NAME)).unwrap();
    let sql = "INSERT INTO words (words, rank) VALUES ('integrity-check', 1)";
    connection.execute(sql, []).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn whatever_was_put_and_left_out_is_found_as_reading_everything_would_find_it(
        puts in vec(changes(), 1..8),
        searches in vec(parts(), 1..20),
    ) {
        let (folder, index) = open();
        let mut shelf = BTreeMap::new();
        for changes in puts {
            put(&index, &mut shelf, changes);
        }
        for parts in searches {
            let text = parts.iter().map(Part::typed).collect::<Vec<_>>().join(" ");
            let answer = index.search(&all(text.clone()));
            if parts.iter().all(|part| !part.wanted) {
                prop_assert_eq!(answer, Err(IndexError::EmptyQuery));
                continue;
            }
            let name = |hit: &index::Hit| hit.id.as_str()["note_".len()..].parse().unwrap();
            let found: BTreeSet<usize> = answer.unwrap().hits.iter().map(name).collect();
            prop_assert_eq!(found, expected(&shelf, &parts), "{}", text);
        }
        check_whole(&folder);
    }
}

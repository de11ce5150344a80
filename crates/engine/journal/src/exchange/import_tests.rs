//! Imports of many commits, and imports that are interrupted.

use std::sync::Arc;

use sqlite::Config;
use store::{Store, wait};
use testkit::{FakeWorld, TempHome};
use types::{Position, limits};

use super::*;
use crate::exchange::given;

struct Home {
    journal: Journal,
    store: Arc<dyn Store>,
    _home: TempHome,
}

fn home() -> Home {
    let home = TempHome::new();
    let store: Arc<dyn Store> = Arc::new(home.open(&Config::default()));
    let journal = Journal::new(Arc::clone(&store), Arc::new(FakeWorld::seeded(7)));
    wait(journal.category_seed()).unwrap();
    Home { journal, store, _home: home }
}

impl Home {
    fn head(&self) -> Position {
        wait(self.store.head(Domain::Journal)).unwrap()
    }

    fn export(&self, format: Format) -> String {
        wait(self.journal.export(format)).unwrap().text
    }

    fn import(&self, format: Format, text: &str) -> Result<Imported, Error> {
        wait(self.journal.import(file(format, text)))
    }

    /// The first commits of an import, and no more: as if the power had gone.
    fn begin(&self, text: &str, commits_done: usize) {
        let here = wait(self.journal.here(None)).unwrap();
        let reading = Format::Json.read(text, &here).unwrap();
        let standing = wait(self.journal.standing(&reading.archive)).unwrap();
        let intended = meet(&reading, &standing, Meeting::Refuse).unwrap();
        let hash = rules::hash::bytes(text.as_bytes());
        let all = commits(intended.steps);
        let count = all.len();
        for (number, steps) in all.into_iter().take(commits_done).enumerate() {
            let commit = self.journal.commit_of(steps, Format::Json, &hash, (number, count));
            wait(self.journal.carry_out(commit)).unwrap();
        }
    }
}

fn file(format: Format, text: &str) -> Import {
    let (text, meeting) = (text.to_owned(), Meeting::Refuse);
    Import { format, text, category: None, meeting, preview: false }
}

#[test]
fn every_archive_comes_out_of_a_real_journal_as_it_went_in() {
    for seed in 0..12 {
        let archive = given::archive(seed);
        for (format, other) in [(Format::Json, Format::Markdown), (Format::Markdown, Format::Json)]
        {
            let text = format.write(&archive).unwrap();
            let home = home();
            home.import(format, &text).unwrap();
            assert_eq!(home.export(format), text, "{seed}");
            assert_eq!(home.export(other), other.write(&archive).unwrap(), "{seed}");
        }
    }
}

fn many_tasks(count: usize) -> String {
    let tasks = (0..count).map(|n| {
        format!(
            "{{\"id\":\"task_{n:05}\",\"created_at\":\"2026-11-01T00:00:00.000Z\",\"title\":\"task {n}\",\
             \"status\":\"open\",\"priority\":\"p2\",\"category_id\":\"category_home\"}}"
        )
    });
    let home =
        "{\"id\":\"category_home\",\"created_at\":\"2026-11-01T00:00:00.000Z\",\"name\":\"home\"}";
    let tasks: Vec<String> = tasks.collect();
    let text =
        format!("{{\"dormouse\":1,\"categories\":[{home}],\"tasks\":[{}]}}", tasks.join(","));
    let reading = Format::Json.read(&text, &Here::default()).unwrap();
    Format::Json.write(&reading.archive).unwrap()
}

#[test]
fn an_import_that_was_interrupted_goes_on_and_doubles_nothing() {
    let text = many_tasks(2 * limits::COMMIT_WRITES_MAX + 100);
    let whole = home();
    assert_eq!(whole.import(Format::Json, &text).unwrap().operations.len(), 3);
    assert_eq!(whole.export(Format::Json), text);
    for done in 0..=3 {
        let cut = home();
        cut.begin(&text, done);
        let rest = cut.import(Format::Json, &text).unwrap();
        assert_eq!(rest.operations.len(), 3 - done);
        assert_eq!(cut.export(Format::Json), text);
        assert_eq!(cut.head(), whole.head(), "not one change more than without the interruption");
        let head = cut.head();
        let again = cut.import(Format::Json, &text).unwrap();
        assert!(again.operations.is_empty() && cut.head() == head);
        assert_eq!(again.unchanged["tasks"], 2 * limits::COMMIT_WRITES_MAX + 100);
    }
}

#[test]
fn no_commit_holds_more_than_a_commit_may() {
    let text = many_tasks(limits::COMMIT_WRITES_MAX + 5);
    let home = home();
    let here = wait(home.journal.here(None)).unwrap();
    let reading = Format::Json.read(&text, &here).unwrap();
    let standing = wait(home.journal.standing(&reading.archive)).unwrap();
    let all = commits(meet(&reading, &standing, Meeting::Refuse).unwrap().steps);
    let sizes: Vec<usize> = all.iter().map(Vec::len).collect();
    // One is the category of the new home that the file does not have.
    assert_eq!(sizes, [limits::COMMIT_WRITES_MAX, 7]);
}

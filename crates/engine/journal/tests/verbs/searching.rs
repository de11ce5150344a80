//! Finding what was written, and not what was not.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use index::{Document, Found, Index, IndexError, Query};
use index_sqlite::{Config, SqliteIndex};
use journal::{Ask, Find, Finder};
use serde_json::json;
use store::wait;
use tempfile::TempDir;
use types::{
    At, ChecklistItem, Code, Domain, Position, RecordDraft, RecordId, TimeEntry, Write, limits,
};

use crate::desk::Desk;

struct Searching {
    desk: Desk,
    folder: TempDir,
}

impl Searching {
    fn new() -> Searching {
        Searching { desk: Desk::new(), folder: tempfile::tempdir().unwrap() }
    }

    fn index(&self) -> SqliteIndex {
        SqliteIndex::at(self.folder.path(), self.desk.store.host(), &Config::default())
    }

    fn find(&self, find: Find) -> Vec<(String, &'static str)> {
        let finder = Finder::new(&self.desk.journal, Arc::new(self.index()));
        let found = wait(finder.find(Find { limit: 10, ..find })).unwrap();
        assert_eq!(found.total, found.hits.len());
        found.hits.into_iter().map(|hit| (hit.title, hit.kind)).collect()
    }

    fn titles(&self, words: &str) -> Vec<String> {
        let words = words.to_owned();
        let found = self.find(Find { words, ..Find::default() });
        found.into_iter().map(|(title, _)| title).collect()
    }
}

#[test]
fn everything_with_words_is_found_as_what_it_is() {
    let place = Searching::new();
    let task = place.desk.task("water the ferns", "home");
    place.desk.done(
        "add_multiple_checklist_items",
        json!({ "taskId": task, "items": ["ferns indoors"] }),
    );
    place.desk.done("write_entry", json!({ "text": "the ferns looked thirsty", "taskId": task }));
    let mut found = place.find(Find { words: "ferns".to_owned(), ..Find::default() });
    found.sort();
    let kinds: Vec<&str> = found.iter().map(|(_, kind)| *kind).collect();
    assert_eq!(kinds, ["item", "note", "task"]);
    let only = Find { words: "fer".to_owned(), kinds: vec!["note".to_owned()], ..Find::default() };
    assert_eq!(place.find(only), [("the ferns looked thirsty".to_owned(), "note")]);
}

#[test]
fn the_index_follows_what_is_changed_removed_and_brought_back() {
    let place = Searching::new();
    let task = place.desk.task("ferns", "home");
    assert_eq!(place.titles("ferns"), ["ferns"]);
    place.desk.done("set_task_title", json!({ "taskId": task, "title": "moss" }));
    assert!(place.titles("ferns").is_empty());
    assert_eq!(place.titles("moss"), ["moss"]);
    let removed = place.desk.operation("remove_task", json!({ "taskId": task }));
    assert!(place.titles("moss").is_empty());
    place.desk.undo(removed).unwrap();
    assert_eq!(place.titles("moss"), ["moss"]);
}

#[test]
fn an_index_that_is_behind_a_trimmed_log_is_made_anew() {
    let place = Searching::new();
    let task = place.desk.task("ferns", "home");
    assert_eq!(place.titles("ferns"), ["ferns"]);
    place.desk.done("set_task_title", json!({ "taskId": task, "title": "moss" }));
    place.desk.task("bark", "home");
    let up_to = wait(place.desk.store.head(Domain::Journal)).unwrap();
    place.desk.put([Write::Trim { up_to }].into_iter());
    assert_eq!(
        (place.titles("moss"), place.titles("bark")),
        (vec!["moss".into()], vec!["bark".into()])
    );
    assert!(place.titles("ferns").is_empty());
}

#[test]
fn what_belongs_to_a_task_moves_with_it_to_another_category() {
    let place = Searching::new();
    let task = place.desk.task("ferns", "home");
    place.desk.done("add_multiple_checklist_items", json!({ "taskId": task, "items": ["can"] }));
    let at = |category: &str| {
        let category = Some(category.to_owned());
        place.find(Find { words: "can".to_owned(), category, ..Find::default() }).len()
    };
    assert_eq!((at("home"), at("work")), (1, 0));
    place.desk.done("update_task_fields", json!({ "taskId": task, "categoryId": "work" }));
    assert_eq!((at("home"), at("work")), (0, 1));
}

#[test]
fn all_that_belongs_to_a_task_moves_with_it_however_much_it_is() {
    let place = Searching::new();
    let task = place.desk.task("ferns", "home");
    let page = limits::ROWS_PER_READ_MAX;
    let lists = [0, 1].map(|n| {
        let list = json!({ "taskId": task, "title": format!("list {n}"), "items": [] });
        place.desk.done("create_checklist", list)["id"].as_str().unwrap().to_owned()
    });
    place.desk.put((0..=page).map(|n| {
        let (list, title) = (&lists[2 * n / (page + 1)], format!("can {n}"));
        let item = ChecklistItem {
            checklist_id: list.parse().unwrap(),
            task_id: task.parse().unwrap(),
            title,
            checked: false,
            rank: "i".to_owned(),
        };
        let id: RecordId = format!("item_{n:06}").parse().unwrap();
        Write::Record(RecordDraft::live(id, item))
    }));
    place.desk.put((0..=page).map(|n| {
        let time = TimeEntry {
            task_id: task.parse().unwrap(),
            started_at: At::EPOCH,
            ended_at: Some(At::from_millis(1)),
            day: "1970-01-01".parse().unwrap(),
            description: format!("can {n}"),
            source_entry_id: None,
        };
        let id: RecordId = format!("time_{n:06}").parse().unwrap();
        Write::Record(RecordDraft::live(id, time))
    }));
    let at = |category: &str| {
        let (words, category) = (format!("can {page}"), Some(category.to_owned()));
        place.find(Find { words, category, ..Find::default() }).len()
    };
    assert_eq!((at("home"), at("work")), (2, 0));
    place.desk.done("update_task_fields", json!({ "taskId": task, "categoryId": "work" }));
    assert_eq!((at("home"), at("work")), (0, 2));
}

#[test]
fn a_rating_is_found_where_what_is_rated_lies_now() {
    let place = Searching::new();
    let task = place.desk.task("ferns", "home");
    let spent = json!({ "taskId": task, "startedAt": "yesterday 9:00", "duration": "1h" });
    let time = place.desk.done("create_retrospective_time_entry", spent)["id"].clone();
    for rated in [json!(task), time.clone()] {
        let rating = json!({ "targetId": rated, "score": 2, "note": "dreadful" });
        place.desk.done("create_or_update_rating", rating);
    }
    let at = |category: &str| {
        let category = Some(category.to_owned());
        place.find(Find { words: "dreadful".to_owned(), category, ..Find::default() }).len()
    };
    assert_eq!((at("home"), at("work")), (2, 0));
    place.desk.done("update_task_fields", json!({ "taskId": task, "categoryId": "work" }));
    assert_eq!((at("home"), at("work")), (0, 2));
    let other = place.desk.task("moss", "home");
    place.desk.done("edit_time_entry", json!({ "timeEntryId": time, "taskId": other }));
    assert_eq!((at("home"), at("work")), (1, 1));
}

#[test]
fn an_index_that_was_deleted_or_comes_from_elsewhere_is_filled_anew() {
    let place = Searching::new();
    place.desk.task("ferns", "home");
    assert_eq!(place.titles("ferns"), ["ferns"]);
    for file in std::fs::read_dir(place.folder.path()).unwrap() {
        std::fs::remove_file(file.unwrap().path()).unwrap();
    }
    assert_eq!(place.titles("ferns"), ["ferns"]);
    let ahead = Position(1_000);
    let index = place.index();
    let at = index.position().unwrap();
    assert!(index.put(vec![], vec![], at, ahead).unwrap());
    place.desk.task("moss", "home");
    assert_eq!(place.titles("moss"), ["moss"]);
}

/// An index beside which something is done whenever it is fed.
struct Watched<F> {
    index: SqliteIndex,
    fed: F,
}

impl<F: Fn() + Send + Sync> Index for Watched<F> {
    fn position(&self) -> Result<Position, IndexError> {
        self.index.position()
    }

    fn put(
        &self,
        upserts: Vec<Document>,
        removals: Vec<RecordId>,
        from: Position,
        up_to: Position,
    ) -> Result<bool, IndexError> {
        (self.fed)();
        self.index.put(upserts, removals, from, up_to)
    }

    fn clear(&self) -> Result<(), IndexError> {
        self.index.clear()
    }

    fn search(&self, query: &Query) -> Result<Found, IndexError> {
        self.index.search(query)
    }
}

#[test]
fn a_search_ends_however_much_is_written_meanwhile() {
    let place = Searching::new();
    place.desk.task("ferns", "home");
    let (journal, times) = (place.desk.journal.clone(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&times);
    let fed = move || {
        // There is an end to it, so that a search that waits for one fails instead of never ending.
        if counted.fetch_add(1, Ordering::Relaxed) < 50 {
            let arguments = json!({ "title": "moss", "categoryId": "home" });
            let (verb, request) = ("create_task".to_owned(), None);
            wait(journal.perform(Ask { verb, arguments, request, preview: false })).unwrap();
        }
    };
    let finder = Finder::new(&place.desk.journal, Arc::new(Watched { index: place.index(), fed }));
    let ferns = || Find { words: "ferns".to_owned(), limit: 5, ..Find::default() };
    assert_eq!(wait(finder.find(ferns())).unwrap().total, 1);
    assert_eq!(wait(finder.find(ferns())).unwrap().total, 1);
    assert!(times.load(Ordering::Relaxed) < 10, "each search takes up what was there before it");
}

#[test]
fn two_who_search_at_once_do_not_both_fill_the_index() {
    let place = Searching::new();
    place.desk.task("ferns", "home");
    let times = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&times);
    let fed = move || {
        counted.fetch_add(1, Ordering::Relaxed);
    };
    let finder = Finder::new(&place.desk.journal, Arc::new(Watched { index: place.index(), fed }));
    let ferns = || Find { words: "ferns".to_owned(), limit: 5, ..Find::default() };
    let (mut one, mut other) = (pin!(finder.find(ferns())), pin!(finder.find(ferns())));
    let mut found = [None, None];
    wait(poll_fn(|context| {
        for (place, find) in [one.as_mut(), other.as_mut()].into_iter().enumerate() {
            if found[place].is_none()
                && let Poll::Ready(answer) = find.poll(context)
            {
                found[place] = Some(answer.unwrap().total);
            }
        }
        if found.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    }));
    assert_eq!(found, [Some(1), Some(1)]);
    assert_eq!(times.load(Ordering::Relaxed), 1);
}

#[test]
fn no_words_an_unknown_kind_and_an_unknown_category_are_refused() {
    let place = Searching::new();
    let finder = Finder::new(&place.desk.journal, Arc::new(place.index()));
    let refused = |find: Find| wait(finder.find(find)).unwrap_err().code;
    let words = || Find { words: "ferns".to_owned(), limit: 5, ..Find::default() };
    assert_eq!(refused(Find { words: " -".to_owned(), ..words() }), Code::WrongUsage);
    assert_eq!(refused(Find { kinds: vec!["dream".to_owned()], ..words() }), Code::WrongUsage);
    assert_eq!(refused(Find { category: Some("x".to_owned()), ..words() }), Code::UnknownCategory);
}

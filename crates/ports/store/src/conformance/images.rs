//! What a change says about the records that it touched.

use std::collections::BTreeSet;

use types::{Domain, Image, Position, Properties, RecordDraft, RecordId, TaskStatus, Write};

use super::Harness;
use super::given::{agent, apply, id, journal, put_agent, put_task, read, task};
use crate::Store;

/// Writes the one task of a case.
fn write(store: &dyn Store, title: &str, category: &str, status: TaskStatus, deleted: bool) {
    let body = task(title, category, status);
    let draft = RecordDraft { deleted, ..RecordDraft::live(id::<RecordId>("task_a"), body) };
    apply(store, journal(vec![Write::Record(draft)]));
}

/// The one image of the last change.
fn last(store: &dyn Store) -> Image {
    let head = read(store.head(Domain::Journal));
    let mut changes = read(store.changes(Domain::Journal, Position(head.0 - 1), 1));
    let mut images = changes.remove(0).images;
    assert_eq!(images.len(), 1);
    images.remove(0)
}

fn properties(category: &str, status: &str) -> Option<Properties> {
    let pairs = [("category", category), ("priority", "p2"), ("status", status)];
    Some(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into())
}

fn fields(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// From birth to removal and back: what the record was, what it is, and what differs.
pub fn a_change_says_what_each_record_was_and_is(harness: &mut impl Harness) {
    let store = harness.open();
    let (home, work) = ("category_home", "category_work");
    let image = |before, after, names: &[&str]| Image {
        id: id("task_a"),
        kind: "TASK".to_owned(),
        before,
        after,
        fields: fields(names),
    };
    write(&*store, "one", home, TaskStatus::Open, false);
    assert_eq!(last(&*store), image(None, properties(home, "open"), &[]));
    write(&*store, "two", home, TaskStatus::Done, false);
    let (open, done) = (properties(home, "open"), properties(home, "done"));
    assert_eq!(last(&*store), image(open, done.clone(), &["status", "title"]));
    write(&*store, "two", work, TaskStatus::Done, false);
    let moved = properties(work, "done");
    assert_eq!(last(&*store), image(done, moved.clone(), &["category_id"]));
    write(&*store, "two", work, TaskStatus::Done, false);
    assert_eq!(last(&*store), image(moved.clone(), moved.clone(), &[]), "nothing differs");
    write(&*store, "two", work, TaskStatus::Done, true);
    assert_eq!(last(&*store), image(moved, None, &[]));
    write(&*store, "three", home, TaskStatus::Open, false);
    assert_eq!(last(&*store), image(None, properties(home, "open"), &[]), "it was not there");
}

/// What somebody wrote lies in the record alone.
pub fn an_image_never_holds_words(harness: &mut impl Harness) {
    let store = harness.open();
    for (title, deleted) in [("ferns", false), ("ferns again", false), ("ferns", true)] {
        write(&*store, title, "category_home", TaskStatus::Open, deleted);
    }
    let changes = read(store.changes(Domain::Journal, Position(0), 10));
    assert_eq!(changes.len(), 3);
    let told = format!("{changes:?}");
    assert!(told.contains("category_home") && !told.contains("ferns"), "{told}");
}

/// As many images as records that can wake somebody, whatever else the commit holds.
pub fn a_commit_has_an_image_of_all_that_can_wake_somebody(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("a"), put_task("b")]));
    apply(&*store, agent(put_agent("a")));
    let touched = |domain: Domain| -> BTreeSet<(String, String)> {
        let images = read(store.changes(domain, Position(0), 1)).remove(0).images;
        images.into_iter().map(|image| (image.id.to_string(), image.kind)).collect()
    };
    let tasks = ["task_a", "task_b"].map(|name| (name.to_owned(), "TASK".to_owned()));
    assert_eq!(touched(Domain::Journal), tasks.into());
    let names: Vec<String> = touched(Domain::Agent).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["agent_a"], "a link is no record, and an agent's state wakes nobody");
}

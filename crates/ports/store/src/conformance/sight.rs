//! What a turn looks at.

use types::{
    At, Entry, EntryKind, RecordDraft, RecordId, Relation, TimeEntry, Write,
    limits::ROWS_PER_READ_MAX,
};

use super::Harness;
use super::given::{NOON, apply, id, journal, later, put_link, put_task, read};
use crate::Reach;

/// By kind, then those from it before those to it, then newest first; others do not belong to it.
pub fn relations_of_a_task_come_by_kind_end_and_age(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(["a", "b", "c", "d", "e"].map(put_task).into()));
    let links = [
        put_link("link_1", "task_b", "task_a", Relation::ParentOf),
        put_link("link_2", "task_a", "task_c", Relation::Blocks),
        put_link("link_3", "task_d", "task_a", Relation::Blocks),
        put_link("link_4", "task_a", "task_e", Relation::Blocks),
        put_link("link_5", "task_a", "task_b", Relation::from("dreams_of".to_owned())),
        put_link("link_6", "task_b", "task_c", Relation::Blocks),
    ];
    for (millis, link) in (1..).zip(links) {
        apply(&*store, later(journal(vec![link]), millis));
    }
    let around = read(store.surroundings(id("task_a"), Reach { items: 5, entries: 5 }));
    let links: Vec<&str> = around.links.iter().map(|link| link.id.as_str()).collect();
    assert_eq!(links, ["link_4", "link_2", "link_3", "link_1"]);
}

fn entry(number: usize) -> Write {
    let body = Entry {
        kind: EntryKind::Text,
        text: "x".to_owned(),
        media: None,
        category_id: id("category_home"),
        task_id: Some(id("task_a")),
        at: NOON,
        day: id("2026-11-15"),
    };
    Write::Record(RecordDraft::live(id::<RecordId>(&format!("entry_{number}")), body))
}

fn minute(number: usize) -> Write {
    let body = TimeEntry {
        task_id: id("task_a"),
        started_at: NOON,
        ended_at: Some(At::from_millis(NOON.millis() + 60_000)),
        day: id("2026-11-15"),
        description: String::new(),
        source_entry_id: None,
    };
    Write::Record(RecordDraft::live(id::<RecordId>(&format!("time_{number}")), body))
}

/// However many: what a turn does not look at is told, or it would take what it sees for all.
pub fn entries_and_times_that_are_not_read_are_counted(harness: &mut impl Harness) {
    let store = harness.open();
    let all = ROWS_PER_READ_MAX + 3;
    apply(&*store, journal(vec![put_task("a")]));
    apply(&*store, journal((0..all).map(entry).collect()));
    apply(&*store, journal((0..all).map(minute).collect()));
    let around = read(store.surroundings(id("task_a"), Reach { items: 5, entries: 5 }));
    assert_eq!((around.entries.len(), around.entries_left_out), (5, all - 5));
    assert_eq!((around.times.len(), around.times_left_out), (ROWS_PER_READ_MAX, 3));
    let around = read(store.surroundings(id("task_a"), Reach { items: 5, entries: all }));
    assert_eq!((around.entries.len(), around.entries_left_out), (ROWS_PER_READ_MAX, 3));
}

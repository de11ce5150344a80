//! Reading everything once, and writing what was made elsewhere.

use types::{Domain, LinkDraft, RecordDraft, RecordId, Relation, TaskStatus, Write};

use super::Harness;
use super::given::{NOON, apply, id, journal, later, put_link, put_task, read, task};
use crate::Store;

fn scanned(store: &dyn Store, after: u64, limit: usize) -> Vec<(u64, String)> {
    let found = read(store.scan(Domain::Journal, after, limit));
    found.into_iter().map(|(number, record)| (number, record.id.to_string())).collect()
}

/// In the order of their first writing, removed ones too, however often they were written since.
pub fn a_scan_meets_every_record_once(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("b"), put_task("a")]));
    apply(&*store, journal(vec![put_task("c"), put_task("b")]));
    let gone =
        RecordDraft::gone(id::<RecordId>("task_a"), task("a", "category_home", TaskStatus::Open));
    apply(&*store, journal(vec![Write::Record(gone)]));
    let first = scanned(&*store, 0, 2);
    let rest = scanned(&*store, first[1].0, 2);
    let names: Vec<&str> = first.iter().chain(&rest).map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["task_b", "task_a", "task_c"]);
    assert!(scanned(&*store, rest[0].0, 2).is_empty());
}

/// The same of links.
pub fn a_scan_meets_every_link_once(harness: &mut impl Harness) {
    let store = harness.open();
    let put = |to: &str, deleted: bool| match put_link(
        &format!("link_{to}"),
        "task_a",
        to,
        Relation::Blocks,
    ) {
        Write::Link(link) => Write::Link(LinkDraft { deleted, ..link }),
        other => other,
    };
    apply(&*store, journal(vec![put("task_b", false), put("task_c", false)]));
    apply(&*store, journal(vec![put("task_d", false), put("task_b", true)]));
    let first = read(store.scan_links(Domain::Journal, 0, 2));
    let rest = read(store.scan_links(Domain::Journal, first[1].0, 2));
    let met: Vec<(String, bool)> = first
        .iter()
        .chain(&rest)
        .map(|(_, link)| (link.to.to_string(), link.deleted_at.is_some()))
        .collect();
    let (b, c, d) = ("task_b".to_owned(), "task_c".to_owned(), "task_d".to_owned());
    assert_eq!(met, [(b, true), (c, false), (d, false)]);
}

/// Whatever was known of it here.
pub fn a_record_from_elsewhere_has_the_birth_that_it_had_there(harness: &mut impl Harness) {
    let store = harness.open();
    let body = || task("a", "category_home", TaskStatus::Open);
    let from = |millis: i64| {
        let created_at = Some(NOON.plus_millis(millis));
        Write::Record(RecordDraft {
            created_at,
            ..RecordDraft::live(id::<RecordId>("task_a"), body())
        })
    };
    let born = || {
        let record = read(store.record(Domain::Journal, id("task_a"))).expect("there");
        record.created_at.millis() - NOON.millis()
    };
    apply(&*store, journal(vec![from(-500)]));
    assert_eq!(born(), -500);
    apply(&*store, later(journal(vec![from(-700)]), 5));
    assert_eq!(born(), -700);
    apply(&*store, later(journal(vec![put_task("a")]), 9));
    assert_eq!(born(), -700);
}

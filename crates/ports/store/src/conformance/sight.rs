//! What a turn looks at.

use types::Relation;

use super::Harness;
use super::given::{apply, id, journal, later, put_link, put_task, read};
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

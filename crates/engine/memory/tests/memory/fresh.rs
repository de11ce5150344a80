//! How far a report can be relied on.

use rules::freshness::{Reason, age_max_ms};
use serde_json::json;
use store::wait;
use types::{Author, Epoch, RecordDraft, RecordId, ReportScope, Task, Write, limits};

use crate::house::{House, agent, id, run};

fn reasons(house: &House) -> (Vec<Reason>, usize, bool) {
    let view = wait(house.memory.report(&agent(), ReportScope::Current)).unwrap().unwrap();
    (view.freshness.reasons, view.freshness.newer_changes, view.freshness.more)
}

#[test]
fn a_report_is_stale_when_something_it_is_about_was_changed_after_it_looked() {
    let house = House::new();
    house.reports("r", "dry");
    assert_eq!(reasons(&house), (vec![], 0, false));
    house.put_task("taxes", "work", "another agent's affair");
    assert_eq!(reasons(&house), (vec![], 0, false));
    house.put_task("ferns", "home", "water the ferns again");
    assert_eq!(reasons(&house), (vec![Reason::NewerChanges], 1, false));
    house.put_task("ferns", "home", "and again");
    assert_eq!(reasons(&house), (vec![Reason::NewerChanges], 2, false));
    house.reports("next", "wet");
    assert_eq!(reasons(&house), (vec![], 0, false), "the next one knows");
}

#[test]
fn what_changed_while_it_was_written_makes_it_stale_from_its_first_moment() {
    let house = House::new();
    let arguments = json!({ "content": "dry", "claims": [] });
    let call = house.call("r", "update_report", arguments);
    house.put_task("ferns", "home", "changed meanwhile");
    assert!(house.execute(call).result.is_ok());
    assert_eq!(reasons(&house), (vec![Reason::NewerChanges], 1, false));
}

#[test]
fn what_the_agent_did_itself_makes_nothing_stale_however_much_it_was() {
    let house = House::new();
    house.reports("r", "dry");
    let epoch: Epoch = house.store.epoch();
    for n in 0..=limits::NEWER_CHANGES_MAX {
        let task = Task::new(format!("title {n}"), id("category_home"));
        let write = Write::Record(RecordDraft::live(id::<RecordId>("task_ferns"), task));
        let author = Author::Agent { agent: agent(), run: run("r"), epoch };
        house.commit(types::Domain::Journal, author, vec![write]);
    }
    assert_eq!(reasons(&house), (vec![], 0, false));
    house.put_task("ferns", "home", "by the operator");
    assert_eq!(reasons(&house), (vec![Reason::NewerChanges], 1, false));
    for n in 0..=limits::NEWER_CHANGES_MAX {
        house.put_task("ferns", "home", &format!("again {n}"));
    }
    assert_eq!(reasons(&house).1, limits::NEWER_CHANGES_MAX, "counted up to a bound");
}

#[test]
fn a_report_grows_old_without_anybody_doing_anything() {
    let house = House::new();
    house.reports("r", "dry");
    house.world.advance_ms(age_max_ms(ReportScope::Current));
    assert_eq!(reasons(&house).0, []);
    house.world.advance_ms(1);
    assert_eq!(reasons(&house).0, [Reason::TooOld]);
}

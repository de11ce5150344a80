//! Open waits, by whom, for what and until when.

use types::{Record, RecordDraft, RecordId, Wait, WaitFor, WaitState, Write};

use super::Harness;
use super::given::{NOON, agent, agent_id, apply, id, key, later, read};
use crate::Store;

/// An open wait until so many milliseconds from now.
pub(super) fn wait_for(name: &str, waiting_for: WaitFor, millis: i64) -> Wait {
    Wait {
        agent_id: agent_id(name),
        waiting_for,
        description: "the case waits".to_owned(),
        run_key: key(1),
        deadline: NOON.plus_millis(millis),
        state: WaitState::Open,
    }
}

pub(super) fn put_wait(name: &str, wait: &Wait) -> Write {
    let record: types::RecordId = id(&format!("wait_{name}"));
    Write::Record(RecordDraft::live(record, wait.clone()))
}

fn job(name: &str) -> WaitFor {
    WaitFor::Job { job: name.to_owned() }
}

fn ids(records: &[Record]) -> Vec<&str> {
    records.iter().map(|record| record.id.as_str()).collect()
}

/// Where a wait is found: by agent, by source, by deadline.
fn found(store: &dyn Store, name: &str, source: &WaitFor, millis: i64) -> [bool; 3] {
    let waits = [
        read(store.open_waits(agent_id(name), 10)),
        read(store.waits_on(source.source(), 10)),
        read(store.due_waits(NOON.plus_millis(millis), 10)),
    ];
    waits.map(|waits| ids(&waits).contains(&"wait_w"))
}

/// And under nothing else.
pub fn an_open_wait_is_found_by_agent_source_and_deadline(harness: &mut impl Harness) {
    let store = harness.open();
    let sources = [
        job("one"),
        WaitFor::Timer { schedule: "one".to_owned() },
        WaitFor::External { trigger: "one".to_owned() },
        WaitFor::Operator,
        WaitFor::Approval { approval: "one".to_owned() },
    ];
    for source in &sources {
        apply(&*store, agent(vec![put_wait("w", &wait_for("a", source.clone(), 10))]));
        assert_eq!(found(&*store, "a", source, 10), [true; 3], "{source:?}");
        assert_eq!(found(&*store, "b", &job("other"), 9), [false; 3], "{source:?}");
        let others = sources.iter().filter(|other| *other != source);
        for other in others {
            assert!(read(store.waits_on(other.source(), 10)).is_empty(), "{other:?}");
        }
    }
    let record = read(store.open_waits(agent_id("a"), 10)).remove(0);
    assert_eq!(record.revision, 5);
    assert_eq!(record.body, wait_for("a", sources[4].clone(), 10).into());
}

/// However it ends; its record stays.
pub fn a_wait_that_is_over_is_found_no_more(harness: &mut impl Harness) {
    let store = harness.open();
    let open = wait_for("a", job("one"), 10);
    let broken = WaitState::Broken { why: "the job is gone".to_owned() };
    for state in [WaitState::Met, WaitState::Expired, broken] {
        apply(&*store, agent(vec![put_wait("w", &open)]));
        assert_eq!(found(&*store, "a", &job("one"), 10), [true; 3], "{state:?}");
        let over = Wait { state, ..open.clone() };
        apply(&*store, agent(vec![put_wait("w", &over)]));
        assert_eq!(found(&*store, "a", &job("one"), 10), [false; 3], "{over:?}");
        let kept = read(store.record(types::Domain::Agent, id("wait_w"))).expect("kept");
        assert_eq!(kept.body, over.into());
    }
    apply(&*store, agent(vec![put_wait("w", &open)]));
    let gone = RecordDraft::gone(id::<RecordId>("wait_w"), open);
    apply(&*store, agent(vec![Write::Record(gone)]));
    assert_eq!(found(&*store, "a", &job("one"), 10), [false; 3], "a tombstone waits");
}

/// A deadline that is put off is not due at its old time.
pub fn a_changed_wait_is_found_under_what_it_is(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![put_wait("w", &wait_for("a", job("one"), 10))]));
    apply(&*store, agent(vec![put_wait("w", &wait_for("b", job("two"), 20))]));
    assert_eq!(found(&*store, "a", &job("one"), 19), [false; 3]);
    assert_eq!(found(&*store, "b", &job("two"), 20), [true; 3]);
    assert_eq!(read(store.outlook(NOON, 9)).next, Some(NOON.plus_millis(20)));
}

/// What is due goes by its deadline, all else by age.
pub fn waits_come_in_order_and_in_pages(harness: &mut impl Harness) {
    let store = harness.open();
    for (n, (name, millis)) in [("x", 30), ("y", 10), ("z", 20)].into_iter().enumerate() {
        let wait = wait_for("a", job("one"), millis);
        let n = i64::try_from(n).expect("small");
        apply(&*store, later(agent(vec![put_wait(name, &wait)]), n));
    }
    let now = NOON.plus_millis(100);
    assert_eq!(ids(&read(store.due_waits(now, 10))), ["wait_y", "wait_z", "wait_x"]);
    assert_eq!(ids(&read(store.due_waits(now, 1))), ["wait_y"]);
    assert_eq!(ids(&read(store.open_waits(agent_id("a"), 10))), ["wait_x", "wait_y", "wait_z"]);
    assert_eq!(ids(&read(store.open_waits(agent_id("a"), 2))), ["wait_x", "wait_y"]);
    let on = read(store.waits_on(job("one").source(), 10));
    assert_eq!(ids(&on), ["wait_x", "wait_y", "wait_z"]);
    assert_eq!(ids(&read(store.waits_on(job("one").source(), 1))), ["wait_x"]);
}

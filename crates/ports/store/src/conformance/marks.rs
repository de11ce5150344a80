//! How records are found besides by their ids: by marks, by owners, by ends of ids.

use types::{
    ArmMove, Arming, BodyType, Conflict, Domain, Guard, LinkDraft, Outcome, RecordDraft, RecordId,
    Relation, Task, TaskStatus, Write,
};

use super::Harness;
use super::given::{agent, apply, id, journal, put_agent, put_task, read, task};
use crate::{Marked, Store};

fn put(name: &str, task: Task) -> Write {
    Write::Record(RecordDraft::live(id::<RecordId>(&format!("task_{name}")), task))
}

fn due(day: &str) -> Task {
    Task { due: Some(id(day)), ..task("t", "category_home", TaskStatus::Open) }
}

fn found(store: &dyn Store, search: Marked) -> Vec<String> {
    let records = read(store.marked(Domain::Journal, search));
    records.into_iter().map(|record| record.id.to_string()).collect()
}

fn open(limit: usize) -> Marked {
    Marked::with(BodyType::Task, "open", limit)
}

/// Marks follow the record through changes, removal and return.
pub fn a_live_record_is_found_by_its_marks_and_only_by_those(harness: &mut dyn Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("a"), put_task("b"), put_task("c")]));
    let closed = task("a", "category_home", TaskStatus::Done);
    let gone =
        RecordDraft::gone(id::<RecordId>("task_b"), task("b", "category_home", TaskStatus::Open));
    apply(&*store, journal(vec![put("a", closed.clone()), Write::Record(gone)]));
    assert_eq!(found(&*store, open(10)), ["task_c"]);
    assert_eq!(found(&*store, Marked::with(BodyType::Checklist, "open", 10)), Vec::<String>::new());
    // Opened again, and back from its tombstone.
    let opened = Task { status: TaskStatus::Open, ..closed };
    apply(&*store, journal(vec![put("a", opened), put_task("b")]));
    drop(store);
    let store = harness.open();
    assert_eq!(found(&*store, open(10)), ["task_a", "task_b", "task_c"]);
    let moved = task("c", "category_work", TaskStatus::Open);
    apply(&*store, journal(vec![put("c", moved)]));
    let at_home = Marked::with(BodyType::Task, "open=category_home", 10);
    assert_eq!(found(&*store, at_home), ["task_a", "task_b"]);
}

/// A range of marks reads forwards, backwards and in pages.
pub fn marks_are_read_in_order_both_ways_and_in_pages(harness: &mut dyn Harness) {
    let store = harness.open();
    let days = [("a", "2026-11-17"), ("b", "2026-11-15"), ("c", "2026-11-16"), ("d", "2026-11-16")];
    apply(&*store, journal(days.iter().map(|(name, day)| put(name, due(day))).collect()));
    let range = Marked {
        from: "due=".to_owned(),
        to: "due=2026-11-16".to_owned(),
        ..Marked::with(BodyType::Task, "", 10)
    };
    assert_eq!(found(&*store, range.clone()), ["task_b", "task_c", "task_d"]);
    let first = Marked { limit: 2, ..range.clone() };
    assert_eq!(found(&*store, first), ["task_b", "task_c"]);
    let after = Some(("due=2026-11-16".to_owned(), id("task_c")));
    assert_eq!(found(&*store, Marked { after, ..range.clone() }), ["task_d"]);
    let backwards = Marked { backwards: true, limit: 1, ..range.clone() };
    assert_eq!(found(&*store, backwards.clone()), ["task_d"]);
    let after = Some(("due=2026-11-16".to_owned(), id("task_d")));
    let rest = Marked { after, limit: 10, ..backwards };
    assert_eq!(found(&*store, rest), ["task_c", "task_b"]);
}

/// A name is given once, whoever asks at the same time.
pub fn of_two_that_would_bear_a_mark_alone_one_does(harness: &mut dyn Harness) {
    let store = harness.open();
    let alone =
        || Guard::Unmarked { kind: BodyType::Task, mark: "open=category_garden".to_owned() };
    let sown = |name: &str| {
        let task = task(name, "category_garden", TaskStatus::Open);
        journal(vec![put(name, task)]).guarded(alone())
    };
    // Both are on their way before either is heard of.
    let (one, other) = (store.commit(sown("a")), store.commit(sown("b")));
    let outcomes = [read(one), read(other)];
    let refused: Vec<&Conflict> = outcomes
        .iter()
        .filter_map(|outcome| match outcome {
            Outcome::Conflict(conflict) => Some(conflict),
            _ => None,
        })
        .collect();
    assert!(matches!(refused[..], [Conflict::Marked { .. }]), "{outcomes:?}");
    assert_eq!(found(&*store, open(10)).len(), 1);
}

/// One read for the children of many.
pub fn records_of_several_owners_come_in_one_read(harness: &mut dyn Harness) {
    let store = harness.open();
    let at = |name: &str, category: &str| put(name, task(name, category, TaskStatus::Open));
    apply(&*store, journal(vec![at("a", "category_a"), at("b", "category_b")]));
    apply(&*store, journal(vec![at("c", "category_a"), at("d", "category_c")]));
    let owners = vec![id("category_a"), id("category_b"), id("category_nobody")];
    let of = |limit| read(store.records_of(Domain::Journal, owners.clone(), BodyType::Task, limit));
    let ids: Vec<String> = of(10).into_iter().map(|record| record.id.to_string()).collect();
    assert_eq!(ids, ["task_a", "task_b", "task_c"]);
    assert_eq!(of(2).len(), 2);
}

/// A schedule's clock, which stands still.
fn put_clock(name: &str) -> Write {
    let (schedule, agent) = (id(&format!("schedule_{name}")), id("agent_1newt"));
    let to = Arming { schedule, agent, last_slot: None, next_at: None, local_zone: None };
    Write::Arm(ArmMove { from: None, to })
}

/// People name a record by the end of its id.
pub fn an_id_is_found_by_its_end(harness: &mut dyn Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("1fern"), put_task("2fern"), put_task("3moss")]));
    let named = |domain, start: &str, end: &str| {
        let found = store.ids_ending(domain, start.to_owned(), end.to_owned(), 5);
        read(found).into_iter().map(|id| id.to_string()).collect::<Vec<_>>()
    };
    let ending = |start: &str, end: &str| named(Domain::Journal, start, end);
    assert_eq!(ending("task_", "fern"), ["task_1fern", "task_2fern"]);
    assert_eq!(ending("task_", "3moss"), ["task_3moss"]);
    assert!(ending("category_", "fern").is_empty() && ending("task_", "2ivy").is_empty());
    assert!(ending("task_", "%").is_empty(), "the end is a text, not a pattern");
    apply(&*store, agent(["1newt", "2newt", "3toad"].map(put_agent).concat()));
    let agents = |end: &str| named(Domain::Agent, "agent_", end);
    assert_eq!(agents("newt"), ["agent_1newt", "agent_2newt"]);
    assert_eq!(agents("3toad"), ["agent_3toad"]);
    assert!(agents("2eft").is_empty());
    apply(&*store, agent(["1newt", "2newt"].map(put_clock).to_vec()));
    let schedules = |end: &str| named(Domain::Agent, "schedule_", end);
    assert_eq!(schedules("newt"), ["schedule_1newt", "schedule_2newt"]);
    assert!(schedules("toad").is_empty() && agents("newt").len() == 2);
}

/// What lies under a record and what is linked with it.
pub fn what_rests_on_a_record_is_found_from_every_side(harness: &mut dyn Harness) {
    let store = harness.open();
    let link = |from: &str, to: &str, deleted| {
        Write::Link(LinkDraft {
            id: id(&format!("link_{from}_{to}")),
            from: id(from),
            to: id(to),
            relation: Relation::Blocks,
            hidden: false,
            body: serde_json::Map::new(),
            deleted,
        })
    };
    apply(&*store, journal(vec![put_task("a"), put_task("b"), put_task("c")]));
    apply(&*store, journal(vec![link("task_a", "task_b", false), link("task_c", "task_a", false)]));
    let on = |text: &str| {
        let found = read(store.dependents(Domain::Journal, id(text), 10));
        found.into_iter().map(|id| id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(on("category_home"), ["task_a", "task_b", "task_c"]);
    assert_eq!(on("task_a"), ["task_b", "task_c"]);
    apply(&*store, journal(vec![link("task_a", "task_b", true)]));
    assert_eq!(on("task_a"), ["task_c"]);
    apply(&*store, agent(put_agent("a")));
    assert_eq!(read(store.dependents(Domain::Agent, id("agent_a"), 10)).len(), 1);
}

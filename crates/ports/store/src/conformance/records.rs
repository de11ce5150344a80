//! Records, links and contents.

use types::{
    Body, BodyType, Category, ContentDraft, ContentRef, Counter, Digest, Domain, Label, Link,
    Message, MessageKind, Record, RecordDraft, RecordId, Relation, TaskStatus, ThreadId, Trust,
    Write, limits,
};

use super::Harness;
use super::atomicity::message_without_content;
use super::given::{
    NOON, agent, agent_id, apply, id, journal, later, put_agent, put_link, put_task, read, refusal,
    task,
};
use crate::{Listing, Store, StoreError};

fn put(name: &str, status: TaskStatus) -> Write {
    let record: RecordId = id(&format!("task_{name}"));
    Write::Record(RecordDraft::live(record, task(name, "category_home", status)))
}

fn titles(store: &dyn Store, listing: Listing) -> Vec<String> {
    let title = |record: Record| match record.body {
        Body::Task(task) => task.title,
        other => panic!("expected a task, got {other:?}"),
    };
    read(store.records(Domain::Journal, listing)).into_iter().map(title).collect()
}

/// By agent or category, by kind, by finer kind; newest first each time.
pub fn records_list_newest_first_by_owner_kind_and_subtype(harness: &mut impl Harness) {
    let store = harness.open();
    for (n, (name, status)) in
        [("a", TaskStatus::Open), ("b", TaskStatus::Done), ("c", TaskStatus::Open)]
            .into_iter()
            .enumerate()
    {
        let millis = i64::try_from(n).expect("small");
        apply(&*store, later(journal(vec![put(name, status)]), millis));
    }
    let all = Listing::of("category_home", BodyType::Task, 10);
    assert_eq!(titles(&*store, all.clone()), ["c", "b", "a"]);
    let open = Listing { subtype: Some("open".to_owned()), ..all.clone() };
    assert_eq!(titles(&*store, open.clone()), ["c", "a"]);
    assert_eq!(titles(&*store, Listing { limit: 1, ..all.clone() }), ["c"]);
    // One that changed meanwhile stands where it stood: nobody is passed over, and nobody comes twice.
    apply(&*store, later(journal(vec![put("c", TaskStatus::Done)]), 9));
    let behind = |after: &str, listing: &Listing| {
        titles(&*store, Listing { after: Some(id(after)), ..listing.clone() })
    };
    assert_eq!(behind("task_c", &all), ["b", "a"]);
    assert_eq!(behind("task_b", &Listing { with_deleted: true, ..all.clone() }), ["a"]);
    assert_eq!(behind("task_c", &open), ["a"]);
    assert!(behind("task_a", &all).is_empty());
    assert!(titles(&*store, Listing::of("category_work", BodyType::Task, 10)).is_empty());
}

/// The revision counts writes; the time of birth stays.
pub fn a_written_record_counts_revisions_and_keeps_its_birth(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("a")]));
    apply(&*store, later(journal(vec![put("a", TaskStatus::Done)]), 5));
    let record = read(store.record(Domain::Journal, id("task_a"))).expect("there");
    assert_eq!((record.revision, record.schema_version), (2, 1));
    assert_eq!((record.created_at, record.updated_at), (NOON, NOON.plus_millis(5)));
}

/// What is never written again has one time.
pub fn a_new_record_was_last_written_when_it_was_made(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("a")]));
    let record = read(store.record(Domain::Journal, id("task_a"))).expect("there");
    assert_eq!(record.updated_at, record.created_at);
}

/// From creation on, and growing with every write.
pub fn every_record_and_link_has_a_vector_clock(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(put_agent("a")));
    apply(&*store, agent(put_agent("b")));
    apply(&*store, agent(put_agent("a")));
    let seen = |name: &str| {
        let record = read(store.record(Domain::Agent, id(name))).expect("there");
        record.clock.get(store.host())
    };
    assert_eq!((seen("agent_a"), seen("agent_b")), (Counter(3), Counter(2)));
    let link: Link = read(store.links_from(Domain::Agent, id("agent_a"), Relation::AgentState))
        .pop()
        .expect("there");
    assert_eq!(link.clock.get(store.host()), Counter(3));
}

/// Tombstones too; what never was is left out.
pub fn records_are_found_by_id_if_they_exist(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("a"), put_task("b"), put_task("c")]));
    let body = task("b", "category_home", TaskStatus::Open);
    let gone = RecordDraft::gone(id::<RecordId>("task_b"), body);
    apply(&*store, journal(vec![Write::Record(gone)]));
    let wanted = ["task_c", "task_never", "task_b"].map(id).to_vec();
    let mut found = read(store.records_by_id(Domain::Journal, wanted));
    found.sort_by(|a, b| a.id.cmp(&b.id));
    let one = |name: &str| read(store.record(Domain::Journal, id(name))).expect("there");
    assert_eq!(found, [one("task_b"), one("task_c")]);
    assert!(read(store.records_by_id(Domain::Journal, vec![])).is_empty());
    assert!(read(store.records_by_id(Domain::Agent, vec![id("task_a")])).is_empty());
}

/// Other hosts have to learn of it, so it stays; listings leave it out.
pub fn a_deleted_record_leaves_a_tombstone(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("a")]));
    let body = task("a", "category_home", TaskStatus::Open);
    let gone = RecordDraft::gone(id::<RecordId>("task_a"), body);
    apply(&*store, later(journal(vec![Write::Record(gone)]), 5));
    let record = read(store.record(Domain::Journal, id("task_a"))).expect("the tombstone");
    assert_eq!(record.deleted_at, Some(NOON.plus_millis(5)));
    assert_eq!(record.clock.get(store.host()), Counter(2), "a removal is a write like any other");
    let all = Listing::of("category_home", BodyType::Task, 10);
    assert!(titles(&*store, all.clone()).is_empty());
    assert_eq!(titles(&*store, Listing { with_deleted: true, ..all }), ["a"]);
}

/// The same pair and relation again is the same link.
pub fn a_pair_is_linked_once_per_relation(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(put_agent("a")));
    let again = put_link("link_other", "agent_a", "state_a", Relation::AgentState);
    apply(&*store, agent(vec![again]));
    let links = read(store.links_from(Domain::Agent, id("agent_a"), Relation::AgentState));
    assert_eq!(links.len(), 1);
    assert_eq!(links[0].id, id("link_a"), "the first id stays");
    let Write::Link(link) = put_link("link_a", "agent_a", "state_a", Relation::AgentState) else {
        unreachable!("put_link makes links")
    };
    apply(&*store, agent(vec![Write::Link(types::LinkDraft { deleted: true, ..link })]));
    assert!(read(store.links_from(Domain::Agent, id("agent_a"), Relation::AgentState)).is_empty());
}

/// An agent's task, and a task's agent.
pub fn links_are_found_from_both_ends(harness: &mut impl Harness) {
    let store = harness.open();
    for (n, name) in ["a", "b"].into_iter().enumerate() {
        let (link, agent_name) = (format!("link_t{name}"), format!("agent_{name}"));
        let write = put_link(&link, &agent_name, "task_t", Relation::AgentTask);
        apply(&*store, later(agent(vec![write]), i64::try_from(n).expect("small")));
    }
    let to = read(store.links_to(Domain::Agent, id("task_t"), Relation::AgentTask));
    let from: Vec<&str> = to.iter().map(|link| link.from.as_str()).collect();
    assert_eq!(from, ["agent_b", "agent_a"], "newest first");
    assert!(read(store.links_to(Domain::Agent, id("task_t"), Relation::AgentHead)).is_empty());
    let one = read(store.links_from(Domain::Agent, id("agent_a"), Relation::AgentTask));
    assert_eq!(one.len(), 1);
}

/// A newer version's relation survives this one.
pub fn an_unknown_relation_is_kept(harness: &mut impl Harness) {
    let store = harness.open();
    let dreams_of = Relation::Basic("dreams_of".to_owned());
    let link = put_link("link_d", "agent_a", "task_t", dreams_of.clone());
    apply(&*store, agent(vec![link]));
    let found = read(store.links_from(Domain::Agent, id("agent_a"), dreams_of.clone()));
    assert_eq!(found[0].relation, dreams_of);
}

/// A message points to words that exist.
pub fn a_message_needs_its_content(harness: &mut impl Harness) {
    let store = harness.open();
    let lost = refusal(&*store, agent(vec![message_without_content()]));
    assert!(matches!(lost, StoreError::Invalid(invalid) if invalid.field == "content"));
}

fn say(words: &str, number: i64) -> types::Commit {
    let subject: RecordId = agent_id("a").into();
    let bytes = words.as_bytes().to_vec().into();
    let content = ContentDraft { subject, label: Label::operator(), bytes };
    let thread = ThreadId::from_stored("agent_a:session:s".to_owned());
    let message = Message::of(agent_id("a"), thread, MessageKind::User, content.at());
    let record: RecordId = id(&format!("message_{number}"));
    let writes = vec![Write::Content(content), Write::Record(RecordDraft::live(record, message))];
    later(agent(writes), number)
}

/// The newest messages of one thread, as many as asked for.
pub fn a_thread_reads_newest_first_up_to_a_limit(harness: &mut impl Harness) {
    let store = harness.open();
    for (number, words) in [(1, "one"), (2, "two"), (3, "three")] {
        apply(&*store, say(words, number));
    }
    let thread = Listing {
        subtype: Some("agent_a:session:s".to_owned()),
        ..Listing::of("agent_a", BodyType::AgentMessage, 2)
    };
    let ids: Vec<String> = read(store.records(Domain::Agent, thread))
        .into_iter()
        .map(|record| record.id.to_string())
        .collect();
    assert_eq!(ids, ["message_3", "message_2"]);
}

/// A clock that is set back does not move what was said before what it answers.
pub fn a_thread_keeps_its_order_when_the_clock_goes_back(harness: &mut impl Harness) {
    let store = harness.open();
    for (millis, words) in [(3, "one"), (1, "two"), (2, "three")] {
        apply(&*store, say(words, millis));
    }
    let thread = |limit| Listing {
        subtype: Some("agent_a:session:s".to_owned()),
        ..Listing::of("agent_a", BodyType::AgentMessage, limit)
    };
    let ids = |limit| -> Vec<String> {
        let records = read(store.records(Domain::Agent, thread(limit)));
        records.into_iter().map(|record| record.id.to_string()).collect()
    };
    assert_eq!(ids(9), ["message_2", "message_1", "message_3"]);
    assert_eq!(ids(1), ["message_2"], "the newest is the one that was written last");
}

/// One row per subject and hash, with the label it came with.
pub fn the_same_content_is_kept_once_with_its_label(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, say("one", 1));
    apply(&*store, say("one", 2));
    let at = ContentRef { subject: agent_id("a").into(), hash: Digest::of(b"one") };
    let content = read(store.content(Domain::Agent, at.clone())).expect("kept");
    assert_eq!(
        (content.bytes.as_slice(), content.label.trust),
        (b"one".as_slice(), Trust::Operator)
    );
    let elsewhere = ContentRef { subject: id("task_t"), ..at };
    assert!(
        read(store.content(Domain::Agent, elsewhere)).is_none(),
        "content belongs to a subject"
    );
}

/// No read grows with history.
pub fn a_read_returns_a_page(harness: &mut impl Harness) {
    let store = harness.open();
    let many = limits::ROWS_PER_READ_MAX + 5;
    let tasks: Vec<Write> = (0..many).map(|n| put_task(&format!("n{n}"))).collect();
    apply(&*store, journal(tasks));
    let all = Listing::of("category_home", BodyType::Task, usize::MAX);
    assert_eq!(titles(&*store, all).len(), limits::ROWS_PER_READ_MAX);
}

/// Some kinds are found by their runs and not by their owner. Asking for them all the same is a mistake, and not
/// the same as that there are none.
pub fn what_is_not_listed_by_owner_is_refused(harness: &mut impl Harness) {
    let store = harness.open();
    for kind in [BodyType::AgentTurn, BodyType::AgentEnvelope] {
        let listed = store.records(Domain::Agent, Listing::of("agent_a", kind, 10));
        let of_owners = store.records_of(Domain::Agent, vec![id("agent_a")], kind, 10);
        for answer in [listed, of_owners] {
            let refused = crate::wait(answer).expect_err("it is not listed");
            assert!(matches!(refused, StoreError::Invalid(invalid) if invalid.field == "kind"));
        }
    }
}

/// A task does not become a category.
pub fn a_record_never_changes_its_kind(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("a")]));
    let record: RecordId = id("task_a");
    let other = RecordDraft::live(record, Category::named("home"));
    let refused = refusal(&*store, journal(vec![Write::Record(other)]));
    assert!(matches!(refused, StoreError::Invalid(invalid) if invalid.field == "id"));
}

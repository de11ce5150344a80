//! All of a commit, or nothing.

use types::{BodyType, Domain, Relation, Write};

use super::Harness;
use super::given::{agent, apply, id, journal, put_agent, put_task, read, refusal};
use crate::{Listing, StoreError};

/// Identity, state and link of a new agent come together.
pub fn a_commit_is_there_whole(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(put_agent("a")));
    assert!(read(store.record(Domain::Agent, id("agent_a"))).is_some());
    assert!(read(store.record(Domain::Agent, id("state_a"))).is_some());
    let links = read(store.links_from(Domain::Agent, id("agent_a"), Relation::AgentState));
    assert_eq!(links.len(), 1);
}

/// A commit that fails at its last write leaves no row in any table.
pub fn a_failed_commit_leaves_nothing(harness: &mut impl Harness) {
    let store = harness.open();
    let head = read(store.head(Domain::Agent));
    let mut watch = store.watch(Domain::Agent);
    watch.mark_unchanged();
    let mut writes = put_agent("a");
    writes.push(message_without_content());
    assert!(matches!(refusal(&*store, agent(writes)), StoreError::Invalid(_)));
    assert!(read(store.record(Domain::Agent, id("agent_a"))).is_none());
    assert!(read(store.record(Domain::Agent, id("state_a"))).is_none());
    assert!(read(store.links_from(Domain::Agent, id("agent_a"), Relation::AgentState)).is_empty());
    assert_eq!(read(store.head(Domain::Agent)), head);
    assert!(
        !watch.has_changed().expect("the store is open"),
        "nobody is told of what is not there"
    );
    assert_eq!(*watch.borrow(), head);
    let next = apply(&*store, agent(put_agent("b"))).change.expect("synced").0;
    assert_eq!(next.0, head.0 + 1, "a failed commit left a gap");
}

/// The journal holds nothing of agents, and the other way round.
pub fn a_record_in_the_wrong_domain_is_refused(harness: &mut impl Harness) {
    let store = harness.open();
    let refused =
        [refusal(&*store, journal(put_agent("a"))), refusal(&*store, agent(vec![put_task("t")]))];
    assert!(refused.iter().all(|error| matches!(error, StoreError::Invalid(_))));
    assert!(read(store.record(Domain::Journal, id("agent_a"))).is_none());
    assert!(read(store.record(Domain::Agent, id("task_t"))).is_none());
}

/// Applied means on disk.
pub fn what_was_applied_is_there_after_reopening(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("t")]));
    let before = read(store.record(Domain::Journal, id("task_t")));
    assert!(before.is_some());
    drop(store);
    let store = harness.open();
    assert_eq!(read(store.record(Domain::Journal, id("task_t"))), before);
    let listed =
        read(store.records(Domain::Journal, Listing::of("category_home", BodyType::Task, 10)));
    assert_eq!(listed.len(), 1);
}

pub(super) fn message_without_content() -> Write {
    let agent = super::given::agent_id("a");
    let thread = types::ThreadId::from_stored("agent_a:session:s".to_owned());
    let content = types::ContentRef { subject: (&agent).into(), hash: types::Digest::ZERO };
    let message = types::Message::of(agent, thread, types::MessageKind::User, content);
    let record: types::RecordId = id("message_lost");
    Write::Record(types::RecordDraft::live(record, message))
}

//! Hints that wait for agents, and how agents sleep.

use types::{ContentRef, Digest, Hint, Rest, RestReason, WakeReason, Write};

use super::Harness;
use super::given::{NOON, agent, agent_id, apply, id, read};

/// The hint of one signal that says only "look".
fn hint(name: &str, trigger: &str, millis: i64) -> Hint {
    Hint {
        agent: agent_id(name),
        trigger: id(&format!("trigger_{trigger}")),
        at: NOON.plus_millis(millis),
        count: 1,
        source: None,
        content_type: None,
        payload: None,
        correlation_id: None,
        causation_id: None,
    }
}

fn payload(name: &str, byte: u8) -> Option<ContentRef> {
    Some(ContentRef { subject: agent_id(name).into(), hash: Digest::from_bytes([byte; 32]) })
}

fn seen(name: &str, trigger: &str, count: u64) -> Write {
    let trigger = id(&format!("trigger_{trigger}"));
    Write::SeenHint { agent: agent_id(name), trigger, count }
}

/// A burst is one look: the latest counts for all, and what one of them carried is not lost.
pub fn hints_of_a_trigger_become_one(harness: &mut impl Harness) {
    let store = harness.open();
    let loaded = Hint {
        source: Some("shop".to_owned()),
        content_type: Some("text/plain".to_owned()),
        payload: payload("a", 7),
        correlation_id: Some("order-1".to_owned()),
        causation_id: Some("click-1".to_owned()),
        ..hint("a", "t", 1)
    };
    apply(&*store, agent(vec![Write::Hint(loaded.clone())]));
    assert_eq!(read(store.hints(agent_id("a"))), std::slice::from_ref(&loaded));
    let bare = Hint { source: Some("till".to_owned()), ..hint("a", "t", 2) };
    apply(&*store, agent(vec![Write::Hint(bare), Write::Hint(hint("a", "t", 3))]));
    let one = read(store.hints(agent_id("a"))).remove(0);
    assert_eq!((one.count, one.at), (3, NOON.plus_millis(3)));
    assert_eq!(one.payload, payload("a", 7), "a bare hint took the payload away");
    assert_eq!(one.content_type, loaded.content_type, "a payload keeps its kind");
    let newer = Hint { payload: payload("a", 8), ..hint("a", "t", 4) };
    apply(&*store, agent(vec![Write::Hint(newer)]));
    let one = read(store.hints(agent_id("a"))).remove(0);
    assert_eq!((one.count, one.payload, one.content_type), (4, payload("a", 8), None));
}

/// By agent and by trigger, across a restart.
pub fn hints_of_others_stay_apart(harness: &mut impl Harness) {
    let store = harness.open();
    let hints = [hint("a", "t", 1), hint("a", "u", 2), hint("b", "v", 3)];
    apply(&*store, agent(hints.clone().map(Write::Hint).to_vec()));
    drop(store);
    let store = harness.open();
    assert_eq!(read(store.hints(agent_id("a"))), hints[..2]);
    assert_eq!(read(store.hints(agent_id("b"))), hints[2..]);
    assert!(read(store.hints(agent_id("c"))).is_empty());
}

/// What came while the agent looked waits for its next look.
pub fn a_seen_hint_goes_unless_more_have_come(harness: &mut impl Harness) {
    let store = harness.open();
    let hints = [hint("a", "t", 1), hint("a", "u", 1), hint("b", "t", 1)];
    apply(&*store, agent(hints.map(Write::Hint).to_vec()));
    apply(&*store, agent(vec![Write::Hint(hint("a", "t", 2))]));
    apply(&*store, agent(vec![seen("a", "t", 1), seen("a", "u", 1)]));
    let left = read(store.hints(agent_id("a")));
    assert_eq!(left.len(), 1);
    assert_eq!((left[0].trigger.as_str(), left[0].count), ("trigger_t", 2));
    assert_eq!(read(store.hints(agent_id("b"))).len(), 1, "another agent's hint went");
    apply(&*store, agent(vec![seen("a", "t", 2), seen("a", "never", 1)]));
    assert!(read(store.hints(agent_id("a"))).is_empty());
}

/// The last one counts, and only this agent's.
pub fn a_rest_comes_back_as_it_was(harness: &mut impl Harness) {
    let store = harness.open();
    assert_eq!(read(store.rest(agent_id("a"))), None);
    let reasons =
        [RestReason::NothingToDo, RestReason::Done, RestReason::Waiting, RestReason::Failed];
    for (why, reason) in reasons.into_iter().zip(WakeReason::ALL) {
        let rest = Rest {
            agent_id: agent_id("a"),
            last_wake_reason: reason,
            slept_at: NOON.plus_millis(9),
            looked_at: None,
            why,
            expects: (why == RestReason::Waiting).then(|| "operator".to_owned()),
            starts: vec![NOON, NOON.plus_millis(3)],
        };
        apply(&*store, agent(vec![Write::Rest(rest.clone())]));
        assert_eq!(read(store.rest(agent_id("a"))), Some(rest));
    }
    drop(store);
    let store = harness.open();
    let rest = read(store.rest(agent_id("a"))).expect("kept");
    assert_eq!(rest.why, RestReason::Failed);
    assert_eq!(read(store.rest(agent_id("b"))), None);
}

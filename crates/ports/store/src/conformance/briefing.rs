//! What whoever runs an agent is told before it begins.

use types::{
    Body, CursorMove, CursorName, Domain, Epoch, FenceMove, FenceScope, Gate, Hint, Position,
    Priority, Rest, RestReason, RunDraft, Token, WaitFor, WakeReason, Write,
};

use super::Harness;
use super::given::{
    NOON, agent, agent_id, apply, id, key, logged, put_agent, put_subscription, queue, read, start,
    word,
};
use super::waits::{put_wait, wait_for};
use crate::{Briefing, Store};

fn brief(store: &dyn Store, name: &str) -> Briefing {
    read(store.briefing(agent_id(name), NOON))
}

fn cursor(name: &str, log: Domain, to: u64) -> Write {
    let name = CursorName::of_agent(&agent_id(name));
    Write::Cursor(CursorMove { name, log, from: Position(0), to: Position(to) })
}

fn positions(briefing: &Briefing) -> Vec<u64> {
    briefing.own.changes.iter().map(|change| change.position.0).collect()
}

/// It says that there is nobody, and fails over nothing.
pub fn a_briefing_about_nobody_is_empty(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(put_agent("a")));
    let briefing = brief(&*store, "b");
    assert_eq!((&briefing.identity, &briefing.state), (&None, &None));
    assert_eq!((&briefing.run, &briefing.begun, &briefing.rest), (&None, &None, &None));
    assert_eq!(briefing.cursors, (Position(0), Position(0)));
    assert!(briefing.subscriptions.is_empty() && briefing.hints.is_empty());
    assert!(briefing.own.changes.is_empty());
    assert_eq!(briefing.own.head, Position(1));
    assert!(!briefing.fence.closed && !briefing.global_fence.closed);
}

/// Who it is, how it slept, what waits for it, and where it last looked.
pub fn a_briefing_holds_what_is_kept_of_one_agent(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(put_agent("a")));
    apply(&*store, agent(put_agent("b")));
    let rest = |name: &str| Rest {
        agent_id: agent_id(name),
        last_wake_reason: WakeReason::Timer,
        slept_at: NOON,
        looked_at: None,
        why: RestReason::Done,
        expects: None,
        starts: vec![NOON],
    };
    let hint = |name: &str| Hint {
        agent: agent_id(name),
        trigger: id("trigger_t"),
        at: NOON,
        count: 1,
        source: None,
        content_type: None,
        payload: None,
        correlation_id: None,
        causation_id: None,
    };
    let token = Token::semantic("TASK").expect("a good token");
    for name in ["a", "b"] {
        let kept = vec![Write::Rest(rest(name)), Write::Hint(hint(name))];
        apply(&*store, agent(kept));
        apply(&*store, agent(vec![put_subscription(name, std::slice::from_ref(&token), true)]));
    }
    let cursors = vec![cursor("a", Domain::Journal, 7), cursor("a", Domain::Agent, 2)];
    apply(&*store, agent(cursors));
    let briefing = brief(&*store, "a");
    assert_eq!(briefing.identity, read(store.record(Domain::Agent, id("agent_a"))));
    assert_eq!(briefing.state, read(store.record(Domain::Agent, id("state_a"))));
    assert!(briefing.identity.is_some() && briefing.state.is_some());
    assert_eq!(briefing.cursors, (Position(7), Position(2)));
    assert_eq!(briefing.rest, Some(rest("a")));
    assert_eq!(briefing.hints, [hint("a")]);
    assert_eq!(briefing.subscriptions.len(), 1);
    assert_eq!(briefing.subscriptions[0].agent_id, agent_id("a"));
    apply(&*store, agent(vec![put_subscription("a", &[token], false)]));
    assert!(brief(&*store, "a").subscriptions.is_empty(), "a paused subscription was told");
    assert_eq!(brief(&*store, "b").cursors, (Position(0), Position(0)));
}

/// The first in rank of those that may begin, and the one that has begun.
pub fn a_briefing_names_the_next_run_and_the_begun_one(harness: &mut impl Harness) {
    let store = harness.open();
    let urgent = RunDraft { priority: Priority::Interject, ..word(3, "a") };
    let other = RunDraft { priority: Priority::Interject, ..word(4, "b") };
    let drafts = [word(1, "a"), word(2, "a"), urgent, other];
    apply(&*store, agent(drafts.map(queue).to_vec()));
    assert_eq!(brief(&*store, "a").run, Some(logged(&*store, 3)));
    assert_eq!(brief(&*store, "a").begun, None);
    apply(&*store, agent(vec![start(3)]));
    let briefing = brief(&*store, "a");
    assert_eq!(briefing.run, Some(logged(&*store, 1)));
    assert_eq!(briefing.begun, Some(logged(&*store, 3)));
    let gate = Gate::Until(NOON.plus_millis(1));
    apply(&*store, agent(vec![Write::GateRun { run_key: key(1), gate }]));
    assert_eq!(brief(&*store, "a").run, Some(logged(&*store, 2)));
    assert_eq!(brief(&*store, "b").begun, None);
    assert_eq!(brief(&*store, "b").run, Some(logged(&*store, 4)));
}

/// By its tokens and by its waits, since it last looked; up to where, it says too.
pub fn a_briefing_tells_what_changed_among_agents(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(put_agent("a")));
    let token = Token::entity(&id("agent_b"));
    apply(&*store, agent(vec![put_subscription("a", &[token], true)]));
    for name in ["b", "c"] {
        apply(&*store, agent(put_agent(name)));
    }
    for name in ["a", "b"] {
        let wait = wait_for(name, WaitFor::Operator, 10);
        apply(&*store, agent(vec![put_wait(name, &wait)]));
    }
    let briefing = brief(&*store, "a");
    assert_eq!(positions(&briefing), [3, 5], "agent_b is watched, and the wait is its own");
    assert_eq!(briefing.own.head, Position(6));
    assert_eq!(positions(&brief(&*store, "b")), [6]);
    apply(&*store, agent(vec![cursor("a", Domain::Agent, 3)]));
    assert_eq!(positions(&brief(&*store, "a")), [5]);
    let ended =
        types::Wait { state: types::WaitState::Met, ..wait_for("a", WaitFor::Operator, 10) };
    apply(&*store, agent(vec![put_wait("a", &ended)]));
    let briefing = brief(&*store, "a");
    assert_eq!(positions(&briefing), [5, 7]);
    assert_eq!(briefing.own.head, Position(7));
    assert!(matches!(briefing.identity.map(|record| record.body), Some(Body::Agent(_))));
}

/// The one around everything, and its own.
pub fn a_briefing_says_how_the_fences_stand(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(put_agent("a")));
    let epoch = Epoch { attempt: 4, ..store.epoch() };
    let own = FenceScope::Agent(agent_id("a"));
    let closed = |scope: FenceScope| Write::Fence(FenceMove { scope, epoch, closed: true });
    apply(&*store, agent(vec![closed(own.clone())]));
    let briefing = brief(&*store, "a");
    assert_eq!((briefing.fence.epoch, briefing.fence.closed), (epoch, true));
    assert!(!briefing.global_fence.closed);
    assert_eq!(briefing.global_fence, read(store.fence(Domain::Agent, FenceScope::Global)));
    assert!(!brief(&*store, "b").fence.closed);
    apply(&*store, agent(vec![closed(FenceScope::Global)]));
    assert!(brief(&*store, "b").global_fence.closed);
}

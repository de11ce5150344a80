//! Calls of tools: what they leave behind, and how often they may be made.

use std::collections::BTreeSet;

use types::{
    Commit, Conflict, ContentDraft, ContentRef, Digest, InvocationState, Label, Outcome, Quota,
    RecordDraft, RecordId, RunKey, ThreadId, ToolCounts, ToolInvocation, WakeReason, Write,
};

use super::Harness;
use super::given::{NOON, agent, agent_id, apply, conflict, id, later, read, refusal};
use crate::{Store, StoreError, wait};

const HOUR_MS: i64 = 60 * 60 * 1_000;

fn thread(session: &str) -> ThreadId {
    ThreadId::from_stored(format!("agent_a:session:{session}"))
}

fn count(session: &str, call: u32) -> Write {
    let (agent, call) = (agent_id("a"), id(&format!("invocation_{call}")));
    Write::CountTool { agent, thread: thread(session), tool: "set_title".to_owned(), call }
}

/// Calls of one session, in one commit, on the condition that they are within a quota.
fn calls(session: &str, calls: impl IntoIterator<Item = u32>, quota: Quota) -> Commit {
    let (writer, tool) = (agent_id("a"), "set_title".to_owned());
    let counted = calls.into_iter().map(|call| count(session, call)).collect();
    let guard = types::Guard::ToolQuota { agent: writer, thread: thread(session), tool, quota };
    agent(counted).guarded(guard)
}

fn counts(store: &dyn Store, session: &str, call: u32, after_ms: i64) -> ToolCounts {
    let call = id(&format!("invocation_{call}"));
    let (tool, now) = ("set_title".to_owned(), NOON.plus_millis(after_ms));
    read(store.tool_counts(agent_id("a"), thread(session), tool, call, now))
}

const fn per_session(max: u32) -> Quota {
    Quota { max_per_session: Some(max), max_per_day: None }
}

const fn per_day(max: u32) -> Quota {
    Quota { max_per_session: None, max_per_day: Some(max) }
}

/// However often the same call is counted, also after a restart.
pub fn a_call_is_counted_once_in_its_session_and_its_day(harness: &mut impl Harness) {
    let store = harness.open();
    let none = ToolCounts { session: 0, day: 0, counted: false };
    assert_eq!(counts(&*store, "s", 1, 0), none);
    apply(&*store, calls("s", [1, 2, 1], Quota::default()));
    apply(&*store, calls("s", [1], Quota::default()));
    drop(store);
    let store = harness.open();
    apply(&*store, calls("t", [2], Quota::default()));
    apply(&*store, calls("t", [3], Quota::default()));
    assert_eq!(counts(&*store, "s", 2, 0), ToolCounts { session: 2, day: 3, counted: true });
    assert_eq!(counts(&*store, "t", 9, 0), ToolCounts { session: 1, day: 3, counted: false });
    let other = store.tool_counts(
        agent_id("b"),
        thread("s"),
        "set_title".to_owned(),
        id("invocation_1"),
        NOON,
    );
    assert_eq!(read(other), ToolCounts { session: 0, day: 0, counted: true });
}

/// One too many is a conflict, and nothing of its commit happens; what was counted takes nothing more.
pub fn a_quota_stops_the_call_on_top(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, calls("s", [1, 2], per_session(2)));
    let found = conflict(&*store, calls("s", [3], per_session(2)));
    let (agent, tool) = (agent_id("a"), "set_title".to_owned());
    assert_eq!(found, Conflict::ToolQuota { agent, tool });
    assert!(!counts(&*store, "s", 3, 0).counted);
    // Tried again, in another session, and where a limit was lowered meanwhile.
    apply(&*store, calls("s", [2, 1], per_session(2)));
    apply(&*store, calls("s", [2], per_session(1)));
    apply(&*store, calls("t", [3], per_session(2)));
    conflict(&*store, calls("u", [4], per_day(3)));
    conflict(&*store, calls("u", [4], per_session(0)));
}

/// A guard looks at what its own commit counts too.
pub fn calls_of_one_commit_keep_to_a_quota_together(harness: &mut impl Harness) {
    let store = harness.open();
    conflict(&*store, calls("s", [1, 2, 3], per_session(2)));
    conflict(&*store, calls("s", [1, 2, 3], per_day(2)));
    assert_eq!(counts(&*store, "s", 1, 0).day, 0);
    // The same call three times is one, and what another agent or session does is not this one's.
    apply(&*store, calls("s", [1, 1, 1], per_day(1)));
    let mut mixed = calls("s", [2], per_session(2));
    mixed.writes.push(count("t", 3));
    apply(&*store, mixed);
    assert_eq!(counts(&*store, "s", 1, 0), ToolCounts { session: 2, day: 3, counted: true });
}

/// All are on their way before the first is awaited, so that they meet in groups.
pub fn calls_at_once_keep_to_a_quota_together(harness: &mut impl Harness) {
    let store = harness.open();
    let answers: Vec<_> =
        (0..40).map(|call| store.commit(calls("s", [call], per_day(7)))).collect();
    let applied = answers
        .into_iter()
        .map(|answer| wait(answer).expect("the store takes the commit"))
        .filter(|outcome| matches!(outcome, Outcome::Applied(_)))
        .count();
    assert_eq!(applied, 7);
    assert_eq!(counts(&*store, "s", 0, 0).day, 7);
    let counted: BTreeSet<u32> =
        (0..40).filter(|call| counts(&*store, "s", *call, 0).counted).collect();
    assert_eq!(counted.len(), 7, "{counted:?}");
}

/// Not with midnight, and not with the last call.
pub fn a_day_opens_with_its_first_call_and_closes_24_hours_later(harness: &mut impl Harness) {
    let store = harness.open();
    let at = |hours: i64, call: u32| later(calls("s", [call], per_day(2)), hours * HOUR_MS);
    apply(&*store, at(0, 1));
    apply(&*store, at(23, 2));
    conflict(&*store, at(23, 3));
    assert_eq!(counts(&*store, "s", 1, 24 * HOUR_MS - 1).day, 2);
    assert_eq!(counts(&*store, "s", 1, 24 * HOUR_MS).day, 0);
    apply(&*store, at(24, 3));
    apply(&*store, at(47, 4));
    conflict(&*store, at(47, 5));
    apply(&*store, at(48, 5));
    assert_eq!(counts(&*store, "s", 5, 48 * HOUR_MS).session, 5, "a session has no end of its own");
}

/// A call without what it was given and answered is none.
pub fn an_invocation_needs_its_contents(harness: &mut impl Harness) {
    let store = harness.open();
    let invocation: RecordId = id("invocation_a");
    let label = Label::untrusted();
    let given = ContentDraft { subject: invocation.clone(), label, bytes: vec![].into() };
    let there = given.at();
    let lost = ContentRef { subject: invocation.clone(), hash: Digest::ZERO };
    let put = |arguments: &ContentRef, state: InvocationState| {
        let record = ToolInvocation {
            agent_id: agent_id("a"),
            run_key: RunKey(Digest::ZERO),
            thread: thread("s"),
            action_type: types::ActionType::ToolCall,
            tool: "set_title".to_owned(),
            tool_version: 1,
            operation: None,
            group: None,
            wake_reason: WakeReason::Manual,
            scope: BTreeSet::new(),
            trace: types::Trace::default(),
            arguments: arguments.clone(),
            policy: "profile".to_owned(),
            state,
        };
        let record = RecordDraft::live(invocation.clone(), record);
        agent(vec![Write::Content(given.clone()), Write::Record(record)])
    };
    let failed =
        |result: &ContentRef| InvocationState::Failed { result: result.clone(), error: None };
    for (commit, field) in [
        (put(&lost, InvocationState::Intended), "arguments"),
        (put(&there, failed(&lost)), "result"),
    ] {
        let refused = refusal(&*store, commit);
        assert!(matches!(refused, StoreError::Invalid(invalid) if invalid.field == field));
    }
    apply(&*store, put(&there, failed(&there)));
}

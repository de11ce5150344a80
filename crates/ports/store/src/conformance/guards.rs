//! Conditions of a commit.

use types::{
    Author, Commit, Conflict, CursorMove, CursorName, Digest, Domain, Epoch, Fence, FenceMove,
    FenceScope, Guard, Outcome, Position, RunKey, Token, Write,
};

use super::Harness;
use super::atomicity::message_without_content;
use super::given::{agent, agent_id, apply, conflict, id, journal, put_agent, put_task, read};
use crate::FencesAround;

fn by_agent(commit: Commit, epoch: Epoch) -> Commit {
    let author = Author::Agent { agent: agent_id("a"), run: RunKey(Digest::ZERO), epoch };
    Commit { author, ..commit }
}

fn fence(scope: FenceScope, epoch: Epoch, closed: bool) -> Commit {
    journal(vec![Write::Fence(FenceMove { scope, epoch, closed })])
}

/// Whoever has not seen the newest does not overwrite it.
pub fn a_stale_revision_is_a_conflict_and_changes_nothing(harness: &mut impl Harness) {
    let store = harness.open();
    let guarded = |expected| Commit {
        guards: vec![Guard::Revision { record: id("task_a"), expected }],
        ..journal(vec![put_task("a")])
    };
    apply(&*store, guarded(0));
    let head = read(store.head(Domain::Journal));
    let found = conflict(&*store, guarded(0));
    assert_eq!(found, Conflict::Revision { record: id("task_a"), expected: 0, found: 1 });
    assert_eq!(read(store.head(Domain::Journal)), head);
    apply(&*store, guarded(1));
    assert_eq!(read(store.record(Domain::Journal, id("task_a"))).expect("there").revision, 2);
}

/// The kill switch stops agents in the middle of their work, and never the person.
pub fn a_closed_fence_stops_agents_and_not_the_operator(harness: &mut impl Harness) {
    let store = harness.open();
    let epoch = store.epoch();
    apply(&*store, by_agent(journal(vec![put_task("a")]), epoch));
    for scope in [FenceScope::Global, FenceScope::Agent(agent_id("a"))] {
        apply(&*store, fence(scope.clone(), epoch, true));
        let found = conflict(&*store, by_agent(journal(vec![put_task("b")]), epoch));
        assert!(matches!(found, Conflict::Fenced { closed: true, .. }));
        assert!(read(store.record(Domain::Journal, id("task_b"))).is_none());
        apply(&*store, journal(vec![put_task("c")]));
        apply(&*store, fence(scope, epoch, false));
    }
    let class = FenceScope::ToolClass("shell".to_owned());
    apply(&*store, fence(class.clone(), epoch, true));
    let guards = vec![Guard::Fence { scope: class, epoch }];
    let commit = Commit { guards, ..journal(vec![put_task("d")]) };
    assert!(matches!(conflict(&*store, commit), Conflict::Fenced { .. }));
    apply(&*store, by_agent(journal(vec![put_task("e")]), epoch));
}

/// A claim that was taken over cannot write any more.
pub fn a_raised_fence_stops_the_late_writer(harness: &mut impl Harness) {
    let store = harness.open();
    let early = store.epoch();
    let late = Epoch { attempt: early.attempt + 1, ..early };
    apply(&*store, fence(FenceScope::Agent(agent_id("a")), late, false));
    let found = conflict(&*store, by_agent(journal(vec![put_task("a")]), early));
    assert!(matches!(found, Conflict::Fenced { closed: false, stored, .. } if stored == late));
    apply(&*store, by_agent(journal(vec![put_task("a")]), late));
}

/// Lifting a fence opens it; it does not bring the late ones back.
pub fn a_fence_never_falls(harness: &mut impl Harness) {
    let store = harness.open();
    let scope = FenceScope::Agent(agent_id("a"));
    let high = Epoch { boot: 9, attempt: 9 };
    apply(&*store, fence(scope.clone(), high, true));
    let lower = fence(scope.clone(), Epoch { boot: 9, attempt: 8 }, false);
    assert!(matches!(conflict(&*store, lower), Conflict::Fenced { .. }));
    apply(&*store, fence(scope.clone(), high, false));
    let stands = read(store.fence(Domain::Journal, scope));
    assert_eq!((stands.epoch, stands.closed), (high, false));
}

/// Whoever comes after a commit that failed meets the fences that stood before it, in one group or not.
pub fn a_fence_of_a_commit_that_fails_is_where_it_was(harness: &mut impl Harness) {
    let store = harness.open();
    let epoch = store.epoch();
    let by_a = |name: &str| by_agent(agent(put_agent(name)), epoch);
    apply(&*store, by_a("a"));
    let scope = FenceScope::Agent(agent_id("a"));
    let shut = |then: Vec<Write>| {
        let fence = Write::Fence(FenceMove { scope: scope.clone(), epoch, closed: true });
        store.commit(agent([vec![fence], then].concat()))
    };
    let failing = shut(vec![message_without_content()]);
    let passing = store.commit(by_a("b"));
    assert!(crate::wait(failing).is_err());
    assert!(matches!(crate::wait(passing), Ok(Outcome::Applied(_))));
    apply(&*store, by_a("c"));
    let (shutting, late) = (shut(vec![]), store.commit(by_a("d")));
    let failing = store.commit(agent(vec![message_without_content()]));
    assert!(matches!(crate::wait(shutting), Ok(Outcome::Applied(_))));
    assert!(matches!(crate::wait(late), Ok(Outcome::Conflict(Conflict::Fenced { .. }))));
    assert!(crate::wait(failing).is_err());
    assert!(matches!(conflict(&*store, by_a("e")), Conflict::Fenced { .. }));
}

/// Per file, and only while they are closed.
pub fn closed_fences_are_listed(harness: &mut impl Harness) {
    let store = harness.open();
    let epoch = Epoch { attempt: 1, ..store.epoch() };
    assert!(read(store.closed_fences(Domain::Journal)).is_empty());
    let own = FenceScope::Agent(agent_id("a"));
    let class = FenceScope::ToolClass("shell".to_owned());
    for scope in [FenceScope::Global, own.clone(), class.clone()] {
        apply(&*store, fence(scope, epoch, true));
    }
    apply(&*store, fence(FenceScope::Agent(agent_id("b")), epoch, false));
    apply(&*store, fence(FenceScope::Global, epoch, false));
    drop(store);
    let store = harness.open();
    let mut closed = read(store.closed_fences(Domain::Journal));
    closed.sort_by_key(|(scope, _)| scope.to_string());
    let shut = Fence { epoch, closed: true };
    assert_eq!(closed, [(own, shut), (class, shut)]);
    assert!(read(store.closed_fences(Domain::Agent)).is_empty());
    let around = |domain, name| read(store.fences_around(domain, agent_id(name)));
    let (everything, tools) = (Fence { epoch: store.epoch(), closed: false }, vec!["shell".into()]);
    let expected = |own| FencesAround { everything, own, stopped_tools: tools.clone() };
    assert_eq!(around(Domain::Journal, "a"), expected(shut));
    assert_eq!(around(Domain::Journal, "b"), expected(Fence { closed: false, ..shut }));
    assert_eq!(around(Domain::Journal, "c"), expected(Fence::default()));
    assert_eq!(around(Domain::Agent, "a"), FencesAround { everything, ..FencesAround::default() });
}

/// What was claimed before a restart does not write after it.
pub fn reopening_makes_earlier_claims_late(harness: &mut impl Harness) {
    let store = harness.open();
    let early = store.epoch();
    apply(&*store, fence(FenceScope::Global, early, true));
    drop(store);
    let store = harness.open();
    assert!(store.epoch() > early);
    let global = read(store.fence(Domain::Journal, FenceScope::Global));
    assert!(global.closed, "a restart lifted the kill switch");
    apply(&*store, fence(FenceScope::Global, store.epoch(), false));
    let late = by_agent(journal(vec![put_task("a")]), early);
    assert!(matches!(conflict(&*store, late), Conflict::Fenced { .. }));
    apply(&*store, by_agent(journal(vec![put_task("a")]), store.epoch()));
}

/// Two consumers under one name cannot both believe to have done the work.
pub fn a_cursor_moved_by_another_is_a_conflict(harness: &mut impl Harness) {
    let store = harness.open();
    let name = CursorName::of_service("case");
    let step = |from: u64, to: u64| {
        agent(vec![Write::Cursor(CursorMove {
            name: name.clone(),
            log: Domain::Journal,
            from: Position(from),
            to: Position(to),
        })])
    };
    apply(&*store, step(0, 3));
    let found = conflict(&*store, step(0, 5));
    let expected =
        Conflict::Cursor { name: name.clone(), expected: Position(0), found: Position(3) };
    assert_eq!(found, expected);
    apply(&*store, step(3, 5));
}

/// What was listed is all there is, or nothing is written.
pub fn what_came_to_a_list_meanwhile_is_a_conflict(harness: &mut dyn Harness) {
    let store = harness.open();
    apply(&*store, journal(vec![put_task("a")]));
    let since = read(store.head(Domain::Journal));
    let quiet = |since| {
        let token = Token::subtype("TASK", "category=category_home").expect("a token");
        journal(vec![put_task("b")]).guarded(Guard::Quiet { token, since })
    };
    apply(&*store, quiet(since));
    let late = conflict(&*store, quiet(since));
    assert!(matches!(late, Conflict::Stirred { .. }), "{late:?}");
    assert!(late.is_moved());
}

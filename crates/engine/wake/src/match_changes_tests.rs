use super::*;
use rules::run_key::Cause;
use types::{Counter, Digest};

fn change(position: u64, at_ms: i64, origin: Origin) -> ChangeRecord {
    ChangeRecord {
        position: Position(position),
        host: "host_a".parse().unwrap(),
        counter: Counter(position),
        origin,
        author: Author::Operator,
        at: At::from_millis(at_ms),
        logical_change_key: Digest::ZERO,
        tokens: vec![],
        images: vec![],
    }
}

#[test]
fn many_wakes_are_many_commits_and_the_cursor_moves_with_the_last() {
    let agent = "agent_a".parse().unwrap();
    let wake = matching::draft(&agent, &Cause::Manual { request: "r" }, None);
    let wakes = vec![Write::QueueRun(wake); 2 * limits::COMMIT_WRITES_MAX];
    let (log, from, to) = (Domain::Journal, Position(1), Position(2));
    let commits = plan(wakes, CursorMove { name: cursor_name(), log, from, to }, At::EPOCH);
    assert_eq!(commits.len(), 3);
    let moves = |commit: &Commit| commit.writes.iter().any(|w| matches!(w, Write::Cursor(_)));
    let moving: Vec<bool> = commits.iter().map(moves).collect();
    assert_eq!(moving, [false, false, true]);
    assert!(commits.iter().all(|commit| commit.check().is_ok()));
}

#[test]
fn changes_gather_for_a_moment_and_those_of_other_hosts_longer() {
    let held = |origin, age_ms: i64| {
        let mut changes = vec![change(1, 0, Origin::Local), change(2, 10_000, origin)];
        let now = At::from_millis(10_000 + age_ms);
        let next = hold_back(&mut changes, Debounce::USUAL, now);
        (changes.len(), next.map(|young| young.ripe_at.millis()))
    };
    assert_eq!(held(Origin::Local, 99), (1, Some(10_100)));
    assert_eq!(held(Origin::Local, 100), (2, None));
    assert_eq!(held(Origin::Sync, 999), (1, Some(11_000)));
    assert_eq!(held(Origin::Sync, 1_000), (2, None));
    assert_eq!(held(Origin::Local, -86_400_000), (2, None), "the clock was set back");
}

#[test]
fn changes_that_come_in_a_stream_are_looked_at_together() {
    let young = Young { made_at: At::from_millis(10_000), ripe_at: At::from_millis(10_100) };
    let again_at = |now| young.among_others(At::from_millis(now), Debounce::USUAL).ripe_at.millis();
    assert_eq!(again_at(10_040), 10_100);
    assert_eq!(again_at(10_099), 10_149);
    let at_once = young.among_others(At::from_millis(10_099), Debounce::NONE);
    assert_eq!(at_once, young);
}

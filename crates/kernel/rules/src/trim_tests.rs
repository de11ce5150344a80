use types::{Author, Counter, Digest, Origin};

use super::*;

const NOW: At = At::from_millis(1_000 * DAY_MS);

/// A log whose changes were made so many days ago, the oldest first.
fn log(days_ago: &[i64]) -> Vec<ChangeRecord> {
    let change = |(place, days): (usize, &i64)| ChangeRecord {
        position: Position(place as u64 + 1),
        host: "host_a".parse().unwrap(),
        counter: Counter(place as u64 + 1),
        origin: Origin::Local,
        author: Author::Operator,
        at: NOW.plus_millis(-days * DAY_MS),
        logical_change_key: Digest::ZERO,
        tokens: vec![],
        images: vec![],
    };
    days_ago.iter().enumerate().map(change).collect()
}

fn trimmed(days_ago: &[i64], matched: u64, newest: u64) -> Option<u64> {
    let reached = Reached { head: Position(days_ago.len() as u64), matched: Position(matched) };
    let keep = Keep { days: 30, newest };
    up_to(&log(days_ago), reached, keep, NOW).map(|position| position.0)
}

#[test]
fn what_is_older_than_is_kept_goes() {
    assert_eq!(trimmed(&[], 0, 0), None);
    assert_eq!(trimmed(&[30, 29, 2], 3, 0), None, "thirty days are kept");
    assert_eq!(trimmed(&[90, 31, 30, 2], 4, 0), Some(2));
}

#[test]
fn the_newest_stay_however_old_they_seem() {
    assert_eq!(trimmed(&[90, 80, 70, 60], 4, 1), Some(3));
    assert_eq!(trimmed(&[90, 80, 70, 60], 4, 3), Some(1));
    assert_eq!(trimmed(&[90, 80, 70, 60], 4, 4), None);
    assert_eq!(trimmed(&[90, 80, 70, 60], 4, 400), None);
}

#[test]
fn what_was_not_told_yet_stays_and_all_after_it() {
    assert_eq!(trimmed(&[90, 80, 70, 60], 2, 0), Some(2));
    assert_eq!(trimmed(&[90, 80, 70, 60], 0, 0), None);
}

#[test]
fn a_clock_that_was_wrong_lets_nothing_young_go_and_keeps_nothing_for_ever() {
    // One that was behind: whatever is before it may be young.
    assert_eq!(trimmed(&[90, 5, 10_000, 4], 4, 0), Some(1));
    // One that was ahead: those around it are old.
    assert_eq!(trimmed(&[90, -3_650, 80, 4], 4, 0), Some(3));
    assert_eq!(trimmed(&[90, -3_650, 4], 3, 0), Some(1), "it may be young");
}

use super::*;
use crate::schedule::fixtures::{at, cron, interval, plan};

#[test]
fn a_past_range_gives_its_slots_with_both_ends() {
    let hourly = plan(&cron("@hourly", "UTC", "2026-11-01T00:00Z"));
    let range = |from: &str, to: &str| backfill(&hourly, at(from), at(to), 100).unwrap();
    let names = |slots: Vec<Due>| slots.iter().map(|due| due.slot.to_string()).collect::<Vec<_>>();
    let found = names(range("2026-11-09T06:00Z", "2026-11-09T08:00Z"));
    assert_eq!(found, ["2026-11-09T06:00", "2026-11-09T07:00", "2026-11-09T08:00"]);
    assert!(range("2026-11-09T06:01Z", "2026-11-09T06:59Z").is_empty());
    assert!(
        range("2026-11-09T08:00Z", "2026-11-09T06:00Z").is_empty(),
        "a range that runs backwards"
    );
    assert!(range("2026-10-01T00:00Z", "2026-11-01T00:00Z").is_empty(), "before its start");
    assert_eq!(range("2026-10-01T00:00Z", "2026-11-01T01:00Z").len(), 1);
}

#[test]
fn a_range_with_too_many_slots_is_refused_with_their_number() {
    let every_second = plan(&interval(1, "2026-11-01T00:00Z"));
    let refused = |to: &str, limit: u64| {
        backfill(&every_second, at("2026-11-01T00:00Z"), at(to), limit).map(|slots| slots.len())
    };
    assert_eq!(refused("2026-11-01T00:01:40Z", 1_000), Ok(100));
    let expected = ScheduleError::TooManySlots { found_at_least: 101, max: 100 };
    assert_eq!(refused("2026-11-01T00:01:41Z", 1_000), Err(expected));
    let expected = ScheduleError::TooManySlots { found_at_least: 4, max: 3 };
    assert_eq!(refused("2026-11-01T00:00:04Z", 3), Err(expected));
    let expected = ScheduleError::TooManySlots { found_at_least: 86_400, max: 100 };
    assert_eq!(refused("2026-11-02T00:00:00Z", 100), Err(expected));
}

use super::*;
use crate::schedule::fixtures::{at, cron, id, interval, listening, slot};

const STARTS_AT: &str = "2026-11-01T00:00Z";

fn after(schedule: &Schedule, now: &str) -> Resumed {
    resumed(&id(), schedule, None, "UTC", at(now)).unwrap()
}

fn once(schedule: Schedule) -> Schedule {
    Schedule { auto_disable_after_run: true, ..schedule }
}

fn until(ends_at: &str, schedule: Schedule) -> Schedule {
    Schedule { ends_at: Some(at(ends_at)), ..schedule }
}

#[test]
fn a_one_shot_that_was_paused_over_its_slot_has_the_next_one() {
    for (schedule, last, next) in [
        (interval(600, STARTS_AT), "2026-11-01T00:30:00Z", "2026-11-01T00:40Z"),
        (cron("*/15 * * * *", "UTC", STARTS_AT), "2026-11-01T00:30", "2026-11-01T00:45Z"),
    ] {
        let resumed = after(&once(schedule), "2026-11-01T00:35Z");
        assert_eq!((resumed.over, &resumed.missed), (false, &None));
        assert_eq!(resumed.clock.last_slot, Some(slot(last)));
        assert_eq!(resumed.clock.next_at, Some(at(next)));
    }
}

#[test]
fn a_one_shot_that_was_paused_over_its_only_slot_has_missed_it_and_is_over() {
    let only = until("2026-11-01T08:00Z", once(cron("0 7 * * *", "UTC", STARTS_AT)));
    let late = after(&only, "2026-11-01T09:00Z");
    assert_eq!((late.over, late.clock.next_at), (true, None));
    let missed = late.missed.unwrap();
    assert_eq!((missed.last_slot, missed.count), (slot("2026-11-01T07:00"), 1));
    assert_eq!(missed.ended_at, Some(at("2026-11-01T09:00Z")));
    let early = after(&only, "2026-11-01T06:00Z");
    assert_eq!((early.over, early.clock.next_at), (false, Some(at("2026-11-01T07:00Z"))));
}

#[test]
fn what_recurs_has_missed_nothing_in_a_pause_even_if_it_is_over_by_then() {
    let recurs = until("2026-11-01T08:00Z", interval(600, STARTS_AT));
    let late = after(&recurs, "2026-11-01T09:00Z");
    assert_eq!((late.over, late.clock.next_at, late.missed), (true, None, None));
    let by_changes = after(&listening(STARTS_AT), "2026-11-01T09:00Z");
    assert_eq!((by_changes.over, by_changes.missed), (false, None));
}

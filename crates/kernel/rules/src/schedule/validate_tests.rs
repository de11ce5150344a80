use types::At;

use super::*;
use crate::schedule::fixtures::{at, cron, interval, listening};

const STARTS_AT: &str = "2026-11-15T00:00Z";

fn ending(schedule: Schedule, ends_at: &str) -> Schedule {
    Schedule { ends_at: Some(at(ends_at)), ..schedule }
}

#[test]
fn a_schedule_that_makes_sense_is_taken() {
    for schedule in [
        cron("0 7 * * *", "Europe/Berlin", STARTS_AT),
        cron("0 7 * * *", LOCAL, STARTS_AT),
        interval(1, STARTS_AT),
        listening(STARTS_AT),
        ending(cron("0 7 * * *", "Europe/Berlin", STARTS_AT), "2026-11-15T06:00Z"),
        // On some host it is seven before one o'clock in Greenwich.
        ending(cron("0 7 * * *", LOCAL, STARTS_AT), "2026-11-15T01:00Z"),
        ending(listening(STARTS_AT), "2026-11-15T01:00Z"),
    ] {
        assert_eq!(validate(&schedule), Ok(()), "{schedule:?}");
    }
}

#[test]
fn a_schedule_that_never_comes_is_refused() {
    let never = |pattern: &str| Err(ScheduleError::NeverComes { pattern: pattern.to_owned() });
    assert_eq!(validate(&cron("0 0 30 2 *", "UTC", STARTS_AT)), never("0 0 30 2 *"));
    let far = interval(u64::MAX, STARTS_AT);
    assert_eq!(validate(&far), never("every 18446744073709551615 seconds"));
    let late = Schedule { starts_at: At::from_millis(i64::MAX), ..interval(60, STARTS_AT) };
    assert_eq!(validate(&late), never("every 60 seconds"));
}

#[test]
fn a_schedule_that_ends_before_its_first_slot_is_refused() {
    for (schedule, ends_at) in [
        (cron("0 7 * * *", "Europe/Berlin", STARTS_AT), "2026-11-15T05:59Z"),
        (cron("0 7 * * *", LOCAL, STARTS_AT), "2026-11-14T00:00Z"),
        (interval(3_600, STARTS_AT), "2026-11-15T00:59:59Z"),
        (listening(STARTS_AT), STARTS_AT),
    ] {
        let expected = ScheduleError::EndsTooSoon { ends_at: at(ends_at) };
        assert_eq!(validate(&ending(schedule, ends_at)), Err(expected));
    }
}

#[test]
fn a_schedule_without_what_its_trigger_goes_by_is_refused() {
    let mut schedule = cron("0 7 * * *", "UTC", STARTS_AT);
    schedule.recurrence.cron = None;
    assert_eq!(validate(&schedule), Err(ScheduleError::NoRule { needs: "cron line" }));
    let zero = interval(0, STARTS_AT);
    assert_eq!(validate(&zero), Err(ScheduleError::NoRule { needs: "interval" }));
}

#[test]
fn a_schedule_in_a_zone_that_nobody_knows_is_refused() {
    for mut schedule in [cron("0 7 * * *", "UTC", STARTS_AT), listening(STARTS_AT)] {
        schedule.zone = "berlin".to_owned();
        let near = vec!["Europe/Berlin".to_owned()];
        let expected = ScheduleError::UnknownZone { name: "berlin".to_owned(), near };
        assert_eq!(validate(&schedule), Err(expected));
    }
}

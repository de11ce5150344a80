use super::*;
use crate::schedule::fixtures::{at, cron, id, interval, listening, plan, slot};

const STARTS_AT: &str = "2026-11-01T00:00Z";

fn set(schedule: &Schedule, last_slot: Option<&str>) -> Arming {
    armed(&id(), schedule, last_slot.map(slot), "Europe/Berlin").unwrap()
}

#[test]
fn a_clock_is_set_to_the_slot_after_the_last_while_its_schedule_is_active() {
    let daily = cron("0 7 * * *", "UTC", STARTS_AT);
    let expected = Arming {
        schedule: id(),
        agent: daily.agent_id.clone(),
        last_slot: Some(slot("2026-11-09T07:00")),
        next_at: Some(at("2026-11-10T07:00Z")),
        local_zone: None,
    };
    assert_eq!(set(&daily, Some("2026-11-09T07:00")), expected);
    assert_eq!(set(&daily, None).next_at, Some(at("2026-11-01T07:00Z")));
    let paused = Schedule { status: ScheduleStatus::Paused, ..daily };
    assert_eq!(set(&paused, None).next_at, None);
}

#[test]
fn a_clock_keeps_the_zone_of_the_host_only_if_it_goes_by_it() {
    let local = cron("0 7 * * *", LOCAL, STARTS_AT);
    let berlin = set(&local, None);
    assert_eq!(berlin.next_at, Some(at("2026-11-01T06:00Z")));
    assert_eq!(berlin.local_zone.as_deref(), Some("Europe/Berlin"));
    let paused = Schedule { status: ScheduleStatus::Paused, ..local };
    assert_eq!(set(&paused, None).local_zone, None, "there is nothing to reckon anew");
}

#[test]
fn a_schedule_without_slots_is_looked_at_when_it_has_ended() {
    let open = listening(STARTS_AT);
    assert_eq!(set(&open, None).next_at, None);
    let ends_at = Some(at("2026-11-09T00:00Z"));
    let ending = Schedule { ends_at, ..open };
    assert_eq!(set(&ending, None).next_at, ends_at.map(|at| at.plus_millis(1)));
}

#[test]
fn what_passes_during_a_pause_is_dealt_with_and_what_is_to_come_is_not() {
    let daily = plan(&cron("0 7 * * *", "UTC", STARTS_AT));
    let now = at("2026-11-09T12:00Z");
    let last = |known: Option<&str>| passed(&daily, known.map(slot), now);
    let today = Some(slot("2026-11-09T07:00"));
    assert_eq!(last(None), today);
    assert_eq!(last(Some("2026-11-05T07:00")), today, "it was paused for days");
    let tomorrow = "2026-11-10T07:00";
    assert_eq!(last(Some(tomorrow)), Some(slot(tomorrow)), "a clock set back a little");
    assert_eq!(last(Some("2027-11-10T07:00")), today, "a clock that was a year ahead");
    assert_eq!(passed(&daily, None, at(STARTS_AT)), None, "nothing has come yet");
}

/// A clock that stands at this slot and comes round at this time, brought back.
fn back(schedule: &Schedule, stands: (Option<&str>, &str), now: &str) -> Option<BroughtBack> {
    let (last_slot, next_at) = (stands.0.map(slot), Some(at(stands.1)));
    let stands = Arming { last_slot, next_at, ..set(schedule, None) };
    brought_back(&stands, schedule, "UTC", at(now)).unwrap()
}

#[test]
fn only_a_slot_that_no_right_clock_can_have_dealt_with_is_brought_back() {
    let daily = cron("0 7 * * *", "UTC", STARTS_AT);
    let now = "2026-11-09T12:00Z";
    for (near, next) in [
        (None, "2026-11-01T07:00Z"),
        (Some("2026-11-01T07:00"), "2026-11-02T07:00Z"),
        (Some("2026-11-09T07:00"), "2026-11-10T07:00Z"),
        (Some("2026-11-10T07:00"), "2026-11-11T07:00Z"),
    ] {
        assert_eq!(back(&daily, (near, next), now), None, "{near:?}");
    }
    let ahead = (Some("2036-11-10T07:00"), "2036-11-11T07:00Z");
    let far = back(&daily, ahead, now).unwrap();
    assert_eq!(far.clock.last_slot, Some(slot("2026-11-09T07:00")));
    assert_eq!(far.clock.next_at, Some(at("2026-11-10T07:00Z")));
    assert_eq!(far.schedule, None);
    let new = back(&daily, ahead, STARTS_AT).unwrap().clock;
    assert_eq!((new.last_slot, new.next_at), (None, Some(at("2026-11-01T07:00Z"))));
    let before = back(&daily, (Some("2026-11-09T07:00"), "2026-11-10T07:00Z"), "1970-01-01T00:00Z");
    assert_eq!(before, None, "a clock that is behind is no clock that was ahead");
}

#[test]
fn what_was_put_off_by_a_clock_that_was_ahead_comes_round_by_its_rule() {
    let weekly = cron("0 7 * * 0", "UTC", STARTS_AT);
    let now = "2026-11-09T12:00Z";
    let off = back(&weekly, (Some("2026-11-01T07:00"), "2036-11-09T13:00Z"), now).unwrap();
    assert_eq!(off.clock.last_slot, Some(slot("2026-11-01T07:00")), "the last one was not had");
    assert_eq!(off.clock.next_at, Some(at("2026-11-08T07:00Z")));
    let by_rule = (Some("2026-11-08T07:00"), "2026-11-15T07:00Z");
    assert_eq!(back(&weekly, by_rule, now), None, "so far ahead it lies by its rule");
    let paused = Schedule { status: ScheduleStatus::Paused, ..weekly };
    assert_eq!(back(&paused, by_rule, now), None);
}

#[test]
fn one_that_was_made_by_a_clock_that_was_ahead_begins_when_the_clock_is_right() {
    let made_at = "2036-11-09T12:00:30Z";
    let now = "2026-11-09T12:00Z";
    let hourly = interval(3_600, made_at);
    let new = back(&hourly, (None, "2036-11-09T13:00:30Z"), now).unwrap();
    assert_eq!(new.schedule.unwrap(), Schedule { starts_at: at(now), ..hourly.clone() });
    assert_eq!((new.clock.last_slot, new.clock.next_at), (None, Some(at("2026-11-09T13:00Z"))));
    let come = (Some("2036-11-09T14:00:30Z"), "2036-11-09T15:00:30Z");
    assert_eq!(back(&hourly, come, now).unwrap().clock.last_slot, None, "nothing has come by now");
    let daily = cron("0 7 * * *", "UTC", made_at);
    let new = back(&daily, (None, "2036-11-10T07:00Z"), now).unwrap();
    assert_eq!(new.clock.next_at, Some(at("2026-11-10T07:00Z")));
    for near in ["2026-11-09T11:59Z", "2026-11-09T12:00Z", "2026-11-10T12:00Z"] {
        assert_eq!(begun_anew(&cron("0 7 * * *", "UTC", near), at(now)), None, "{near}");
    }
    assert_eq!(begun_anew(&hourly, at("1970-01-01T00:00Z")), None, "that clock is behind");
}

#[test]
fn a_change_counts_from_the_start_on_unless_that_lies_far_ahead() {
    let (now, later) = (at("2026-11-09T12:00Z"), at("2026-11-09T13:00Z"));
    let made_at = |text: &str| listening(text);
    assert!(has_begun(&made_at("2026-11-09T12:00Z"), now, later));
    assert!(!has_begun(&made_at("2026-11-09T12:30Z"), now, later), "it came before");
    assert!(has_begun(&made_at("2036-11-09T12:00Z"), now, later), "by a clock that was ahead");
}

use super::*;
use crate::schedule::fixtures::{at, cron, id, listening, plan, slot};

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

#[test]
fn only_a_slot_that_no_right_clock_can_have_dealt_with_is_brought_back() {
    let daily = cron("0 7 * * *", "UTC", STARTS_AT);
    let back = |last: Option<&str>, now: &str| {
        brought_back(&id(), &daily, last.map(slot), "UTC", at(now)).unwrap()
    };
    let now = "2026-11-09T12:00Z";
    for near in [None, Some("2026-11-01T07:00"), Some("2026-11-09T07:00"), Some("2026-11-10T07:00")]
    {
        assert_eq!(back(near, now), None, "{near:?}");
    }
    let far = back(Some("2036-11-10T07:00"), now).unwrap();
    assert_eq!(far.last_slot, Some(slot("2026-11-09T07:00")));
    assert_eq!(far.next_at, Some(at("2026-11-10T07:00Z")));
    let new = back(Some("2036-11-10T07:00"), STARTS_AT).unwrap();
    assert_eq!((new.last_slot, new.next_at), (None, Some(at("2026-11-01T07:00Z"))));
    let before = back(Some("2026-11-09T07:00"), "1970-01-01T00:00Z");
    assert_eq!(before, None, "a clock that is behind is no clock that was ahead");
}

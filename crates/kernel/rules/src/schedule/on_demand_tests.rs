use types::{ConcurrencyDecision, OccurrenceState, Overlap, WakeReason};

use super::*;
use crate::schedule::fixtures::{at, cron, id, listening};

const STARTS_AT: &str = "2026-11-01T00:00Z";

#[test]
fn a_schedule_runs_when_somebody_asks_unless_it_is_over() {
    let now = at("2026-11-09T00:00Z");
    for (status, runs) in [
        (ScheduleStatus::Active, true),
        (ScheduleStatus::Paused, true),
        (ScheduleStatus::Expired, false),
        (ScheduleStatus::Disabled, false),
    ] {
        let schedule = Schedule { status, ..cron("0 7 * * *", "UTC", STARTS_AT) };
        let asked = manual(&schedule, &id(), "request_1", now, false);
        if !runs {
            assert_eq!(asked, Err(ScheduleError::NotTriggerable { status }));
            continue;
        }
        let Fired { occurrence, wakes } = asked.unwrap();
        assert_eq!(wakes, Some(WakeReason::Manual));
        assert_eq!(occurrence.last_slot.as_str(), "manual:request_1");
        assert_eq!((occurrence.source, occurrence.due_at), (TriggerSource::Manual, now));
        assert_eq!((occurrence.state, occurrence.decision), (OccurrenceState::InFlight, None));
    }
}

#[test]
fn what_somebody_asks_for_obeys_the_overlap_policy() {
    let schedule = |overlap| Schedule { overlap, ..cron("0 7 * * *", "UTC", STARTS_AT) };
    let now = at("2026-11-09T00:00Z");
    let forbidden = manual(&schedule(Overlap::Forbid), &id(), "r", now, true).unwrap();
    assert_eq!(forbidden.occurrence.decision, Some(ConcurrencyDecision::ForbidSkipped));
    assert_eq!((forbidden.wakes, forbidden.occurrence.run_key), (None, None));
    let replacing = manual(&schedule(Overlap::Replace), &id(), "r", now, true).unwrap();
    assert!(replacing.replaces() && replacing.wakes.is_some());
}

#[test]
fn every_request_and_every_schedule_has_a_run_of_its_own() {
    let schedule = cron("0 7 * * *", "UTC", STARTS_AT);
    let key = |id: &str, request: &str, now: &str| {
        let fired = manual(&schedule, &id.parse().unwrap(), request, at(now), false).unwrap();
        fired.occurrence.run_key.unwrap()
    };
    let first = key("schedule_a", "r", "2026-11-09T00:00Z");
    assert_eq!(first, key("schedule_a", "r", "2026-11-10T00:00Z"), "the same request again");
    assert_ne!(first, key("schedule_a", "s", "2026-11-09T00:00Z"));
    assert_ne!(first, key("schedule_b", "r", "2026-11-09T00:00Z"));
}

#[test]
fn a_change_makes_an_active_schedule_run_that_listens_for_it() {
    let now = at("2026-11-09T00:00Z");
    let arrives = |schedule: &Schedule, now: At, in_flight: bool| {
        event(schedule, &id(), Digest::ZERO, now, in_flight)
    };
    let schedule = listening(STARTS_AT);
    let Fired { occurrence, wakes } = arrives(&schedule, now, false).unwrap();
    assert_eq!(wakes, Some(WakeReason::Timer));
    assert_eq!(occurrence.source, TriggerSource::Event);
    assert_eq!(occurrence.last_slot.as_str(), format!("event:{}", Digest::ZERO));

    let status = ScheduleStatus::Paused;
    let paused = Schedule { status, ..schedule.clone() };
    assert_eq!(arrives(&paused, now, false), Err(ScheduleError::NotTriggerable { status }));
    let by_clock = cron("0 7 * * *", "UTC", STARTS_AT);
    assert_eq!(arrives(&by_clock, now, false), Err(ScheduleError::NotByEvent));
    let ended = Schedule { ends_at: Some(now), ..schedule.clone() };
    assert!(arrives(&ended, now, false).is_ok());
    for outside in [now.plus_millis(1), at("2026-10-31T23:59Z")] {
        let expected = Err(ScheduleError::OutsideItsTime { at: outside });
        assert_eq!(arrives(&ended, outside, false), expected);
    }
    let one_shot = Schedule { auto_disable_after_run: true, ..schedule };
    assert!(arrives(&one_shot, now, false).is_ok());
    assert_eq!(arrives(&one_shot, now, true), Err(ScheduleError::AlreadyFired));
}

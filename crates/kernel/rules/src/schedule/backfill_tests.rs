use types::{Overlap, WakeReason};

use super::*;
use crate::schedule::fixtures::{at, cron, id, interval, plan, slot};

const STARTS_AT: &str = "2026-11-01T00:00Z";

#[test]
fn a_past_range_gives_its_slots_with_both_ends() {
    let hourly = plan(&cron("@hourly", "UTC", STARTS_AT));
    let range = |from: &str, to: &str| slots(&hourly, at(from), at(to)).unwrap();
    let names = |slots: Vec<Due>| slots.iter().map(|due| due.slot.to_string()).collect::<Vec<_>>();
    let found = names(range("2026-11-09T06:00Z", "2026-11-09T08:00Z"));
    assert_eq!(found, ["2026-11-09T06:00", "2026-11-09T07:00", "2026-11-09T08:00"]);
    assert!(range("2026-11-09T06:01Z", "2026-11-09T06:59Z").is_empty());
    assert!(
        range("2026-11-09T08:00Z", "2026-11-09T06:00Z").is_empty(),
        "a range that runs backwards"
    );
    assert!(range("2026-10-01T00:00Z", STARTS_AT).is_empty(), "before its start");
    assert_eq!(range("2026-10-01T00:00Z", "2026-11-01T01:00Z").len(), 1);
}

#[test]
fn a_range_with_too_many_slots_is_refused_with_their_number() {
    let every_second = plan(&interval(1, STARTS_AT));
    let refused = |to: &str| slots(&every_second, at(STARTS_AT), at(to)).map(|slots| slots.len());
    assert_eq!(refused("2026-11-01T00:01:40Z"), Ok(100));
    let expected = ScheduleError::TooManySlots { found_at_least: 101, max: 100 };
    assert_eq!(refused("2026-11-01T00:01:41Z"), Err(expected));
    let expected = ScheduleError::TooManySlots { found_at_least: 86_400, max: 100 };
    assert_eq!(refused("2026-11-02T00:00:00Z"), Err(expected));
}

#[test]
fn a_range_that_ends_before_it_begins_is_refused() {
    let (from, to) = (at("2026-11-09T08:00Z"), at("2026-11-09T06:00Z"));
    assert_eq!(refuse_backwards(from, to), Err(ScheduleError::Backwards { from, to }));
    assert_eq!(refuse_backwards(from, from), Ok(()));
}

/// What an hourly schedule makes up for from six on the ninth, asked at eight.
fn asked(to: &str, known: &[Occurrence], more: bool) -> Result<Vec<Fired>, ScheduleError> {
    let schedule = Schedule { overlap: Overlap::Forbid, ..cron("@hourly", "UTC", STARTS_AT) };
    backfill(&Stretch {
        id: &id(),
        schedule: &schedule,
        plan: &plan(&schedule),
        from: at("2026-11-09T06:00Z"),
        to: at(to),
        now: at("2026-11-09T08:00Z"),
        known,
        more,
    })
}

fn names(fired: &[Fired]) -> Vec<&str> {
    fired.iter().map(|one| one.occurrence.last_slot.as_str()).collect()
}

/// The record of slots that came round at their time.
fn came_round(first: &str, last: &str, state: OccurrenceState) -> Occurrence {
    Occurrence {
        schedule: id(),
        first_slot: slot(first),
        last_slot: slot(last),
        count: 1,
        due_at: at(&format!("{last}Z")),
        source: TriggerSource::CronTick,
        decision: None,
        run_key: None,
        state,
        started_at: at(&format!("{last}Z")),
        ended_at: None,
    }
}

#[test]
fn every_open_slot_of_the_past_runs_once_whatever_the_overlap_policy() {
    let fired = asked("2026-11-10T00:00Z", &[], false).unwrap();
    let expected =
        ["backfill:2026-11-09T06:00", "backfill:2026-11-09T07:00", "backfill:2026-11-09T08:00"];
    assert_eq!(names(&fired), expected, "what is still to come is left alone");
    for (one, due_at) in fired.iter().zip(["2026-11-09T06:00Z", "2026-11-09T07:00Z"]) {
        let Fired { occurrence, wakes } = one;
        assert_eq!(*wakes, Some(WakeReason::CatchUp));
        assert_eq!((occurrence.state, occurrence.decision), (OccurrenceState::InFlight, None));
        assert_eq!((occurrence.source, occurrence.due_at), (TriggerSource::Manual, at(due_at)));
        assert_eq!(occurrence.started_at, at("2026-11-09T08:00Z"));
    }
    let known: Vec<Occurrence> = fired.into_iter().map(|one| one.occurrence).collect();
    assert_eq!(asked("2026-11-10T00:00Z", &known, false), Ok(vec![]), "asked for a second time");
}

#[test]
fn a_slot_that_came_round_is_not_made_up_for_and_a_missed_one_is() {
    let (six, seven) = ("2026-11-09T06:00", "2026-11-09T07:00");
    let both = |state| {
        let known = [came_round(six, seven, state)];
        asked("2026-11-09T07:00Z", &known, false).unwrap().len()
    };
    assert_eq!(both(OccurrenceState::InFlight), 0);
    assert_eq!(both(OccurrenceState::Missed), 2);
    let known = [came_round(six, six, OccurrenceState::InFlight)];
    let fired = asked("2026-11-09T07:00Z", &known, false).unwrap();
    assert_eq!(names(&fired), ["backfill:2026-11-09T07:00"]);
}

#[test]
fn slots_from_before_all_that_is_known_are_refused() {
    let seven = "2026-11-09T07:00";
    let by_clock = came_round(seven, seven, OccurrenceState::InFlight);
    let by_hand = Occurrence {
        source: TriggerSource::Manual,
        due_at: at(STARTS_AT),
        last_slot: slot("manual:r"),
        first_slot: slot("manual:r"),
        ..by_clock.clone()
    };
    let known = [by_clock, by_hand];
    let oldest = at("2026-11-09T07:00Z");
    let refused = Err(ScheduleError::TooFarBack { oldest });
    assert_eq!(asked("2026-11-09T07:00Z", &known, true), refused);
    assert!(asked("2026-11-09T07:00Z", &known, false).is_ok(), "these are all there are");
    let known = [came_round("2026-11-09T05:00", "2026-11-09T05:00", OccurrenceState::InFlight)];
    assert_eq!(asked("2026-11-09T07:00Z", &known, true).unwrap().len(), 2);
}

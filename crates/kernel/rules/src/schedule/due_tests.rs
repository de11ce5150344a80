use types::{CatchUp, ConcurrencyDecision, OccurrenceState, Overlap, SkipReason};

use super::*;
use crate::schedule::fixtures::{
    at, cron, id, interval, listening, look_at, look_with, slot, told,
};
use crate::schedule::validate;

/// Seven in the morning in Berlin, which is 06:00Z in November.
fn mornings(catch_up: CatchUp) -> Schedule {
    Schedule { catch_up, ..cron("0 7 * * *", "Europe/Berlin", "2026-11-01T00:00Z") }
}

const LAST: Option<&str> = Some("2026-11-08T07:00");

#[test]
fn a_slot_whose_time_has_come_runs_and_the_next_look_is_at_the_next_slot() {
    let schedule = mornings(CatchUp::NEVER);
    for now in ["2026-11-09T06:00Z", "2026-11-09T06:01Z"] {
        let firing = look_at(&schedule, LAST, now);
        assert_eq!(told(&firing), ["2026-11-09T07:00 x1 in_flight (timer)"]);
        assert_eq!(firing.last_slot, Some(slot("2026-11-09T07:00")));
        assert_eq!(firing.next_at, Some(at("2026-11-10T06:00Z")));
        assert!(!firing.expired && !firing.replaces_in_flight);
        let occurrence = &firing.occurrences[0].occurrence;
        assert_eq!(occurrence.due_at, at("2026-11-09T06:00Z"));
        assert_eq!((occurrence.started_at, occurrence.ended_at), (at(now), None));
        assert_eq!((occurrence.source, occurrence.decision), (TriggerSource::CronTick, None));
    }
    let early = look_at(&schedule, LAST, "2026-11-09T05:59:59.999Z");
    assert_eq!((told(&early).len(), early.next_at), (0, Some(at("2026-11-09T06:00Z"))));
    assert_eq!(early.last_slot, Some(slot("2026-11-08T07:00")));
    let late = look_at(&schedule, LAST, "2026-11-09T06:01:00.001Z");
    assert_eq!(told(&late), ["2026-11-09T07:00 x1 missed"]);
}

#[test]
fn the_same_slot_has_the_same_run_key_in_every_zone() {
    let schedule = Schedule { zone: "local".to_owned(), ..mornings(CatchUp::ONCE) };
    let key = |zone: &str, now: &str| {
        let (id, plan) = (&id(), &Plan::compile(&schedule, zone).unwrap());
        let last_slot = LAST.map(slot);
        let last_slot = last_slot.as_ref();
        let look_here =
            Look { id, schedule: &schedule, plan, last_slot, now: at(now), in_flight: false };
        let firing = look(&look_here);
        assert_eq!(told(&firing), ["2026-11-09T07:00 x1 in_flight (timer)"]);
        firing.occurrences[0].occurrence.run_key
    };
    assert_eq!(key("Europe/Berlin", "2026-11-09T06:00Z"), key("Asia/Tokyo", "2026-11-08T22:00Z"));
}

#[test]
fn a_host_that_moves_east_makes_up_for_what_it_jumped_over_and_west_runs_nothing_twice() {
    let schedule = Schedule { zone: "local".to_owned(), ..mornings(CatchUp::ONCE) };
    let at_zone = |zone: &str, last: &str, now: &str| {
        let (id, plan, last) = (&id(), &Plan::compile(&schedule, zone).unwrap(), &slot(last));
        let now = at(now);
        let last_slot = Some(last);
        look(&Look { id, schedule: &schedule, plan, last_slot, now, in_flight: false })
    };
    let east = at_zone("Asia/Tokyo", "2026-11-14T07:00", "2026-11-15T03:00Z");
    assert_eq!(told(&east), ["2026-11-15T07:00 x1 in_flight (catch_up)"]);
    assert_eq!(east.next_at, Some(at("2026-11-15T22:00Z")));
    let west = at_zone("America/New_York", "2026-11-15T07:00", "2026-11-15T12:00Z");
    assert_eq!(told(&west), Vec::<String>::new());
    assert_eq!(west.next_at, Some(at("2026-11-16T12:00Z")));
}

#[test]
fn a_laptop_that_was_closed_for_a_week_makes_up_as_its_schedule_says() {
    let never = CatchUp::NEVER;
    let once = CatchUp::ONCE;
    let day = Some(86_400);
    let three = CatchUp { runs_max: 3, ..once };
    let noon = "2026-11-15T11:00Z";
    let morning = "2026-11-15T06:00:30Z";
    let run = |day: &str| format!("2026-11-{day}T07:00 x1 in_flight (catch_up)");
    let missed =
        |last: &str, count: u32| format!("2026-11-09T07:00..2026-11-{last}T07:00 x{count} missed");
    let all = "2026-11-09T07:00..2026-11-15T07:00 x7 in_flight (catch_up)".to_owned();
    let timer = "2026-11-15T07:00 x1 in_flight (timer)".to_owned();
    for (catch_up, now, expected) in [
        (never, noon, vec![missed("15", 7)]),
        (never, morning, vec![missed("14", 6), timer.clone()]),
        (once, noon, vec![all.clone()]),
        (once, morning, vec![all.replace("15T07:00 x7", "14T07:00 x6"), timer.clone()]),
        (CatchUp { window_seconds: day, ..once }, noon, vec![missed("14", 6), run("15")]),
        (CatchUp { window_seconds: day, ..once }, morning, vec![missed("14", 6), timer.clone()]),
        (CatchUp { window_seconds: Some(60), ..once }, noon, vec![missed("15", 7)]),
        (CatchUp { window_seconds: Some(u64::MAX), ..once }, noon, vec![all]),
        (three, noon, vec![missed("12", 4), run("13"), run("14"), run("15")]),
        (three, morning, vec![missed("11", 3), run("12"), run("13"), run("14"), timer]),
        (CatchUp { window_seconds: day, ..three }, noon, vec![missed("14", 6), run("15")]),
        (
            CatchUp { runs_max: 7, ..once },
            noon,
            ["09", "10", "11", "12", "13", "14", "15"].map(run).to_vec(),
        ),
    ] {
        let firing = look_at(&mornings(catch_up), LAST, now);
        assert_eq!(told(&firing), expected, "{catch_up:?} at {now}");
        assert_eq!(firing.last_slot, Some(slot("2026-11-15T07:00")));
        assert_eq!(firing.next_at, Some(at("2026-11-16T06:00Z")));
        let again = look_at(&mornings(catch_up), Some("2026-11-15T07:00"), now);
        assert_eq!(told(&again), Vec::<String>::new(), "nothing is dealt with twice");
    }
}

#[test]
fn the_edge_of_the_window_is_inside_it() {
    let schedule = mornings(CatchUp { window_seconds: Some(86_400), ..CatchUp::ONCE });
    let on_the_edge = look_at(&schedule, LAST, "2026-11-10T06:00Z");
    let expected =
        ["2026-11-09T07:00 x1 in_flight (catch_up)", "2026-11-10T07:00 x1 in_flight (timer)"];
    assert_eq!(told(&on_the_edge), expected);
    let past_it = look_at(&schedule, LAST, "2026-11-10T06:00:00.001Z");
    let expected = ["2026-11-09T07:00 x1 missed", "2026-11-10T07:00 x1 in_flight (timer)"];
    assert_eq!(told(&past_it), expected);
}

#[test]
fn a_clock_that_was_set_back_brings_nothing_again() {
    let schedule = mornings(CatchUp::ONCE);
    let firing = look_at(&schedule, Some("2026-11-15T07:00"), "2026-11-14T06:00Z");
    assert_eq!(told(&firing), Vec::<String>::new());
    assert_eq!(firing.last_slot, Some(slot("2026-11-15T07:00")));
    assert_eq!((firing.next_at, firing.expired), (Some(at("2026-11-16T06:00Z")), false));
}

#[test]
fn ten_years_of_absence_are_counted_in_a_moment() {
    let schedule = interval(1, "2026-01-01T00:00Z");
    let firing = look_at(&schedule, None, "2036-01-01T00:00Z");
    let seconds = 3_652 * 86_400;
    let expected = [
        format!("2026-01-01T00:00:01Z..2035-12-31T23:59:59Z x{} missed", seconds - 1),
        "2036-01-01T00:00:00Z x1 in_flight (timer)".to_owned(),
    ];
    assert_eq!(told(&firing), expected);
    assert_eq!(firing.occurrences[1].occurrence.source, TriggerSource::IntervalTick);
    let schedule = cron("* * * * *", "Europe/Berlin", "2026-01-01T00:00Z");
    let firing = look_at(&schedule, None, "2036-01-01T00:00Z");
    // Ten gaps of an hour; the slot after each stands for those in it.
    let expected = format!("x{} missed", 3_652 * 1_440 - 10 * 60 - 1);
    assert!(told(&firing)[0].ends_with(&expected), "{:?}", told(&firing));
}

#[test]
fn a_one_shot_has_one_slot_and_then_waits_for_nobody() {
    let one_shot = |catch_up| Schedule { auto_disable_after_run: true, ..mornings(catch_up) };
    for (catch_up, now, expected) in [
        (CatchUp::NEVER, "2026-11-01T06:00:10Z", "2026-11-01T07:00 x1 in_flight (timer)"),
        (CatchUp::NEVER, "2026-11-05T06:00:10Z", "2026-11-01T07:00 x1 missed"),
        (CatchUp::ONCE, "2026-11-05T06:00:10Z", "2026-11-01T07:00 x1 in_flight (catch_up)"),
    ] {
        let firing = look_at(&one_shot(catch_up), None, now);
        assert_eq!(told(&firing), [expected]);
        assert_eq!(firing.last_slot, Some(slot("2026-11-01T07:00")));
        assert_eq!((firing.next_at, firing.expired, firing.spent), (None, false, true));
    }
    let paused_over =
        look_at(&one_shot(CatchUp::NEVER), Some("2026-11-01T07:00"), "2026-11-02T06:00:10Z");
    assert_eq!(told(&paused_over), ["2026-11-02T07:00 x1 in_flight (timer)"]);
    assert!(paused_over.spent);
    let waiting = look_at(&one_shot(CatchUp::NEVER), None, "2026-11-01T05:00Z");
    assert_eq!((told(&waiting).len(), waiting.next_at), (0, Some(at("2026-11-01T06:00Z"))));
    assert!(!waiting.spent);
    let ended = Schedule { ends_at: Some(at("2026-11-01T01:00Z")), ..one_shot(CatchUp::NEVER) };
    assert!(look_at(&ended, None, "2026-11-01T00:30Z").expired);
}

#[test]
fn a_schedule_expires_with_its_last_slot() {
    let ends_at = Some(at("2026-11-10T06:00Z"));
    let schedule = Schedule { ends_at, ..mornings(CatchUp::NEVER) };
    let before = look_at(&schedule, LAST, "2026-11-09T06:00Z");
    assert_eq!((before.next_at, before.expired), (ends_at, false));
    let last = look_at(&schedule, Some("2026-11-09T07:00"), "2026-11-10T06:00Z");
    assert_eq!(told(&last), ["2026-11-10T07:00 x1 in_flight (timer)"]);
    assert_eq!((last.next_at, last.expired), (None, true));
    let late = look_at(&schedule, LAST, "2026-12-01T00:00Z");
    assert_eq!(told(&late), ["2026-11-09T07:00..2026-11-10T07:00 x2 missed"]);
    assert_eq!((late.next_at, late.expired), (None, true));
    let over = look_at(&schedule, Some("2026-11-10T07:00"), "2026-12-01T00:00Z");
    assert_eq!((told(&over).len(), over.expired), (0, true));
}

#[test]
fn an_event_schedule_is_only_ended_by_time() {
    let endless = look_at(&listening("2026-11-01T00:00Z"), None, "2026-11-09T00:00Z");
    assert_eq!((told(&endless).len(), endless.next_at, endless.expired), (0, None, false));
    let ends_at = Some(at("2026-11-10T00:00Z"));
    let ending = Schedule { ends_at, ..listening("2026-11-01T00:00Z") };
    let over_at = at("2026-11-10T00:00:00.001Z");
    let before = look_at(&ending, None, "2026-11-10T00:00Z");
    assert_eq!((before.next_at, before.expired), (Some(over_at), false));
    let after = look_at(&ending, None, "2026-11-10T00:00:00.001Z");
    assert_eq!((after.next_at, after.expired), (None, true));
}

#[test]
fn only_an_active_schedule_comes_round() {
    for status in [ScheduleStatus::Paused, ScheduleStatus::Expired, ScheduleStatus::Disabled] {
        let schedule = Schedule { status, ..mornings(CatchUp::ONCE) };
        let firing = look_at(&schedule, LAST, "2026-11-15T06:00Z");
        assert_eq!((told(&firing).len(), firing.next_at, firing.expired), (0, None, false));
        assert_eq!(firing.last_slot, LAST.map(slot));
    }
}

fn decided(firing: &Firing) -> Vec<(Option<ConcurrencyDecision>, OccurrenceState)> {
    let decided = |fired: &Fired| (fired.occurrence.decision, fired.occurrence.state);
    firing.occurrences.iter().map(decided).collect()
}

#[test]
fn a_slot_that_comes_while_another_is_in_flight_goes_as_the_policy_says() {
    use ConcurrencyDecision::{Allow, ForbidSkipped, ReplaceExisting};
    let forbidden = OccurrenceState::Skipped(SkipReason::ConcurrencyForbid);
    let in_flight = OccurrenceState::InFlight;
    for (overlap, expected, replaces) in [
        (Overlap::Allow, (Some(Allow), in_flight), false),
        (Overlap::Forbid, (Some(ForbidSkipped), forbidden), false),
        (Overlap::Replace, (Some(ReplaceExisting), in_flight), true),
    ] {
        let schedule = Schedule { overlap, ..mornings(CatchUp::NEVER) };
        let firing = look_with(&schedule, LAST, "2026-11-09T06:00Z", true);
        assert_eq!(decided(&firing), [expected]);
        assert_eq!(firing.replaces_in_flight, replaces);
        let free = look_with(&schedule, LAST, "2026-11-09T06:00Z", false);
        assert_eq!(decided(&free), [(None, in_flight)]);
        assert!(!free.replaces_in_flight);
    }
}

#[test]
fn slots_of_one_look_are_in_flight_for_each_other() {
    use ConcurrencyDecision::{Allow, ForbidSkipped, ReplaceExisting};
    let forbidden = OccurrenceState::Skipped(SkipReason::ConcurrencyForbid);
    let replaced = OccurrenceState::Skipped(SkipReason::ConcurrencyReplace);
    let in_flight = OccurrenceState::InFlight;
    let (allow, forbid, replace) = (Some(Allow), Some(ForbidSkipped), Some(ReplaceExisting));
    let two = CatchUp { runs_max: 2, ..CatchUp::ONCE };
    let look = |overlap, busy| {
        let schedule = Schedule { overlap, ..mornings(two) };
        let firing = look_with(&schedule, LAST, "2026-11-11T06:00Z", busy);
        assert_eq!(told(&firing).len(), 3);
        (decided(&firing), firing.replaces_in_flight)
    };
    let expected = vec![(None, in_flight), (allow, in_flight), (allow, in_flight)];
    assert_eq!(look(Overlap::Allow, false), (expected, false));
    let expected = vec![(None, in_flight), (forbid, forbidden), (forbid, forbidden)];
    assert_eq!(look(Overlap::Forbid, false), (expected, false));
    let expected = vec![(None, replaced), (replace, replaced), (replace, in_flight)];
    assert_eq!(look(Overlap::Replace, false), (expected, false));
    let expected = vec![(replace, replaced), (replace, replaced), (replace, in_flight)];
    assert_eq!(look(Overlap::Replace, true), (expected, true));
}

#[test]
fn one_look_makes_up_for_no_flood() {
    let mut schedule = interval(1, "2026-01-01T00:00Z");
    schedule.catch_up = CatchUp { runs_max: u32::MAX, ..CatchUp::ONCE };
    assert!(validate(&schedule).is_err());
    let firing = look_at(&schedule, None, "2026-02-01T00:00Z");
    assert_eq!(firing.occurrences.len(), 1 + usize::try_from(CATCH_UP_RUNS_MAX).unwrap() + 1);
    let count: u64 = firing.occurrences.iter().map(|fired| fired.occurrence.count).sum();
    assert_eq!(count, 31 * 86_400, "every slot is accounted for");
}

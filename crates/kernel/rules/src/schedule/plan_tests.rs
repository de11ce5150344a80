use super::*;
use crate::schedule::fixtures::{at, cron, interval, listening, plan, shown, slot, slots};

fn first(schedule: &Schedule, count: usize) -> Vec<String> {
    slots(&plan(schedule)).take(count).map(|due| shown(&due)).collect()
}

#[test]
fn a_civil_time_that_does_not_exist_comes_right_after_the_gap() {
    for (line, zone, starts_at, expected) in [
        (
            "30 2 * * *",
            "Europe/Berlin",
            "2027-03-27T00:00Z",
            [
                "2027-03-27T02:30 @ 2027-03-27T01:30:00Z",
                "2027-03-28T02:30 @ 2027-03-28T01:00:00Z",
                "2027-03-29T02:30 @ 2027-03-29T00:30:00Z",
            ],
        ),
        (
            "30 2 * * *",
            "America/New_York",
            "2027-03-13T06:00Z",
            [
                "2027-03-13T02:30 @ 2027-03-13T07:30:00Z",
                "2027-03-14T02:30 @ 2027-03-14T07:00:00Z",
                "2027-03-15T02:30 @ 2027-03-15T06:30:00Z",
            ],
        ),
        (
            "15 2 * * *",
            "Australia/Lord_Howe",
            "2026-10-02T15:00Z",
            [
                "2026-10-03T02:15 @ 2026-10-02T15:45:00Z",
                "2026-10-04T02:15 @ 2026-10-03T15:30:00Z",
                "2026-10-05T02:15 @ 2026-10-04T15:15:00Z",
            ],
        ),
    ] {
        assert_eq!(first(&cron(line, zone, starts_at), 3), expected, "{zone}");
    }
}

#[test]
fn a_civil_time_that_comes_twice_is_one_slot_at_its_first_coming() {
    for (line, zone, starts_at, expected) in [
        (
            "30 2 * * *",
            "Europe/Berlin",
            "2026-10-25T00:00Z",
            ["2026-10-25T02:30 @ 2026-10-25T00:30:00Z", "2026-10-26T02:30 @ 2026-10-26T01:30:00Z"],
        ),
        (
            "30 1 * * *",
            "America/New_York",
            "2026-11-01T04:00Z",
            ["2026-11-01T01:30 @ 2026-11-01T05:30:00Z", "2026-11-02T01:30 @ 2026-11-02T06:30:00Z"],
        ),
        (
            "45 1 * * *",
            "Australia/Lord_Howe",
            "2027-04-03T14:00Z",
            ["2027-04-04T01:45 @ 2027-04-03T14:45:00Z", "2027-04-05T01:45 @ 2027-04-04T15:15:00Z"],
        ),
    ] {
        assert_eq!(first(&cron(line, zone, starts_at), 2), expected, "{zone}");
    }
}

#[test]
fn slots_in_one_gap_are_one_and_the_slot_after_the_gap_stands_for_them_if_there_is_one() {
    let zone = "Australia/Lord_Howe";
    let landing = cron("0,15,30 2 * * *", zone, "2026-10-03T14:00Z");
    let expected =
        ["2026-10-04T02:30 @ 2026-10-03T15:30:00Z", "2026-10-05T02:00 @ 2026-10-04T15:00:00Z"];
    assert_eq!(first(&landing, 2), expected);
    let jumped = cron("5,15,45 2 * * *", zone, "2026-10-03T14:00Z");
    let expected =
        ["2026-10-04T02:05 @ 2026-10-03T15:30:00Z", "2026-10-04T02:45 @ 2026-10-03T15:45:00Z"];
    assert_eq!(first(&jumped, 2), expected);
    let plan = plan(&jumped);
    assert_eq!(plan.count(&slot("2026-10-04T02:05"), &slot("2026-10-05T02:05")), 3);
    assert_eq!(plan.before(&slot("2026-10-04T02:45")).unwrap().slot, slot("2026-10-04T02:05"));
    // A name from another zone that does not exist here: what stands for the gap came before it.
    assert_eq!(plan.next(Some(&slot("2026-10-04T02:15"))).unwrap().slot, slot("2026-10-04T02:45"));
}

#[test]
fn a_day_that_a_zone_skips_comes_right_after_it() {
    let (zone, starts_at) = ("Pacific/Apia", "2011-12-29T12:00Z");
    let expected = [
        "2011-12-29T09:00 @ 2011-12-29T19:00:00Z",
        "2011-12-30T09:00 @ 2011-12-30T10:00:00Z",
        "2011-12-31T09:00 @ 2011-12-30T19:00:00Z",
    ];
    assert_eq!(first(&cron("0 9 * * *", zone, starts_at), 3), expected);
    let expected =
        ["2011-12-31T00:00 @ 2011-12-30T10:00:00Z", "2012-01-01T00:00 @ 2011-12-31T10:00:00Z"];
    assert_eq!(first(&cron("0 0 * * *", zone, starts_at), 2), expected);
    let minutes = plan(&cron("* * * * *", zone, starts_at));
    let count = minutes.count(&slot("2011-12-29T12:00"), &slot("2011-12-31T11:59"));
    assert_eq!(count, 24 * 60, "the skipped day has no slots of its own");
}

#[test]
fn a_quarter_of_an_hour_over_gap_and_overlap_has_every_name_once_and_instants_that_grow() {
    for (zone, starts_at, day, count) in [
        ("Europe/Berlin", "2027-03-27T22:59Z", "2027-03-28", 92),
        ("Europe/Berlin", "2026-10-24T21:59Z", "2026-10-25", 96),
        ("America/New_York", "2027-03-14T04:59Z", "2027-03-14", 92),
        ("Australia/Lord_Howe", "2026-10-03T13:29Z", "2026-10-04", 94),
        ("Australia/Lord_Howe", "2027-04-03T12:59Z", "2027-04-04", 96),
    ] {
        let plan = plan(&cron("*/15 * * * *", zone, starts_at));
        let day: Vec<Due> =
            slots(&plan).take_while(|due| due.slot.as_str().starts_with(day)).collect();
        assert_eq!(day.len(), count, "{zone}");
        assert!(day.windows(2).all(|two| two[0].slot < two[1].slot && two[0].at < two[1].at));
        let (first, last) = (&day[0].slot, &day[count - 1].slot);
        assert_eq!(plan.count(first, last), u64::try_from(count).unwrap());
    }
}

#[test]
fn an_interval_goes_by_the_real_clock_and_sorts_by_its_name() {
    // The offset of Berlin changes at 01:00Z.
    let expected = [
        "2027-03-28T00:00:30Z @ 2027-03-28T00:00:30Z",
        "2027-03-28T01:00:30Z @ 2027-03-28T01:00:30Z",
        "2027-03-28T02:00:30Z @ 2027-03-28T02:00:30Z",
    ];
    assert_eq!(first(&interval(3_600, "2027-03-27T23:00:30Z"), 3), expected);
    let odd = plan(&interval(1, "2027-03-27T23:00:30.750Z"));
    let names: Vec<String> = slots(&odd).take(2).map(|due| shown(&due)).collect();
    let expected = [
        "2027-03-27T23:00:31Z @ 2027-03-27T23:00:31.750Z",
        "2027-03-27T23:00:32Z @ 2027-03-27T23:00:32.750Z",
    ];
    assert_eq!(names, expected, "a part of a second is kept in the instant, not in the name");
    assert_eq!(odd.newest(at("2027-03-27T23:00:32.749Z")).unwrap().slot.as_str(), &names[0][..20]);
}

#[test]
fn slots_lie_after_the_start_and_not_after_the_end() {
    for mut schedule in
        [cron("0 * * * *", "UTC", "2026-11-15T07:00Z"), interval(3_600, "2026-11-15T07:00Z")]
    {
        schedule.ends_at = Some(at("2026-11-15T09:00Z"));
        let plan = plan(&schedule);
        let instants: Vec<At> = slots(&plan).map(|due| due.at).collect();
        assert_eq!(instants, [at("2026-11-15T08:00Z"), at("2026-11-15T09:00Z")]);
        assert_eq!(plan.newest(at("2030-01-01T00:00Z")).unwrap().at, at("2026-11-15T09:00Z"));
        assert_eq!(plan.newest(at("2026-11-15T07:59Z")), None);
        assert_eq!(plan.next_after_instant(at("2026-11-15T09:00Z")), None);
        let first = plan.next(None).unwrap();
        assert_eq!(plan.before(&first.slot), None);
        assert_eq!(plan.count(&slot("2000-01-01T00:00"), &slot("2100-01-01T00:00")), 2);
    }
    // A start in the second pass of an overlap lies after the slots of both passes.
    let schedule = cron("30 2 * * *", "Europe/Berlin", "2026-10-25T01:10Z");
    assert_eq!(plan(&schedule).next(None).unwrap().slot, slot("2026-10-26T02:30"));
}

#[test]
fn a_zone_further_west_does_not_bring_a_slot_again() {
    let schedule = cron("0 7 * * *", "local", "2026-11-01T00:00Z");
    let dealt_with = slot("2026-11-15T07:00");
    let berlin = Plan::compile(&schedule, "Europe/Berlin").unwrap();
    assert_eq!(berlin.newest(at("2026-11-15T06:00Z")).unwrap().slot, dealt_with);
    let new_york = Plan::compile(&schedule, "America/New_York").unwrap();
    let next = new_york.next(Some(&dealt_with)).unwrap();
    assert_eq!(shown(&next), "2026-11-16T07:00 @ 2026-11-16T12:00:00Z");
}

#[test]
fn a_zone_further_east_makes_a_slot_that_was_jumped_over_due_at_once() {
    let schedule = cron("0 7 * * *", "local", "2026-11-01T00:00Z");
    // In New York it is the evening of the 14th, in Tokyo noon of the 15th.
    let now = at("2026-11-15T03:00Z");
    let new_york = Plan::compile(&schedule, "America/New_York").unwrap();
    let dealt_with = new_york.newest(now).unwrap().slot;
    assert_eq!(dealt_with, slot("2026-11-14T07:00"));
    let tokyo = Plan::compile(&schedule, "Asia/Tokyo").unwrap();
    let next = tokyo.next(Some(&dealt_with)).unwrap();
    assert_eq!(shown(&next), "2026-11-15T07:00 @ 2026-11-14T22:00:00Z");
    assert!(next.at < now);
}

#[test]
fn a_schedule_that_changes_its_kind_goes_on_where_it_stood() {
    let starts_at = "2026-11-15T00:00Z";
    let by_cron = plan(&cron("0 * * * *", "Europe/Berlin", starts_at));
    let next = by_cron.next(Some(&slot("2026-11-15T06:30:00Z"))).unwrap();
    assert_eq!(shown(&next), "2026-11-15T08:00 @ 2026-11-15T07:00:00Z");
    let by_interval = plan(&interval(3_600, starts_at));
    let next = by_interval.next(Some(&slot("2026-11-15T07:30"))).unwrap();
    assert_eq!(shown(&next), "2026-11-15T07:00:00Z @ 2026-11-15T07:00:00Z");
    let unknown = by_interval.next(Some(&slot("manual:x"))).unwrap();
    assert_eq!(unknown, by_interval.next(None).unwrap());
}

#[test]
fn time_alone_makes_no_slot_of_an_event() {
    let plan = plan(&listening("2026-11-15T00:00Z"));
    assert_eq!((plan.next(None), plan.newest(at("2030-01-01T00:00Z"))), (None, None));
    assert_eq!(plan.count(&slot("2026-11-15T00:00"), &slot("2026-11-16T00:00")), 0);
}

#[test]
fn a_clock_that_lands_within_a_minute_has_no_slot_for_that_minute() {
    // Until 1972 Monrovia was 44 minutes and a half behind; its clocks jumped to 00:44:30.
    let schedule = cron("44,45 0 * * *", "Africa/Monrovia", "1972-01-06T12:00Z");
    let expected =
        ["1972-01-07T00:44 @ 1972-01-07T00:44:30Z", "1972-01-07T00:45 @ 1972-01-07T00:45:00Z"];
    assert_eq!(first(&schedule, 2), expected);
    let plan = plan(&schedule);
    assert_eq!(plan.newest(at("1972-01-07T00:44:30Z")), plan.next(None));
    assert_eq!(plan.newest(at("1972-01-07T00:44:29Z")), None);
}

#[test]
fn the_ends_of_time_have_no_slots_and_no_panic() {
    let starts_at = "2026-11-15T00:00Z";
    for millis in [i64::MIN, -1, 0, i64::MAX - 1, i64::MAX] {
        let instant = At::from_millis(millis);
        for (mut schedule, far) in [
            (cron("* * * * *", "Pacific/Apia", starts_at), "9999-12-31T23:59"),
            (interval(1, starts_at), "9999-12-30T00:00:00Z"),
        ] {
            let whole = plan(&schedule);
            let (_, _) = (whole.newest(instant), whole.next_after_instant(instant));
            schedule.starts_at = instant;
            let plan = plan(&schedule);
            assert_eq!(plan.next(None).is_some(), millis <= 0, "{instant}");
            assert_eq!(plan.next(Some(&slot(far))), None);
            assert_eq!(plan.newest(At::from_millis(i64::MIN)), None);
        }
    }
    assert_eq!(plan(&interval(u64::MAX, starts_at)).next(None), None);
}

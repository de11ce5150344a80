//! What is refused, and that nothing panics.

use jiff::ToSpan;
use proptest::prelude::*;

use super::*;
use crate::when::show_day;

#[test]
fn a_text_that_is_no_time_is_quoted_with_three_forms_that_work() {
    for text in [
        "",
        "  ",
        "soon",
        "in 3",
        "in 3 bananas",
        "at",
        "on",
        "at tomorrow",
        "at 5",
        "17",
        "next",
        "last",
        "end of",
        "20 nov 27",
        "now 9:00",
        "3 days",
        "2h",
        "nov 2027",
        "–",
        "9:00 x",
    ] {
        let forms = "write \"9:30\", \"20 min ago\" or \"2026-11-20 14:30\"";
        assert_eq!(shown(text, NOW), format!("{text:?} is not a time; {forms}"));
    }
    let soon = "\"soon\" is not a";
    let forms = "write \"tomorrow\", \"fri 9am\" or \"2026-11-20\"";
    assert_eq!(due_shown("soon", NOW), format!("{soon} due date; {forms}"));
    let forms = "write \"tomorrow\", \"20 nov\" or \"2026-11-20\"";
    assert_eq!(day_shown("soon", NOW), format!("{soon} day; {forms}"));
}

#[test]
fn the_forms_that_an_error_names_can_be_read() {
    for form in Wanted::Moment.forms() {
        moment(form, at(NOW), BERLIN).unwrap();
    }
    for form in Wanted::Due.forms() {
        due(form, at(NOW), BERLIN).unwrap();
    }
    for form in Wanted::Day.forms() {
        day(form, at(NOW), BERLIN).unwrap();
    }
    for form in Wanted::Minutes.forms() {
        crate::when::minutes(form).unwrap();
    }
}

#[test]
fn what_does_not_exist_is_refused_with_the_reason() {
    let years = "years run from 1970 to 9998";
    let hours = "a day has the hours 0 to 23";
    for (why, texts) in [
        ("February has the days 1 to 29", &["31 feb", "feb 30", "31.2.", "0.2."][..]),
        ("February 2027 has the days 1 to 28", &["29 feb 2027", "2027-02-29", "29.2.2027"]),
        ("November 2026 has the days 1 to 30", &["2026-11-31T10:00Z", "2026-11-0 9:00"]),
        ("a year has the months 1 to 12", &["2026-13-01", "1.13.2026", "20.0.", "2026-00-01"]),
        (hours, &["25:00", "24:00", "99:00", "tomorrow 25:00", "2026-11-20T25:00Z", "100:00"]),
        ("minutes and seconds run from 00 to 59", &["9:60", "23:59:60", "9:75pm"]),
        ("minutes and seconds have two digits", &["9:5", "9:005"]),
        ("with am and pm, hours run from 1 to 12", &["13pm", "0am", "0:30 am"]),
        (years, &["1969-12-31", "9999-01-01", "12026-01-01", "20 nov 1492", "20.11.123456"]),
        (years, &["in 9000 years", "9000 years ago", "+999999mo", "-999999w", "in 999999 y"]),
        (years, &["1969-12-31T23:59:59Z", "9999-01-01T00:00Z", "1970-01-01"]),
        ("the number is too large", &["in 9999999 days", "+99999999999999999999h"]),
        ("only hours can have a fraction", &["in 1.5 days", "1.5 weeks ago"]),
        ("2026-11-20 is a Friday", &["thu 20 nov", "mon 2026-11-20"]),
        ("a year has four digits", &["20.11.26"]),
        ("it names two days", &["today tomorrow", "fri in 3 days", "next fri 20 nov"]),
        ("it names two times", &["9:00 10:00", "noon 12:00"]),
    ] {
        for text in texts {
            assert_eq!(shown(text, NOW), format!("{text:?} is not a time: {why}"));
        }
    }
    let why = "hours and minutes from now leave no choice of a day or a time";
    assert_eq!(shown("in 2h 9:00", NOW), format!("\"in 2h 9:00\" is not a time: {why}"));
    let why = "what follows the time is not an offset like \"+01:00\" or \"Z\"";
    let text = "2026-11-20T14:30+99";
    assert_eq!(shown(text, NOW), format!("{text:?} is not a time: {why}"));
}

#[test]
fn what_can_be_read_in_two_ways_is_refused_with_a_hint() {
    for text in ["11/12/2026", "11/12", "20/11/2026", "11-12-2026", "11/12/2026 9:00"] {
        let hint = "day and month can be mistaken for each other; \
            write the year first, like \"2026-11-20\"";
        assert_eq!(due_shown(text, NOW), format!("{text:?} is not a due date: {hint}"));
    }
    let hint = "\"20.11\" is not a due date: it is the time \"20:11\" or the day \"20.11.\"";
    assert_eq!(due_shown("20.11", NOW), hint);
    let hint = "\"fri 20.11\" is not a due date: it is the time \"20:11\" or the day \"20.11.\"";
    assert_eq!(due_shown("fri 20.11", NOW), hint);
    assert_eq!(due_shown("fri 20.12", NOW), "2026-11-20 20:12:00", "20 December is a Sunday");
    let hint = "\"31.12\" is not a due date: a day has a dot at its end, like \"31.12.\"";
    assert_eq!(due_shown("31.12", NOW), hint);
}

#[test]
fn a_day_is_refused_if_it_has_a_time() {
    for text in ["tomorrow 9:00", "9:00", "now", "in 2h", "2026-11-20T14:30Z", "fri noon"] {
        let why = "it says at what time, and only a day is asked";
        assert_eq!(day_shown(text, NOW), format!("{text:?} is not a day: {why}"));
    }
}

#[test]
fn a_long_text_is_refused_and_not_repeated() {
    let text = "tomorrow ".repeat(12);
    let shown = shown(&text, NOW);
    assert!(shown.ends_with("is not a time: it has 108 bytes, the limit is 100"), "{shown}");
    assert!(shown.len() < 150, "{shown}");
}

#[test]
fn a_zone_that_nobody_knows_is_refused() {
    for zone in ["berlin", "local", ""] {
        let error = moment("now", at(NOW), zone).unwrap_err();
        assert!(error.to_string().starts_with("no time zone is called"), "{error}");
    }
}

/// Words that have a meaning, in an order that need not have one.
fn nearly_a_time() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        prop::sample::select(vec![
            "in", "ago", "at", "on", "next", "last", "this", "end", "of", "the", "fri", "nov",
            "feb", "today", "eom", "am", "pm", "noon", "d", "h", "m", "mo", "y", "weeks", "+", "-",
            ",", "t", "z",
        ])
        .prop_map(str::to_owned),
        "[0-9]{1,7}",
        "[0-9]{1,2}[:.][0-9]{1,2}",
        "[+-][0-9]{1,6}[mhdwy]",
        "[0-9]{1,5}[-/.][0-9]{1,3}[-/.][0-9]{0,5}",
        "[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9]{2}:[0-9]{2}[Z+-]?",
    ];
    (prop::collection::vec(word, 0..6), prop::bool::ANY)
        .prop_map(|(words, spaced)| words.join(if spaced { " " } else { "" }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_and_no_clock_makes_a_reader_panic(
        text in prop_oneof![any::<String>(), "\\PC{0,30}", nearly_a_time()],
        now in prop_oneof![any::<i64>(), 0..253_000_000_000_000_i64],
        zone in prop::sample::select(vec!["UTC", BERLIN, "Pacific/Apia", "Pacific/Kiritimati"]),
    ) {
        let now = At::from_millis(now);
        if let Ok(found) = moment(&text, now, zone) {
            prop_assert!(found >= At::EPOCH);
        }
        if let Ok(found) = due(&text, now, zone) {
            prop_assert!((1970..=9998).contains(&found.day.year()), "{}", found.day);
            prop_assert!(found.time.is_none_or(|time| time.second() == 0));
        }
        if let Ok(found) = day(&text, now, zone) {
            prop_assert_eq!(due(&text, now, zone), Ok(Due { day: found, time: None }));
        }
    }

    #[test]
    fn a_day_that_is_shown_can_be_read(days in -1..2_000_i64, now in 0..4_000_000_000_000_i64) {
        let now = At::from_millis(now);
        let today = day("today", now, BERLIN).unwrap();
        let date = today.checked_add(days.days()).unwrap();
        prop_assert_eq!(day(&show_day(date, today), now, BERLIN), Ok(date));
    }

    #[test]
    fn an_instant_that_is_written_out_is_read_as_itself(
        millis in 0..250_000_000_000_000_i64,
        now in 0..250_000_000_000_000_i64,
    ) {
        let instant = At::from_millis(millis);
        prop_assert_eq!(moment(&instant.to_string(), At::from_millis(now), BERLIN), Ok(instant));
    }
}

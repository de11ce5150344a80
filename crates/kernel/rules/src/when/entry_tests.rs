use super::*;

/// A Wednesday; a quarter past eleven in Berlin.
const NOW: &str = "2026-11-18T10:15:30.250Z";
const BERLIN: &str = "Europe/Berlin";

fn at(text: &str) -> At {
    text.parse().unwrap()
}

/// What clocks in Berlin show at the moment that a text names.
fn shown(text: &str, now: &str) -> String {
    match moment(text, at(now), BERLIN) {
        Ok(found) => Here::new(found, BERLIN).unwrap().hands(civil::timestamp(found)).to_string(),
        Err(error) => error.to_string(),
    }
}

fn due_shown(text: &str, now: &str) -> String {
    match due(text, at(now), BERLIN) {
        Ok(Due { day, time: None }) => day.to_string(),
        Ok(Due { day, time: Some(time) }) => format!("{day} {time}"),
        Err(error) => error.to_string(),
    }
}

fn day_shown(text: &str, now: &str) -> String {
    day(text, at(now), BERLIN).map_or_else(|error| error.to_string(), |day| day.to_string())
}

#[test]
fn a_moment_is_read_in_every_way_that_people_write_one() {
    let half_past_two = "2026-11-20T14:30:00";
    for (expected, texts) in [
        ("2026-11-18T11:15:30.25", &["now", " NOW ", "in 0 min", "+0h"][..]),
        ("2026-11-18T12:00:30.25", &["in 45 min", "+45m", "in 0.75 hours", "+0,75h"]),
        ("2026-11-18T10:55:30.25", &["20 min ago", "20 minutes ago", "-20m", "20MIN AGO"]),
        ("2026-11-18T09:15:30.25", &["-2h", "2 hours ago", "-2 h", "1h 60m ago"]),
        ("2026-11-18T12:45:30.25", &["+1h30", "in 1h 30m", "in 1h 30", "in 1 hour 30 minutes"]),
        ("2026-11-19T12:15:30.25", &["in 1 day 1 hour", "+1d1h", "+1d 1h"]),
        ("2026-11-21T11:15:30.25", &["in 3 days", "+3d", "+3 days"]),
        ("2026-11-15T11:15:30.25", &["3 days ago", "-3d"]),
        ("2026-11-18T09:00:00", &["9:00", "09:00", "9am", "9 am", "9 a.m.", "at 9:00", "9:00:00"]),
        ("2026-11-18T21:30:00", &["9:30pm", "9:30 PM", "21:30", "21.30", "9.30pm", "today 21:30"]),
        ("2026-11-18T14:30:00", &["14.30", "14:30", "at 14.30", "today at 14:30", "today, 14:30"]),
        ("2026-11-18T09:10:00", &["at 9.10", "today 9.10", "9.10 am"]),
        ("2026-11-18T12:00:00", &["noon", "12pm", "today noon", "noon today"]),
        ("2026-11-18T00:00:00", &["midnight", "12am", "today", "0:00"]),
        ("2026-11-19T09:00:00", &["tomorrow 9:00", "9:00 tomorrow", "tomorrow at 9am", "tmr 9:00"]),
        ("2026-11-20T09:00:00", &["fri 9am", "9am fri", "on friday at 9:00", "9 am on Fri."]),
        ("2026-11-21T09:00:00", &["in 3 days 9:00", "in 3 days at 9am", "9:00 in 3 days"]),
        ("2026-11-17T17:05:00", &["yesterday 17:05", "1 day ago 17:05", "-1d 17:05"]),
        ("2026-11-20T14:30:00", &["2026-11-20 14:30", "2026-11-20T14:30", "2026-11-20t14:30:00"]),
        (half_past_two, &["2026-11-20T13:30Z", "2026-11-20T13:30:00z", "2026-11-20T08:30-05:00"]),
        (half_past_two, &[" 2026-11-20  13:30:00Z", "20.11. 14:30", "14.30 20.11.2026"]),
        (half_past_two, &["nov 20 2:30pm", "Fri, 20 Nov 2026, 14:30", "2026/11/20 14:30"]),
        ("2026-11-20T14:30:15", &["2026-11-20T14:30:15.750", "2026-11-20 14:30:15"]),
        ("2026-11-20T00:00:00", &["2026-11-20", "fri", "20 nov"]),
        ("2026-12-01T00:00:00", &["eom", "end of month", "end of the month", "next month"]),
        ("2026-11-30T23:00:00", &["eom 23:00"]),
        ("2026-11-19T00:00:00", &["eod", "end of day", "tomorrow"]),
    ] {
        for text in texts {
            assert_eq!(shown(text, NOW), expected, "{text}");
        }
    }
}

#[test]
fn a_due_date_has_a_time_only_if_one_was_said() {
    for (text, expected) in [
        ("tomorrow", "2026-11-19"),
        ("fri", "2026-11-20"),
        ("in 3 days", "2026-11-21"),
        ("in 2 weeks", "2026-12-02"),
        ("eom", "2026-11-30"),
        ("fri 9am", "2026-11-20 09:00:00"),
        ("fri midnight", "2026-11-20 00:00:00"),
        ("20.11. 14.30", "2026-11-20 14:30:00"),
        ("2026-11-20T14:30:59", "2026-11-20 14:30:00"),
        ("2026-11-20T23:30Z", "2026-11-21 00:30:00"),
        ("in 45 min", "2026-11-18 12:00:00"),
        ("in 13 hours", "2026-11-19 00:15:00"),
        ("now", "2026-11-18 11:15:00"),
    ] {
        assert_eq!(due_shown(text, NOW), expected, "{text}");
    }
}

#[test]
fn a_time_alone_is_todays_as_a_moment_and_the_next_one_as_a_due_date() {
    for (text, as_moment, as_due) in [
        ("17:00", "2026-11-18T17:00:00", "2026-11-18 17:00:00"),
        ("11:15", "2026-11-18T11:15:00", "2026-11-18 11:15:00"),
        ("11:14", "2026-11-18T11:14:00", "2026-11-19 11:14:00"),
        ("midnight", "2026-11-18T00:00:00", "2026-11-19 00:00:00"),
    ] {
        assert_eq!(shown(text, NOW), as_moment);
        assert_eq!(due_shown(text, NOW), as_due);
    }
}

#[test]
fn weekdays_are_counted_from_today() {
    // Wednesday, Friday, Saturday, Sunday and Monday.
    let todays = ["2026-11-18", "2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"];
    for (text, expected) in [
        ("fri", ["11-20", "11-27", "11-27", "11-27", "11-27"]),
        ("this fri", ["11-20", "11-20", "11-27", "11-27", "11-27"]),
        ("next fri", ["11-27", "11-27", "11-27", "11-27", "12-04"]),
        ("last fri", ["11-13", "11-13", "11-20", "11-20", "11-20"]),
        ("monday", ["11-23", "11-23", "11-23", "11-23", "11-30"]),
        ("next mon", ["11-23", "11-23", "11-23", "11-23", "11-30"]),
        ("last mon", ["11-16", "11-16", "11-16", "11-16", "11-16"]),
        ("wednes", ["11-25", "11-25", "11-25", "11-25", "11-25"]),
        ("next wed", ["11-25", "11-25", "11-25", "11-25", "12-02"]),
        ("sun", ["11-22", "11-22", "11-22", "11-29", "11-29"]),
        ("next sun", ["11-29", "11-29", "11-29", "11-29", "12-06"]),
        ("eow", ["11-22", "11-22", "11-22", "11-22", "11-29"]),
        ("next week", ["11-23", "11-23", "11-23", "11-23", "11-30"]),
    ] {
        for (today, expected) in todays.iter().zip(expected) {
            let found = day_shown(text, &format!("{today}T10:00Z"));
            assert_eq!(found, format!("2026-{expected}"), "{text} on {today}");
        }
    }
}

#[test]
fn a_day_by_the_calendar_is_the_next_such_day_unless_its_year_is_said() {
    for (expected, texts) in [
        ("2026-11-20", &["nov 20", "20 nov", "20.11.", "20th of November", "nov. 20th"][..]),
        ("2026-11-18", &["18 nov", "18.11.", "wed 18 nov"]),
        ("2027-11-17", &["17 nov", "17.11.", "17. november"]),
        ("2027-11-20", &["20 nov 2027", "nov 20, 2027", "20.11.2027", "sat 2027-11-20"]),
        ("2025-11-20", &["20 nov 2025", "2025-11-20", "2025/11/20", "20.11.2025"]),
        ("2028-02-29", &["29 feb", "29.2.", "29.02.", "feb 29 2028", "2028-2-29"]),
        ("2027-01-01", &["1.1.", "1st jan", "next year"]),
        ("2026-12-31", &["eoy", "end of year", "dec 31"]),
        ("2026-12-18", &["in 1 month", "in a month", "+1mo"]),
        ("2025-11-18", &["a year ago", "1y ago", "-12mo"]),
    ] {
        for text in texts {
            assert_eq!(day_shown(text, NOW), expected, "{text}");
        }
    }
    assert_eq!(day_shown("29 feb", "2096-03-01T10:00Z"), "2104-02-29");
    assert_eq!(day_shown("1 month ago", "2026-03-31T10:00Z"), "2026-02-28");
}

#[test]
fn today_is_what_it_is_in_the_zone() {
    let late = at("2026-11-18T23:30Z");
    let found = |zone| day("today", late, zone).unwrap().to_string();
    assert_eq!(found("UTC"), "2026-11-18");
    assert_eq!(found(BERLIN), "2026-11-19");
    assert_eq!(found("America/New_York"), "2026-11-18");
}

#[test]
fn a_time_that_is_skipped_comes_later_and_of_one_that_comes_twice_the_first_is_meant() {
    for (text, zone, expected) in [
        ("2027-03-28 02:30", BERLIN, "2027-03-28T01:30:00Z"),
        ("2026-10-25 02:30", BERLIN, "2026-10-25T00:30:00Z"),
        // The day begins an hour late in Cairo, and Samoa has not had this one at all.
        ("2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00Z"),
        ("2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00Z"),
    ] {
        assert_eq!(moment(text, at(NOW), zone), Ok(at(expected)), "{text} in {zone}");
    }
    // A day by the calendar is not 24 hours.
    let before = "2027-03-27T11:00:00Z";
    assert_eq!(moment("in 1 day", at(before), BERLIN), Ok(at("2027-03-28T10:00:00Z")));
    assert_eq!(moment("in 24 h", at(before), BERLIN), Ok(at("2027-03-28T11:00:00Z")));
}

#[path = "refusal_tests.rs"]
mod refusals;

#[test]
fn a_time_of_a_certain_day_is_that_days_and_everything_else_stays_as_it_is() {
    let friday: Date = "2026-11-20".parse().unwrap();
    let on = |text: &str| moment_on(text, friday, at(NOW), BERLIN).map(|found| found.to_string());
    for (text, expected) in [
        ("9:00", "2026-11-20T08:00:00.000Z"),
        ("2pm", "2026-11-20T13:00:00.000Z"),
        ("24:00", "2026-11-20T23:00:00.000Z"),
        ("now", "2026-11-18T10:15:30.250Z"),
        ("tomorrow 9:00", "2026-11-19T08:00:00.000Z"),
        ("2026-11-21T09:00:00+01:00", "2026-11-21T08:00:00.000Z"),
    ] {
        assert_eq!(on(text).unwrap(), expected, "{text}");
    }
    assert!(on("25:00").is_err() && on("later").is_err());
}

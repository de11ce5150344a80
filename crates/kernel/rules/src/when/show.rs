//! Days, instants and durations for people to read. Durations, and days from yesterday on, can be read
//! back.

use jiff::civil::Date;
use types::At;

use super::here::Here;
use super::names;
use crate::schedule::civil;

/// A day, as one speaks of it today: `today`, `Fri 20 Nov`, or `20 Nov 2027` in another year.
#[must_use]
pub fn show_day(date: Date, today: Date) -> String {
    let day = date.day();
    let month = names::short(names::month_name(date.month()));
    match date {
        _ if date == today => "today".to_owned(),
        _ if Ok(date) == today.tomorrow().map_err(drop) => "tomorrow".to_owned(),
        _ if Ok(date) == today.yesterday().map_err(drop) => "yesterday".to_owned(),
        _ if date.year() == today.year() => {
            let weekday = names::short(names::weekday_name(date.weekday()));
            format!("{weekday} {day} {month}")
        }
        _ => format!("{day} {month} {}", date.year()),
    }
}

/// An instant, as one speaks of it now by the clock on the wall: `today 14:05`, `20 Nov 2027 09:30`. In a
/// zone that nobody knows it is UTC's clock.
#[must_use]
pub fn show_moment(at: At, now: At, zone: &str) -> String {
    let Ok(here) = Here::new(now, zone).or_else(|_| Here::new(now, "UTC")) else {
        return at.to_string();
    };
    let hands = here.hands(civil::timestamp(at));
    let day = show_day(hands.date(), here.today());
    format!("{day} {:02}:{:02}", hands.hour(), hands.minute())
}

/// A duration: `45m`, `2h`, `1h 30m`.
#[must_use]
pub fn show_minutes(minutes: u32) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes}m"),
        (hours, 0) => format!("{hours}h"),
        (hours, minutes) => format!("{hours}h {minutes}m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_shown_as_one_speaks_of_it() {
        let show =
            |date: &str, today: &str| show_day(date.parse().unwrap(), today.parse().unwrap());
        for (date, shown) in [
            ("2026-11-18", "today"),
            ("2026-11-19", "tomorrow"),
            ("2026-11-17", "yesterday"),
            ("2026-11-20", "Fri 20 Nov"),
            ("2026-01-05", "Mon 5 Jan"),
            ("2027-11-20", "20 Nov 2027"),
            ("2025-12-31", "31 Dec 2025"),
        ] {
            assert_eq!(show(date, "2026-11-18"), shown);
        }
        assert_eq!(show("2027-01-01", "2026-12-31"), "tomorrow");
        assert_eq!(show("9999-12-31", "9999-12-31"), "today");
        assert_eq!(show("9999-12-30", "9999-12-31"), "yesterday");
        assert_eq!(show("-009999-01-01", "9999-12-31"), "1 Jan -9999");
    }

    #[test]
    fn an_instant_is_shown_by_the_clock_on_the_wall() {
        let at = |text: &str| text.parse::<At>().unwrap();
        let now = at("2026-11-18T22:30:00Z");
        let show = |text: &str, zone: &str| show_moment(at(text), now, zone);
        assert_eq!(show("2026-11-18T08:05:00Z", "UTC"), "today 08:05");
        assert_eq!(show("2026-11-18T23:15:00Z", "Europe/Berlin"), "tomorrow 00:15");
        assert_eq!(show("2025-01-05T12:00:00Z", "Nowhere/At_All"), "5 Jan 2025 12:00");
    }

    #[test]
    fn a_duration_is_shown_without_parts_that_are_zero() {
        let table = [(0, "0m"), (45, "45m"), (60, "1h"), (90, "1h 30m"), (1_505, "25h 5m")];
        for (minutes, shown) in table {
            assert_eq!(show_minutes(minutes), shown);
        }
        assert_eq!(show_minutes(u32::MAX), "71582788h 15m");
    }
}

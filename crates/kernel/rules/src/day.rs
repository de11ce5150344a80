//! Days by the wall clock of a zone.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use types::{At, Day, Due};

use crate::schedule::{civil, zone};

/// The day that it is somewhere at an instant. A zone that nobody knows is taken for UTC: a journal
/// must not stop because a host has an odd clock.
#[must_use]
pub fn of(at: At, zone: &str) -> Day {
    let date = civil::timestamp(at).to_zoned(named(zone)).date();
    Day::new(date).unwrap_or_else(|_| Day::new(Date::constant(1, 1, 1)).expect("a year of ours"))
}

/// The first instant of a day somewhere, and the first after it.
#[must_use]
pub fn bounds(day: Day, zone: &str) -> (At, At) {
    let zone = named(zone);
    let start = |date: Date| {
        let found = zone.to_ambiguous_timestamp(date.to_datetime(Time::midnight())).compatible();
        found.map_or(At::from_millis(i64::MAX), |at| At::from_millis(at.as_millisecond()))
    };
    let next = day.date().tomorrow().unwrap_or(day.date());
    (start(day.date()), start(next))
}

/// What a clock on the wall shows somewhere at an instant: `09:30`.
#[must_use]
pub fn clock(at: At, zone: &str) -> String {
    civil::timestamp(at).to_zoned(named(zone)).strftime("%H:%M").to_string()
}

/// An instant as it is written somewhere, with the offset there: `2026-11-15T09:30:00+01:00`.
#[must_use]
pub fn local(at: At, zone: &str) -> String {
    civil::timestamp(at).to_zoned(named(zone)).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// The day so many days later, or earlier.
#[must_use]
pub fn shifted(day: Day, days: i64) -> Option<Day> {
    let span = jiff::Span::new().try_days(days).ok()?;
    day.date().checked_add(span).ok().and_then(|date| Day::new(date).ok())
}

/// Whether what was due is late: its day is over, or its minute has come.
#[must_use]
pub fn is_over(due: Due, at: At, zone: &str) -> bool {
    let here = civil::timestamp(at).to_zoned(named(zone));
    match due.time {
        None => due.day.date() < here.date(),
        Some(time) => due.day.date().to_datetime(time) <= here.datetime(),
    }
}

fn named(zone: &str) -> TimeZone {
    zone::named(zone).unwrap_or(TimeZone::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_as_long_as_its_clock_says() {
        let hours = |day: &str| {
            let (from, to) = bounds(day.parse().unwrap(), "Europe/Berlin");
            (to.millis() - from.millis()) / 3_600_000
        };
        assert_eq!([hours("2026-11-15"), hours("2026-03-29"), hours("2026-10-25")], [24, 23, 25]);
    }

    #[test]
    fn an_instant_is_on_different_days_in_different_places() {
        let at: At = "2026-11-15T23:30:00Z".parse().unwrap();
        assert_eq!(of(at, "UTC").to_string(), "2026-11-15");
        assert_eq!(of(at, "Europe/Berlin").to_string(), "2026-11-16");
        assert_eq!(of(at, "Nowhere/At_All").to_string(), "2026-11-15");
        assert_eq!(shifted(of(at, "UTC"), -15).unwrap().to_string(), "2026-10-31");
    }

    #[test]
    fn a_day_is_over_when_the_next_begins_and_a_minute_when_it_comes() {
        let at = "2026-11-15T23:30:00Z".parse().unwrap();
        let over = |due: &str, zone: &str| is_over(due.parse().unwrap(), at, zone);
        assert!(!over("2026-11-15", "UTC") && over("2026-11-15", "Europe/Berlin"));
        assert!(over("2026-11-15T23:30", "UTC") && !over("2026-11-15T23:31", "UTC"));
        assert!(over("2026-11-16T00:30", "Europe/Berlin") && !over("2026-11-16", "Europe/Berlin"));
    }

    #[test]
    fn an_instant_is_shown_by_the_clock_of_its_place_and_read_back_as_itself() {
        let at: At = "2026-07-01T23:30:00Z".parse().unwrap();
        assert_eq!(clock(at, "Europe/Berlin"), "01:30");
        assert_eq!(local(at, "Europe/Berlin"), "2026-07-02T01:30:00+02:00");
        assert_eq!(local(at, "America/New_York").parse::<At>().unwrap(), at);
    }
}

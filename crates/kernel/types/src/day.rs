//! Civil days and times: what a calendar on a wall shows, wherever it hangs.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, Time};

use crate::Invalid;
use crate::text::as_text;

/// A day of the calendar, without a zone: `2026-11-15`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Date);

impl Day {
    /// The day of a date. Years outside 1 to 9999 have no place on a calendar.
    ///
    /// # Errors
    /// If the year is outside.
    pub fn new(date: Date) -> Result<Day, Invalid> {
        match date.year() {
            1..=9999 => Ok(Day(date)),
            year => Err(Invalid::new("day", format!("is in the year {year}"))),
        }
    }

    /// Its date.
    #[must_use]
    pub const fn date(self) -> Date {
        self.0
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.0;
        write!(f, "{:04}-{:02}-{:02}", date.year(), date.month(), date.day())
    }
}

impl FromStr for Day {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Day, Invalid> {
        let date = text.parse::<Date>().ok().and_then(|date| Day::new(date).ok());
        // jiff reads more forms than this one; a day has one text, so that it can be compared.
        date.filter(|day| day.to_string() == text)
            .ok_or_else(|| Invalid::new("day", format!("{text:?} is not a day like 2026-11-15")))
    }
}

/// When something is due: on a day, or at a time of that day by the clock on the wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Due {
    /// On which day.
    pub day: Day,
    /// At which minute of it, if it matters.
    pub time: Option<Time>,
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.time {
            None => self.day.fmt(f),
            Some(time) => write!(f, "{}T{:02}:{:02}", self.day, time.hour(), time.minute()),
        }
    }
}

impl FromStr for Due {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Due, Invalid> {
        let Some((day, time)) = text.split_once('T') else {
            return Ok(Due { day: text.parse()?, time: None });
        };
        let wrong = || Invalid::new("due", format!("{text:?} is not like 2026-11-15T09:00"));
        let (hour, minute) = time.split_once(':').ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<i8>().ok().filter(|_| text.len() == 2);
        let (hour, minute) = number(hour).zip(number(minute)).ok_or_else(wrong)?;
        let time = Time::new(hour, minute, 0, 0).map_err(|_| wrong())?;
        Ok(Due { day: day.parse()?, time: Some(time) })
    }
}

as_text!(Day, Due);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_and_a_due_time_have_one_text_each() {
        for text in ["2026-11-15", "0001-01-01", "9999-12-31"] {
            assert_eq!(text.parse::<Day>().unwrap().to_string(), text);
            assert_eq!(text.parse::<Due>().unwrap().to_string(), text);
        }
        assert_eq!("2026-11-15T09:05".parse::<Due>().unwrap().to_string(), "2026-11-15T09:05");
        for bad in ["2026-02-30", "20261115", "2026-11-15T9:05", "2026-11-15T24:00", "today", ""] {
            assert!(bad.parse::<Due>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_day_comes_before_its_times() {
        let due = |text: &str| text.parse::<Due>().unwrap();
        assert!(due("2026-11-15") < due("2026-11-15T00:00"));
        assert!(due("2026-11-15T23:59") < due("2026-11-16"));
    }
}

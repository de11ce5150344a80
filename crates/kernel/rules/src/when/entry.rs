//! A text as what the caller needs: an instant, a due date or a day.

use jiff::civil::{Date, Time};
use jiff::{Timestamp, ToSpan};
use types::At;

use super::error::{Wanted, WhenError};
use super::here::Here;
use super::range;
use super::spoken::{self, Day, Spoken, Unsaid};
use crate::schedule::civil;

/// Reads an instant: when something begins or ends.
///
/// A time without a day is today's, whether it has passed or not. A day without a time is its first
/// instant, and the end of a month the first instant after it; `in 3 days` keeps the time that it is
/// now. A time that the zone skips comes as much later as was skipped, of one that comes twice the
/// first is meant.
///
/// # Errors
/// If the text is no time, or no zone has that name.
pub fn moment(text: &str, now: At, zone: &str) -> Result<At, WhenError> {
    let here = Here::new(now, zone).map_err(WhenError::Zone)?;
    let spoken = understand(text, &here, Wanted::Moment)?;
    let found = instant_of(spoken, &here).and_then(range::instant);
    found.map(civil::at).map_err(|why| WhenError::refused(text, Wanted::Moment, why))
}

/// Reads an instant of a certain day: a time without a day is that day's, and `24:00` is the first
/// instant after it. Everything else is read as [`moment`] reads it.
///
/// # Errors
/// If the text is no time, or no zone has that name.
pub fn moment_on(text: &str, day: Date, now: At, zone: &str) -> Result<At, WhenError> {
    let here = Here::new(now, zone).map_err(WhenError::Zone)?;
    let found = match text.trim() {
        "24:00" => end_of(day, &here),
        text => match understand(text, &here, Wanted::Moment)? {
            Spoken::Time(time) => here.instant(day, time),
            spoken => instant_of(spoken, &here),
        },
    };
    let found = found.and_then(range::instant);
    found.map(civil::at).map_err(|why| WhenError::refused(text, Wanted::Moment, why))
}

/// When something is due: a day, perhaps with a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Due {
    /// The day.
    pub day: Date,
    /// The time of that day, to the minute.
    pub time: Option<Time>,
}

/// Reads a due date.
///
/// A time without a day is the next such time: today's, or tomorrow's if that has passed. Hours and
/// minutes from now, and instants with an offset, are what clocks in the zone then show.
///
/// # Errors
/// If the text is no due date, or no zone has that name.
pub fn due(text: &str, now: At, zone: &str) -> Result<Due, WhenError> {
    let here = Here::new(now, zone).map_err(WhenError::Zone)?;
    let (day, time) = match understand(text, &here, Wanted::Due)? {
        Spoken::Day(day, time) => (Ok(day.date), time),
        Spoken::Time(time) if time >= to_the_minute(here.clock()) => (Ok(here.today()), Some(time)),
        Spoken::Time(time) => (here.day_after(1.day()), Some(time)),
        Spoken::Instant(at) => (Ok(here.hands(at).date()), Some(here.hands(at).time())),
    };
    let day = day.and_then(range::day);
    let day = day.map_err(|why| WhenError::refused(text, Wanted::Due, why))?;
    Ok(Due { day, time: time.map(to_the_minute) })
}

/// Reads a day.
///
/// # Errors
/// If the text is no day or has a time as well, or no zone has that name.
pub fn day(text: &str, now: At, zone: &str) -> Result<Date, WhenError> {
    let here = Here::new(now, zone).map_err(WhenError::Zone)?;
    match understand(text, &here, Wanted::Day)? {
        Spoken::Day(day, None) => Ok(day.date),
        Spoken::Day(_, Some(_)) | Spoken::Time(_) | Spoken::Instant(_) => Err(WhenError::refused(
            text,
            Wanted::Day,
            "it says at what time, and only a day is asked",
        )),
    }
}

fn understand(text: &str, here: &Here, wanted: Wanted) -> Result<Spoken, WhenError> {
    let spoken = spoken::read(text, here).map_err(|why| WhenError::refused(text, wanted, why))?;
    spoken.ok_or_else(|| WhenError::unreadable(text, wanted))
}

fn instant_of(spoken: Spoken, here: &Here) -> Result<Timestamp, String> {
    match spoken {
        Spoken::Instant(at) => Ok(at),
        Spoken::Time(time) => here.instant(here.today(), time),
        Spoken::Day(day, Some(time)) => here.instant(day.date, time),
        Spoken::Day(Day { date, unsaid }, None) => match unsaid {
            Unsaid::Start => here.instant(date, Time::midnight()),
            Unsaid::SameClock => here.instant(date, here.clock()),
            Unsaid::End => end_of(date, here),
        },
    }
}

/// The first instant after a day.
fn end_of(day: Date, here: &Here) -> Result<Timestamp, String> {
    let after = day.tomorrow().map_err(|_| range::outside())?;
    here.instant(after, Time::midnight())
}

fn to_the_minute(time: Time) -> Time {
    Time::constant(time.hour(), time.minute(), 0, 0)
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;

//! Now and here: the instant and the zone that a text is read in.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Zoned};
use types::At;

use super::range;
use crate::schedule::{ScheduleError, civil, zone};

/// Where and when a text is read.
pub(super) struct Here {
    now: Zoned,
}

impl Here {
    /// This instant in the zone of that name.
    ///
    /// # Errors
    /// If no zone has that name.
    pub(super) fn new(now: At, zone: &str) -> Result<Here, ScheduleError> {
        Ok(Here { now: civil::timestamp(now).to_zoned(zone::named(zone)?) })
    }

    pub(super) fn now(&self) -> Timestamp {
        self.now.timestamp()
    }

    pub(super) fn today(&self) -> Date {
        self.now.date()
    }

    /// What a clock on the wall shows.
    pub(super) fn clock(&self) -> Time {
        self.now.time()
    }

    /// What date and time it is here at an instant.
    pub(super) fn hands(&self, at: Timestamp) -> DateTime {
        self.zone().to_datetime(at)
    }

    /// When a wall clock shows this. A time that is skipped comes as much later as was skipped, of one
    /// that comes twice the first is meant.
    pub(super) fn instant(&self, day: Date, time: Time) -> Result<Timestamp, String> {
        let found = self.zone().to_ambiguous_timestamp(day.to_datetime(time)).compatible();
        found.map_err(|_| range::outside())
    }

    /// The day that is this far from today.
    pub(super) fn day_after(&self, span: Span) -> Result<Date, String> {
        self.today().checked_add(span).map_err(|_| range::outside()).and_then(range::day)
    }

    /// The instant that is this far from now: days and months by the calendar, minutes by the clock.
    pub(super) fn instant_after(&self, span: Span) -> Result<Timestamp, String> {
        let found = self.now.checked_add(span).map_err(|_| range::outside())?;
        range::instant(found.timestamp())
    }

    fn zone(&self) -> &TimeZone {
        self.now.time_zone()
    }
}

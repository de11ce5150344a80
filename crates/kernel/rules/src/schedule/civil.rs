//! Civil minutes: what a clock on the wall shows, as a number that can be counted with.
//!
//! The number of a civil minute is how many minutes lie between 1970 and it on a wall clock that
//! never changes its offset. At which instant the minute comes is for a zone to say.

use jiff::civil::DateTime;
use jiff::{Timestamp, tz::Offset};
use types::{At, SlotName};

/// Before every civil minute that a slot can have: no wall clock shows it after the first instant.
pub(super) const FIRST: i64 = -2 * 24 * 60;

/// The last minute of the year 9998: the year after it is too short for the zones at its end.
pub(super) const LAST: i64 = 4_222_846_079;

/// The minute that a wall clock with these hands is in.
pub(super) fn minute(hands: DateTime) -> i64 {
    seconds(hands).div_euclid(60)
}

/// The first whole minute that is not before these hands.
pub(super) fn minute_from(hands: DateTime) -> i64 {
    let part = i64::from(hands.subsec_nanosecond() > 0);
    (seconds(hands) + part + 59).div_euclid(60)
}

/// The hands of a wall clock at the start of a minute.
pub(super) fn hands(minute: i64) -> DateTime {
    Offset::UTC.to_datetime(timestamp(At::from_millis(minute * 60_000)))
}

/// The name of the slot at a civil minute.
pub(super) fn name(minute: i64) -> SlotName {
    let at = hands(minute);
    let (year, month, day) = (at.year(), at.month(), at.day());
    let (hour, minute) = (at.hour(), at.minute());
    SlotName::named(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}"))
}

/// The minute that a slot's name says; none if it is the name of another kind of slot.
pub(super) fn parse(slot: &SlotName) -> Option<i64> {
    let text = slot.as_str();
    if text.len() != "2026-11-15T07:00".len() {
        return None;
    }
    text.parse::<DateTime>().ok().map(|hands| minute(hands).clamp(FIRST, LAST))
}

/// The instant in the words of the zone database, kept within the years that slots have.
pub(crate) fn timestamp(at: At) -> Timestamp {
    let millis = at.millis().clamp(FIRST * 60_000, LAST * 60_000);
    Timestamp::from_millisecond(millis).expect("the years 1969 to 9998 have timestamps")
}

/// The instant in our own words.
pub(crate) fn at(timestamp: Timestamp) -> At {
    At::from_millis(timestamp.as_millisecond())
}

fn seconds(hands: DateTime) -> i64 {
    // Only the last days of 9999 have no timestamp, and slots end the year before.
    Offset::UTC.to_timestamp(hands).unwrap_or(Timestamp::MAX).as_second()
}

//! The years that a text may name.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

/// The first year that can be named: instants begin with it.
pub const YEAR_MIN: i16 = 1970;

/// The last year that can be named: the year after it is too short for the zones at its end.
pub const YEAR_MAX: i16 = 9998;

/// Refuses a day outside those years.
pub(super) fn day(date: Date) -> Result<Date, String> {
    if (YEAR_MIN..=YEAR_MAX).contains(&date.year()) { Ok(date) } else { Err(outside()) }
}

/// Refuses an instant outside those years, as Greenwich counts them.
pub(super) fn instant(at: Timestamp) -> Result<Timestamp, String> {
    day(Offset::UTC.to_datetime(at).date()).map(|_| at)
}

/// The reason.
pub(super) fn outside() -> String {
    format!("years run from {YEAR_MIN} to {YEAR_MAX}")
}

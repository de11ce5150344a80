//! Where a wall clock jumps: civil minutes that never come, and those that come twice.

use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};
use types::At;

use super::civil;

/// No wall clock has ever jumped by more than a day; looking this far around a time finds every
/// jump that concerns it.
const AROUND: SignedDuration = SignedDuration::from_hours(72);

/// Civil minutes that a wall clock jumps over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gap {
    /// The first minute that does not come.
    pub(super) first: i64,
    /// The first minute after it that is not jumped over.
    pub(super) end: i64,
    /// The instant of the jump.
    pub(super) at: At,
    /// Whether the clock lands on the start of the minute `end`, which then is at that instant.
    pub(super) lands: bool,
}

/// The instant at which a wall clock first shows a minute, or the gap that the minute is in.
pub(super) fn place(zone: &TimeZone, minute: i64) -> Result<At, Gap> {
    let hands = civil::hands(minute);
    let offset = match zone.to_ambiguous_timestamp(hands).offset() {
        AmbiguousOffset::Unambiguous { offset } => offset,
        AmbiguousOffset::Fold { before, .. } => before,
        AmbiguousOffset::Gap { .. } => {
            return Err(gaps(zone, minute, minute)
                .pop()
                .expect("a minute that does not exist is in a gap"));
        }
    };
    let instant = offset.to_timestamp(hands).expect("the years 1969 to 9998 have timestamps");
    Ok(civil::at(instant))
}

/// Whether a wall clock shows a minute twice.
pub(super) fn comes_twice(zone: &TimeZone, minute: i64) -> bool {
    let offset = zone.to_ambiguous_timestamp(civil::hands(minute)).offset();
    matches!(offset, AmbiguousOffset::Fold { .. })
}

/// The last minute that a wall clock has shown, or has jumped over, up to an instant. It never
/// goes back, although the clock does.
pub(super) fn reached(zone: &TimeZone, at: At) -> i64 {
    let now = civil::timestamp(at);
    let shown = civil::minute(zone.to_datetime(now));
    let before_jumps = jumps(zone, now - AROUND, now)
        .map(|jump| civil::minute_from(jump.before.to_datetime(jump.at)) - 1);
    before_jumps.fold(shown, i64::max).clamp(civil::FIRST, civil::LAST)
}

/// All gaps with a minute from the first to the last.
pub(super) fn gaps(zone: &TimeZone, first: i64, last: i64) -> Vec<Gap> {
    let instant = |minute: i64| civil::timestamp(At::from_millis(minute * 60_000));
    let jumps = jumps(zone, instant(first) - AROUND, instant(last) + AROUND);
    let gaps = jumps.filter(|jump| jump.after > jump.before).map(|jump| {
        let landing = jump.after.to_datetime(jump.at);
        let end = civil::minute_from(landing);
        Gap {
            first: civil::minute_from(jump.before.to_datetime(jump.at)),
            end,
            at: civil::at(jump.at),
            lands: civil::minute(landing) == end,
        }
    });
    gaps.filter(|gap| gap.first <= last && first < gap.end).collect()
}

struct Jump {
    at: Timestamp,
    before: Offset,
    after: Offset,
}

/// The jumps after an instant and up to another.
fn jumps(zone: &TimeZone, after: Timestamp, until: Timestamp) -> impl Iterator<Item = Jump> {
    zone.following(after).take_while(move |jump| jump.timestamp() <= until).map(|jump| {
        let at = jump.timestamp();
        let before = zone.to_offset(at - SignedDuration::from_nanos(1));
        Jump { at, before, after: jump.offset() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::zone;

    #[test]
    fn no_zone_jumps_twice_within_the_minutes_of_one_jump() {
        let (first, last) =
            (civil::FIRST + 72 * 60, civil::minute("2060-01-01T00:00".parse().unwrap()));
        let instant = |minute: i64| civil::timestamp(At::from_millis(minute * 60_000));
        let mut seen = 0;
        for zone in zone::all() {
            let mut end_before = i64::MIN;
            for jump in jumps(&zone, instant(first), instant(last)) {
                let one = civil::minute(jump.before.to_datetime(jump.at));
                let other = civil::minute(jump.after.to_datetime(jump.at));
                assert!(one.min(other) > end_before, "{:?} at {}", zone.iana_name(), jump.at);
                assert!((one - other).abs() <= 24 * 60, "{:?} at {}", zone.iana_name(), jump.at);
                end_before = one.max(other);
                seen += 1;
            }
        }
        assert!(seen > 1_000, "the database was not read");
    }
}

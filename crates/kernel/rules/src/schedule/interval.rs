//! The slots of an interval: every so many seconds by the real clock, whatever the wall says.

use jiff::tz::TimeZone;
use types::{At, SlotName};

use super::civil;
use super::gap::place;
use super::plan::Numbered;

/// Slots by how many intervals after the start they come.
#[derive(Debug, Clone)]
pub(super) struct IntervalSlots {
    starts_at: i64,
    millis: i64,
    zone: TimeZone,
}

impl IntervalSlots {
    /// Slots from a start; the interval is not zero.
    pub(super) fn new(starts_at: At, seconds: u64, zone: TimeZone) -> IntervalSlots {
        let starts_at = civil::at(civil::timestamp(starts_at)).millis();
        let millis = i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX).max(1);
        IntervalSlots { starts_at, millis, zone }
    }
}

impl Numbered for IntervalSlots {
    fn end(&self) -> i64 {
        (civil::LAST * 60_000 - self.starts_at) / self.millis
    }

    fn first_in(&self, after: i64, until: i64) -> Option<i64> {
        Some(after + 1).filter(|number| *number <= until)
    }

    fn last_in(&self, after: i64, until: i64) -> Option<i64> {
        Some(until).filter(|number| *number > after)
    }

    fn count_in(&self, after: i64, until: i64) -> u64 {
        u64::try_from(until - after).unwrap_or(0)
    }

    fn at(&self, number: i64) -> At {
        At::from_millis(self.starts_at + number * self.millis)
    }

    fn name(&self, number: i64) -> SlotName {
        name(self.at(number))
    }

    fn reached(&self, at: At) -> i64 {
        let millis = at.millis().saturating_sub(self.starts_at);
        millis.div_euclid(self.millis).clamp(0, self.end())
    }

    fn number(&self, slot: &SlotName) -> Option<i64> {
        // A name has whole seconds, a slot perhaps not: the last millisecond of the second counts.
        if let Some(second) = parse(slot) {
            return Some(self.reached(second.plus_millis(999)));
        }
        // A schedule that went by a cron line before has left the name of a civil minute.
        let minute = civil::parse(slot)?;
        Some(self.reached(place(&self.zone, minute).unwrap_or_else(|gap| gap.at)))
    }
}

/// The name of the slot at an instant, to the second: intervals are whole seconds.
fn name(at: At) -> SlotName {
    SlotName::named(format!("{:.0}", civil::timestamp(at)))
}

/// The instant that a slot's name says; none if it is the name of another kind of slot.
pub(super) fn parse(slot: &SlotName) -> Option<At> {
    let text = slot.as_str();
    if text.len() != "2026-11-15T07:00:30Z".len() {
        return None;
    }
    text.parse().ok()
}

//! The slots of a cron line in a zone.
//!
//! A civil minute that comes twice is one slot, at its first coming. Minutes that the wall clock
//! jumps over happen at the jump, all together: as the slot of the minute that it lands on, if the
//! line has that one too, and else under the name of the first that was jumped over.

use jiff::tz::TimeZone;
use types::{At, SlotName};

use super::gap::{Gap, gaps, place, reached};
use super::pattern::Pattern;
use super::plan::Numbered;
use super::{civil, interval};

/// Slots by their civil minute.
#[derive(Debug, Clone)]
pub(super) struct CronSlots {
    pub(super) pattern: Pattern,
    pub(super) zone: TimeZone,
}

impl CronSlots {
    /// The one slot that stands for all minutes of a gap, if the minute after it does not.
    fn stands_for(&self, gap: &Gap) -> Option<i64> {
        if gap.lands && self.pattern.matches(gap.end) {
            return None;
        }
        self.pattern.next_from(gap.first).filter(|minute| *minute < gap.end)
    }
}

impl Numbered for CronSlots {
    fn end(&self) -> i64 {
        civil::LAST
    }

    fn first_in(&self, after: i64, until: i64) -> Option<i64> {
        let mut from = after + 1;
        loop {
            let minute = self.pattern.next_from(from).filter(|minute| *minute <= until)?;
            let Err(gap) = place(&self.zone, minute) else {
                return Some(minute);
            };
            match self.stands_for(&gap) {
                Some(slot) if slot > after => return Some(slot),
                _ => from = gap.end,
            }
        }
    }

    fn last_in(&self, after: i64, until: i64) -> Option<i64> {
        let mut until = until;
        loop {
            let minute = self.pattern.last_until(until).filter(|minute| *minute > after)?;
            let Err(gap) = place(&self.zone, minute) else {
                return Some(minute);
            };
            match self.stands_for(&gap) {
                Some(slot) => return Some(slot).filter(|slot| *slot > after && *slot <= until),
                None => until = gap.first - 1,
            }
        }
    }

    fn count_in(&self, after: i64, until: i64) -> u64 {
        if until <= after {
            return 0;
        }
        let mut count = self.pattern.count(after + 1, until);
        for gap in gaps(&self.zone, after + 1, until) {
            count -= self.pattern.count(gap.first.max(after + 1), (gap.end - 1).min(until));
            let stands = self.stands_for(&gap).is_some_and(|slot| slot > after && slot <= until);
            count += u64::from(stands);
        }
        count
    }

    fn at(&self, number: i64) -> At {
        place(&self.zone, number).unwrap_or_else(|gap| gap.at)
    }

    fn name(&self, number: i64) -> SlotName {
        civil::name(number)
    }

    fn reached(&self, at: At) -> i64 {
        reached(&self.zone, at)
    }

    fn number(&self, slot: &SlotName) -> Option<i64> {
        // A schedule that went by an interval before has left the name of an instant.
        civil::parse(slot).or_else(|| interval::parse(slot).map(|at| self.reached(at)))
    }
}

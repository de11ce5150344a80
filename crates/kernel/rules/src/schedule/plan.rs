//! A schedule, ready to be asked for its slots.

use types::{At, Schedule, ScheduleTrigger, SlotName};

use super::cron_slots::CronSlots;
use super::error::ScheduleError;
use super::interval::IntervalSlots;
use super::{cron, gap, zone};

/// A slot and its instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// Which slot.
    pub slot: SlotName,
    /// When it comes.
    pub at: At,
}

/// Slots in a row, each with a number that grows with its name and with its instant. Not every
/// number is a slot's.
pub(super) trait Numbered {
    /// The last number there can be.
    fn end(&self) -> i64;
    /// The first slot after a number and up to another.
    fn first_in(&self, after: i64, until: i64) -> Option<i64>;
    /// The last slot after a number and up to another.
    fn last_in(&self, after: i64, until: i64) -> Option<i64>;
    /// How many slots there are after a number and up to another, without walking over them.
    fn count_in(&self, after: i64, until: i64) -> u64;
    /// When a slot comes.
    fn at(&self, number: i64) -> At;
    /// What a slot is called.
    fn name(&self, number: i64) -> SlotName;
    /// The number such that the slots up to it, and only they, have come by an instant.
    fn reached(&self, at: At) -> i64;
    /// The number of a slot by its name, of this row or of another; none if no row has the name.
    fn number(&self, slot: &SlotName) -> Option<i64>;
}

#[derive(Debug, Clone)]
enum Slots {
    Cron(CronSlots),
    Interval(IntervalSlots),
    /// Time alone makes nothing due.
    None,
}

/// A compiled schedule: its pattern, its zone and its bounds. Slots lie after `starts_at`, never at
/// it, and up to `ends_at`. It holds for one zone of the home host; a host that moved compiles it
/// again, and the names of its slots carry over.
#[derive(Debug, Clone)]
pub struct Plan {
    slots: Slots,
    /// The number after which slots begin.
    start: i64,
    /// The number after which there are none.
    end: i64,
}

impl Plan {
    /// Reads a schedule. `local_zone` is the IANA name of the home host's own zone.
    ///
    /// # Errors
    /// If its pattern or its zone makes no sense.
    pub fn compile(schedule: &Schedule, local_zone: &str) -> Result<Plan, ScheduleError> {
        let zone = zone::resolve(&schedule.zone, local_zone)?;
        let recurrence = &schedule.recurrence;
        let slots = match schedule.trigger {
            ScheduleTrigger::Cron => {
                let line = recurrence.cron.as_deref();
                let line = line.ok_or(ScheduleError::NoRule { needs: "cron line" })?;
                Slots::Cron(CronSlots { pattern: cron::parse(line)?, zone })
            }
            ScheduleTrigger::Interval => {
                let seconds = recurrence.interval_seconds.filter(|seconds| *seconds > 0);
                let seconds = seconds.ok_or(ScheduleError::NoRule { needs: "interval" })?;
                Slots::Interval(IntervalSlots::new(schedule.starts_at, seconds, zone))
            }
            ScheduleTrigger::Event { .. } => Slots::None,
        };
        let mut plan = Plan { slots, start: 0, end: 0 };
        if let Some(row) = plan.row() {
            let start = row.reached(schedule.starts_at.max(At::EPOCH));
            let end = schedule.ends_at.map_or(row.end(), |ends_at| row.reached(ends_at));
            (plan.start, plan.end) = (start, end);
        }
        Ok(plan)
    }

    /// The first slot after this one by name, or the first of all. None if nothing more comes. A
    /// name that no pattern gives counts as no slot.
    #[must_use]
    pub fn next(&self, after: Option<&SlotName>) -> Option<Due> {
        let row = self.row()?;
        let after = after.and_then(|slot| row.number(slot)).unwrap_or(self.start);
        row.first_in(after.max(self.start), self.end).map(|number| due(row, number))
    }

    /// The first slot later than an instant.
    #[must_use]
    pub fn next_after_instant(&self, at: At) -> Option<Due> {
        let row = self.row()?;
        row.first_in(row.reached(at).max(self.start), self.end).map(|number| due(row, number))
    }

    /// The newest slot that has come by an instant.
    #[must_use]
    pub fn newest(&self, at: At) -> Option<Due> {
        let row = self.row()?;
        row.last_in(self.start, row.reached(at).min(self.end)).map(|number| due(row, number))
    }

    /// The newest slot before this one by name.
    #[must_use]
    pub fn before(&self, slot: &SlotName) -> Option<Due> {
        let row = self.row()?;
        let until = (row.number(slot)? - 1).min(self.end);
        row.last_in(self.start, until).map(|number| due(row, number))
    }

    /// How many slots there are from one to another, both included. Takes no longer for a million
    /// than for ten.
    #[must_use]
    pub fn count(&self, first: &SlotName, last: &SlotName) -> u64 {
        let numbers = self.row().and_then(|row| Some((row, row.number(first)?, row.number(last)?)));
        numbers.map_or(0, |(row, first, last)| {
            row.count_in((first - 1).max(self.start), last.min(self.end))
        })
    }

    /// Whether the wall clock shows a slot's minute twice.
    pub(super) fn comes_twice(&self, slot: &SlotName) -> bool {
        match &self.slots {
            Slots::Cron(row) => {
                row.number(slot).is_some_and(|minute| gap::comes_twice(&row.zone, minute))
            }
            Slots::Interval(_) | Slots::None => false,
        }
    }

    fn row(&self) -> Option<&dyn Numbered> {
        match &self.slots {
            Slots::Cron(slots) => Some(slots),
            Slots::Interval(slots) => Some(slots),
            Slots::None => None,
        }
    }
}

fn due(row: &dyn Numbered, number: i64) -> Due {
    Due { slot: row.name(number), at: row.at(number) }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "plan_brute_force_tests.rs"]
mod brute_force_tests;

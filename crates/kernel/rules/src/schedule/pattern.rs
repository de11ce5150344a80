//! The civil minutes that a cron line matches, found and counted without walking over them.

use jiff::civil::Date;

use super::civil;

const DAY_MINUTES: i64 = 24 * 60;

/// The calendar repeats, weekdays and all, after this many months.
const CYCLE_MONTHS: u32 = 400 * 12;

/// A cron line after reading. Days and months are sets with one bit for each value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Minutes of the day, in order; never empty.
    times: Vec<i64>,
    days: u64,
    months: u64,
    weekdays: u64,
    /// Whether a day matches by its number or its weekday; otherwise by both.
    either_day: bool,
}

impl Pattern {
    pub(super) fn new(
        minutes: u64,
        hours: u64,
        days: u64,
        months: u64,
        weekdays: u64,
        either_day: bool,
    ) -> Pattern {
        let has = |set: u64, value: i64| set >> value & 1 == 1;
        let matches = |time: &i64| has(hours, time / 60) && has(minutes, time % 60);
        let times = (0..DAY_MINUTES).filter(matches).collect();
        Pattern { times, days, months, weekdays, either_day }
    }

    /// Whether any day of any year matches.
    pub(super) fn ever_comes(&self) -> bool {
        let mut month = Month { year: 2000, month: 1 };
        for _ in 0..CYCLE_MONTHS {
            if self.days(month) > 0 {
                return true;
            }
            month = month.after();
        }
        false
    }

    pub(super) fn matches(&self, minute: i64) -> bool {
        self.next_from(minute) == Some(minute)
    }

    /// The first match that is not before this minute.
    pub(super) fn next_from(&self, minute: i64) -> Option<i64> {
        let (mut month, day, time) = split(minute);
        let today = self.days(month) >> day & 1 == 1;
        if let Some(found) = self.times.get(self.times_before(time)).filter(|_| today) {
            return Some(minute - time + found);
        }
        let mut days = self.days(month) & !up_to(day);
        while days == 0 {
            month = month.after();
            if month.year > 9998 {
                return None;
            }
            days = self.days(month);
        }
        Some(month.start_of(days.trailing_zeros()) + self.times.first()?)
    }

    /// The last match that is not after this minute and not before the first minute there is.
    pub(super) fn last_until(&self, minute: i64) -> Option<i64> {
        let (mut month, day, time) = split(minute);
        let today = self.days(month) >> day & 1 == 1;
        if let Some(index) = self.times_before(time + 1).checked_sub(1).filter(|_| today) {
            return Some(minute - time + self.times[index]);
        }
        let mut days = self.days(month) & (up_to(day) >> 1);
        while days == 0 {
            month = month.before();
            if month.year < 1969 {
                return None;
            }
            days = self.days(month);
        }
        Some(month.start_of(days.ilog2()) + self.times.last()?)
    }

    /// How many minutes from the first to the last match, both included.
    pub(super) fn count(&self, first: i64, last: i64) -> u64 {
        if first > last {
            return 0;
        }
        let ((mut month, first_day, first_time), (end, last_day, last_time)) =
            (split(first), split(last));
        let mut days = 0;
        let mut mask = !(up_to(first_day) >> 1);
        while month < end {
            days += u64::from((self.days(month) & mask).count_ones());
            mask = u64::MAX;
            month = month.after();
        }
        days += u64::from((self.days(end) & mask & up_to(last_day)).count_ones());
        let mut count = days * length(&self.times);
        // The first and the last day are only counted in part.
        if self.days(split(first).0) >> first_day & 1 == 1 {
            count -= length(&self.times[..self.times_before(first_time)]);
        }
        if self.days(end) >> last_day & 1 == 1 {
            count -= length(&self.times[self.times_before(last_time + 1)..]);
        }
        count
    }

    fn times_before(&self, time: i64) -> usize {
        self.times.partition_point(|found| *found < time)
    }

    /// The days of a month that match, one bit each, the first day in bit 1.
    fn days(&self, month: Month) -> u64 {
        if self.months >> month.month & 1 == 0 {
            return 0;
        }
        let first = month.first();
        let shift = first.weekday().to_sunday_zero_offset();
        let (mut all, mut by_weekday) = (0, 0);
        for day in 1..=first.days_in_month() {
            all |= 1 << day;
            by_weekday |= (self.weekdays >> ((shift + day - 1) % 7) & 1) << day;
        }
        all & if self.either_day { self.days | by_weekday } else { self.days & by_weekday }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Month {
    year: i16,
    month: i8,
}

impl Month {
    fn after(self) -> Month {
        match self.month {
            12 => Month { year: self.year + 1, month: 1 },
            month => Month { month: month + 1, ..self },
        }
    }

    fn before(self) -> Month {
        match self.month {
            1 => Month { year: self.year - 1, month: 12 },
            month => Month { month: month - 1, ..self },
        }
    }

    fn first(self) -> Date {
        Date::new(self.year, self.month, 1).expect("every month has a first day")
    }

    /// The first minute of a day of this month.
    fn start_of(self, day: u32) -> i64 {
        civil::minute(self.first().at(0, 0, 0, 0)) + (i64::from(day) - 1) * DAY_MINUTES
    }
}

/// The month, the day in it and the minute of that day.
fn split(minute: i64) -> (Month, i8, i64) {
    let hands = civil::hands(minute);
    (
        Month { year: hands.year(), month: hands.month() },
        hands.day(),
        minute.rem_euclid(DAY_MINUTES),
    )
}

/// The bits of all days up to this one.
fn up_to(day: i8) -> u64 {
    (2 << day) - 1
}

fn length(times: &[i64]) -> u64 {
    u64::try_from(times.len()).expect("a day has 1440 minutes")
}

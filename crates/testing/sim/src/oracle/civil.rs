//! The slots of a schedule, found by walking through every minute there is.

use jiff::civil::DateTime;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, ToSpan};
use types::{At, Schedule, ScheduleTrigger};

/// A slot: its name and its instant.
pub(crate) type Slot = (String, At);

/// All slots of a schedule in a fixed zone, after its start and up to an instant.
pub(crate) fn slots(body: &Schedule, until: At) -> Vec<Slot> {
    let until = body.ends_at.map_or(until, |ends_at| until.min(ends_at));
    match &body.trigger {
        ScheduleTrigger::Cron => {
            let line = body.recurrence.cron.as_deref().unwrap_or_default();
            cron(line, &body.zone, body.starts_at, until)
        }
        ScheduleTrigger::Interval => {
            let seconds = body.recurrence.interval_seconds.unwrap_or(1);
            let millis = i64::try_from(seconds).unwrap_or(1) * 1_000;
            let mut at = body.starts_at.plus_millis(millis);
            let mut slots = Vec::new();
            while at <= until {
                slots.push((format!("{:.0}", timestamp(at)), at));
                at = at.plus_millis(millis);
            }
            slots
        }
        ScheduleTrigger::Event { .. } => Vec::new(),
    }
}

fn timestamp(at: At) -> Timestamp {
    Timestamp::from_millisecond(at.millis()).expect("a time that people live in")
}

/// Walks through the minutes of the world, with an eye on the wall clock of the zone.
fn cron(line: &str, zone: &str, starts_at: At, until: At) -> Vec<Slot> {
    let zone: TimeZone = TimeZoneDatabase::bundled().get(zone).expect("a known zone");
    // A day ahead of the start, to know what the wall clock has shown already.
    let first = starts_at.millis().div_euclid(60_000) - 1_440;
    let last = until.millis().div_euclid(60_000);
    let mut slots = Vec::new();
    let mut shown_until: Option<DateTime> = None;
    for minute in first..=last {
        let at = At::from_millis(minute * 60_000);
        let wall = zone.to_datetime(timestamp(at));
        let expected = shown_until.map(|shown| shown.saturating_add(1.minute()));
        if shown_until.is_some_and(|shown| wall <= shown) {
            // The clock was set back: this minute has been before.
            continue;
        }
        shown_until = Some(wall);
        let jumped = expected.filter(|expected| *expected < wall).and_then(|expected| {
            let mut skipped = expected;
            while skipped < wall && !matches(line, skipped) {
                skipped = skipped.saturating_add(1.minute());
            }
            (skipped < wall).then_some(skipped)
        });
        let slot = if matches(line, wall) { Some(wall) } else { jumped };
        if let Some(slot) = slot.filter(|_| at > starts_at) {
            slots.push((name(slot), at));
        }
    }
    slots
}

fn name(wall: DateTime) -> String {
    let (year, month, day) = (wall.year(), wall.month(), wall.day());
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}", wall.hour(), wall.minute())
}

/// Whether a cron line as the simulator writes them has this minute: days and months are open.
fn matches(line: &str, wall: DateTime) -> bool {
    let fields: Vec<&str> = line.split(' ').collect();
    let weekday = i64::from(wall.weekday().to_sunday_zero_offset());
    let values = [i64::from(wall.minute()), i64::from(wall.hour()), weekday];
    [0, 1, 4].iter().zip(values).all(|(field, value)| has(fields[*field], value))
}

fn has(field: &str, value: i64) -> bool {
    field.split(',').any(|part| {
        let number = |text: &str| text.parse::<i64>().expect("a number");
        match (part.strip_prefix("*/"), part.split_once('-')) {
            (Some(step), _) => value % number(step) == 0,
            (None, Some((from, to))) => number(from) <= value && value <= number(to),
            (None, None) => part == "*" || number(part) == value,
        }
    })
}

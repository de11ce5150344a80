//! The slots and their counts against a walk over every minute of the real clock.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::*;
use crate::schedule::civil;
use crate::schedule::fixtures::{cron, interval, plan, slots};

const ZONES: [&str; 9] = [
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Africa/Casablanca",
    "America/St_Johns",
    "Asia/Kathmandu",
    "Antarctica/Troll",
    "Asia/Pyongyang",
];

/// Whether a field has a value, read in the plainest way there is.
fn field_has(field: &str, value: i8, least: i8) -> bool {
    field.split(',').any(|item| {
        let (base, step) = item.split_once('/').unwrap_or((item, "1"));
        let (from, to) = match base.split_once('-') {
            _ if base == "*" => (least, 99),
            None => (base.parse().unwrap(), base.parse().unwrap()),
            Some((from, to)) => (from.parse().unwrap(), to.parse().unwrap()),
        };
        (from..=to).contains(&value) && (value - from) % step.parse::<i8>().unwrap() == 0
    })
}

fn line_has(line: &str, hands: DateTime) -> bool {
    let fields: Vec<&str> = line.split(' ').collect();
    let weekday = hands.weekday().to_sunday_zero_offset();
    let day = field_has(fields[2], hands.day(), 1);
    let weekday = field_has(fields[4], weekday, 0)
        || field_has(fields[4], weekday + 7, 0) && fields[4].contains('7');
    let restricted = !fields[2].starts_with('*') && !fields[4].starts_with('*');
    field_has(fields[0], hands.minute(), 0)
        && field_has(fields[1], hands.hour(), 0)
        && field_has(fields[3], hands.month(), 1)
        && if restricted { day || weekday } else { day && weekday }
}

/// Walks a wall clock minute by minute: what it shows for the first time, it has reached.
fn walk(line: &str, zone: &TimeZone, starts_at: At, minutes: i64) -> Vec<Due> {
    let shows = |minute: i64| {
        let at = starts_at.plus_millis(minute * 60_000);
        (at, civil::minute(zone.to_datetime(civil::timestamp(at))))
    };
    // The two days before the start say what was reached by then.
    let mut reached = (-2 * 1440..=0).map(|minute| shows(minute).1).max().unwrap();
    let mut found = vec![];
    for minute in 1..=minutes {
        let (at, shown) = shows(minute);
        if shown <= reached {
            continue;
        }
        let has = |minute: &i64| line_has(line, civil::hands(*minute));
        let slot = if has(&shown) { Some(shown) } else { (reached + 1..shown).find(has) };
        found.extend(slot.map(|minute| Due { slot: civil::name(minute), at }));
        reached = shown;
    }
    found
}

fn lines() -> impl Strategy<Value = String> {
    let minute =
        prop_oneof!["\\*", "[1-5]?[0-9]", "\\*/(7|15|20|30)", "(0|5)-59/(10|25)", "0,[1-5][0-9]"];
    let hour = prop_oneof!["\\*", "[1-9]", "[0-3],1[0-9]", "\\*/[2-6]", "0-4", "2"];
    let day = prop_oneof!["\\*", "\\*", "[1-9]", "2[5-9],30", "\\*/[2-9]"];
    let month = prop_oneof!["\\*", "\\*", "\\*", "3-4,9-12", "[1-6]-12/2"];
    let weekday = prop_oneof!["\\*", "\\*", "[0-7]", "1-5", "5-7"];
    (minute, hour, day, month, weekday).prop_map(|(minute, hour, day, month, weekday)| {
        format!("{minute} {hour} {day} {month} {weekday}")
    })
}

/// An instant near one of a zone's jumps, or anywhere in a year if it has none.
fn near_a_jump(zone: &TimeZone, year: i16, nth: usize, minutes_before: i64) -> At {
    let new_year = jiff::civil::date(year, 1, 1).at(0, 0, 0, 0);
    let start = jiff::tz::Offset::UTC.to_timestamp(new_year).unwrap();
    let jump = zone.following(start).nth(nth).map_or(start, |jump| jump.timestamp());
    civil::at(jump).plus_millis(-minutes_before * 60_000)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn slots_and_counts_are_those_of_a_walk_over_every_minute(
        line in lines(),
        zone in prop::sample::select(&ZONES[..]),
        year in 1990_i16..=2037,
        nth in 0_usize..4,
        before in 0_i64..4_000,
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
    ) {
        let time_zone = crate::schedule::zone::resolve(zone, "").unwrap();
        let starts_at = near_a_jump(&time_zone, year, nth, before);
        let walked = walk(&line, &time_zone, starts_at, 6_000);
        let plan = plan(&cron(&line, zone, &starts_at.to_string()));
        let found: Vec<Due> = slots(&plan).take(walked.len()).collect();
        prop_assert_eq!(&found, &walked);
        let next = plan.next(walked.last().map(|due| &due.slot));
        let end = starts_at.plus_millis(6_000 * 60_000);
        prop_assert!(next.is_none_or(|next| next.at > end));
        prop_assert_eq!(plan.newest(end), walked.last().cloned());
        if !walked.is_empty() {
            let (one, other) = (from.index(walked.len()), to.index(walked.len()));
            let (one, other) = (one.min(other), one.max(other));
            let count = plan.count(&walked[one].slot, &walked[other].slot);
            prop_assert_eq!(count, u64::try_from(other - one + 1).unwrap());
            let here = Some(walked[other].clone());
            let just_before = walked[other].at.plus_millis(-1);
            prop_assert_eq!(plan.newest(walked[other].at), here.clone());
            prop_assert_eq!(plan.next_after_instant(just_before), here);
            let before = other.checked_sub(1).map(|index| walked[index].clone());
            prop_assert_eq!(plan.before(&walked[other].slot), before);
        }
    }

    #[test]
    fn the_next_slot_is_later_by_name_and_by_instant(
        line in lines(),
        zone in prop::sample::select(&ZONES[..]),
        year in 1990_i16..=2037,
        nth in 0_usize..4,
        before in 0_i64..4_000,
    ) {
        let time_zone = crate::schedule::zone::resolve(zone, "").unwrap();
        let starts_at = near_a_jump(&time_zone, year, nth, before);
        let plan = plan(&cron(&line, zone, &starts_at.to_string()));
        let found: Vec<Due> = slots(&plan).take(300).collect();
        for two in found.windows(2) {
            prop_assert!(two[0].slot < two[1].slot, "{} then {}", two[0].slot, two[1].slot);
            prop_assert!(two[0].at < two[1].at, "{} then {}", two[0].slot, two[1].slot);
        }
    }

    #[test]
    fn intervals_are_counted_by_division(seconds in 1_u64..100_000, count in 1_usize..200) {
        let schedule = interval(seconds, "2026-10-24T12:00:00.250Z");
        let plan = plan(&schedule);
        let found: Vec<Due> = slots(&plan).take(count).collect();
        prop_assert!(found.windows(2).all(|two| two[0].slot < two[1].slot));
        let last = found.last().unwrap();
        let millis = i64::try_from(seconds).unwrap() * 1_000 * i64::try_from(count).unwrap();
        prop_assert_eq!(last.at, schedule.starts_at.plus_millis(millis));
        prop_assert_eq!(plan.count(&found[0].slot, &last.slot), u64::try_from(count).unwrap());
        prop_assert_eq!(plan.newest(last.at), Some(last.clone()));
        let before = count.checked_sub(2).map(|index| found[index].clone());
        prop_assert_eq!(plan.before(&last.slot), before);
    }
}

#[test]
fn ten_years_of_minutes_are_counted_exactly() {
    // Every gap of Berlin takes an hour of minutes; the overlaps give nothing back.
    let plan = plan(&cron("* * * * *", "Europe/Berlin", "2026-01-01T00:00Z"));
    let (first, last) = ("2027-01-01T00:00", "2036-12-31T23:59");
    let [first, last] = [first, last].map(|name| SlotName::named(name.to_owned()));
    let days = 3_653;
    assert_eq!(plan.count(&first, &last), days * 1_440 - 10 * 60);
}
